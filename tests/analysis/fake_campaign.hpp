#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "analysis/averages/analysis.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks::testing {

/// A gaussian campaign without field, of one size.
inline Config fake_config(int dim = 3, int copies = 2, int L = 4) {
  Config config;
  config.model.dim = dim;
  config.model.L = {L};
  config.replicas.copies = copies;
  config.convergence.max_rounds = 64;
  return config;
}

inline std::vector<std::string> stored_names(int dim = 3, int copies = 2, LocalSelection selection = 0) {
  const BinLayout layout(SpinModel{}, dim, copies, selection);
  std::vector<std::string> names;
  for (int i = 0; i < layout.size(); ++i) names.push_back(layout.name(i));
  return names;
}

/// Value of an observable at a slot.
using BinValue = std::function<double(int slot, const std::string& name)>;

/// A round of the right shape whose bins are given; 10 measurements, no exchanges, no walk.
inline RoundRow fake_round(std::uint32_t round, int slots, const BinValue& value, int dim = 3, int copies = 2) {
  RoundRow row;
  row.round = round;
  row.record.measurements = 10;
  const auto n = static_cast<std::size_t>(slots);
  for (int slot = 0; slot < slots; ++slot) {
    for (const std::string& name : stored_names(dim, copies)) row.record.mean.push_back(value(slot, name));
  }
  row.record.exchange_attempts.assign(n - 1, 0);
  row.record.exchange_accepted.assign(n - 1, 0);
  row.record.walk_up.assign(n, 0);
  row.record.walk_down.assign(n, 0);
  row.record.walk_mean.assign(n * static_cast<std::size_t>(copies) * walk_functions, 0.0);
  row.record.round_trips.assign(n * static_cast<std::size_t>(copies), 0);
  return row;
}

/// Bins of an exactly known chi(k) = 1/(m^2 + 4 sin^2(k/2)) with xi_L/L = 1/(m L) and otherwise round numbers.
inline double propagator_bin(double mass, int L, const std::string& name) {
  const double s = 2.0 * std::sin(std::numbers::pi / L);
  if (name == "overlap_k(0,0,0)" || name == "chiral_zero") return 1.0 / (mass * mass);
  if (name.ends_with("(1,0,0)") || name.ends_with("(0,1,0)") || name.ends_with("(0,0,1)") ||
      name.starts_with("chiral_kmin")) {
    return 1.0 / (mass * mass + s * s);
  }
  if (name == "energy" || name == "bond_energy" || name.starts_with("energy_of_copy")) return -1.5;
  if (name == "energy_squared") return 2.26;
  if (name == "overlap_2") return 0.5;
  if (name == "overlap_4") return 0.26;
  return 0.0;
}

/// A size as analyzed from so many realizations of that propagator with 8 rounds, mass = 1, 1.1, 1.2, ... at the slots
/// and energies that differ by 0.01 between realizations.
inline SizeResult fake_size(int L, std::vector<double> temperatures, int realizations) {
  const Columns columns(stored_names(), 3);
  const auto slots = static_cast<int>(temperatures.size());
  std::vector<RealizationSummary> summaries;
  for (int r = 0; r < realizations; ++r) {
    std::vector<RoundRow> rounds;
    for (std::uint32_t n = 0; n < 8; ++n) {
      rounds.push_back(fake_round(n, slots, [&](int slot, const std::string& name) {
        return propagator_bin(1.0 + 0.1 * slot, L, name) + (name == "energy" ? 0.01 * r : 0.0);
      }));
    }
    summaries.push_back(summarize({L, static_cast<std::uint32_t>(r)}, rounds, columns, temperatures.size()));
  }
  SizeResult size;
  size.L = L;
  size.temperatures = std::move(temperatures);
  size.counts.total = size.counts.converged = realizations;
  reduce_size(fake_config(), columns, summaries, size);
  return size;
}

}  // namespace glassworks::testing
