#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "base/distributions.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "tests/bin_places.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/enough.hpp"
#include "tests/physics/corner_oracles.hpp"

namespace glassworks::testing {

/// Of one comparison: 4 sigma, as Student's t for the number of realizations.
constexpr double false_alarm = 6.3e-5;

/// Everything, as the tests labelled slow do, not the part that is run by default.
inline bool all_corners() { return test::enough(false, true); }

/// Whether a combination of levels of several factors is run: by default every second one, those with an even sum of
/// levels, which have every pair of levels of any two of three or more factors.
inline bool is_chosen(std::size_t sum_of_levels) { return sum_of_levels % 2 == 0 || all_corners(); }

using O = test::Moments;

/// Averages of one realization over its equilibrated rounds [slot][observable].
using Averages = std::vector<std::vector<double>>;

struct Simulated {
  Config config;
  Chain chain;
  std::vector<Averages> converged;
  std::vector<std::uint32_t> realizations;  ///< their numbers
  std::vector<Disorder> disorder;           ///< of all
};

/// The place of an observable in a bin.
inline std::size_t place_of(const Chain& chain, const std::string& name) {
  const std::vector<std::string> names = BinLayout(chain).names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

class StatisticsOfCorners : public ConfigTest {
 protected:
  void TearDown() override {
    std::cout << fmt::format("{} combinations, {} converged, {} comparisons\n", combinations_, converged_,
                             comparisons_);
    RecordProperty("combinations", combinations_);
    ConfigTest::TearDown();
  }

  Config load(const std::vector<std::string>& keys, const std::string& couplings = {}) {
    std::string text;
    if (!couplings.empty()) {
      write("J.txt", couplings);
      text = "model.couplings = file\nmodel.couplings_file = J.txt\n";
    }
    std::vector<std::string> overrides = {
        "campaign.seed=5",           all_corners() ? "disorder.realizations=20" : "disorder.realizations=8",
        "round.measurements=25",     "protocol.exchanges_per_measurement=2",
        "convergence.max_rounds=48", "backend.threads=1"};
    overrides.insert(overrides.end(), keys.begin(), keys.end());
    return load_config(write("a.cfg", text), overrides);
  }

  /// Rounds as a worker makes them, until every realization has been decided upon.
  Simulated simulate(const Config& config) {
    Simulated s{config, make_chain(config, 0), {}, {}, {}};
    const ChainObservables observables(s.chain);
    const std::unique_ptr<Backend> backend = make_backend(config.backend.options);
    const auto count = static_cast<std::size_t>(config.disorder.realizations.front());
    std::vector<ChainState> states;
    std::vector<RoundRecord> records(count);
    std::vector<std::vector<RoundRow>> rows(count);
    std::vector<std::uint64_t> trips(count, 0);
    for (std::uint32_t r = 0; r < count; ++r) {
      s.disorder.push_back(make_disorder(config, s.chain.lattice, r));
      states.push_back(initial_state(s.chain, r));
    }
    std::vector<std::uint32_t> open(count);
    for (std::uint32_t r = 0; r < count; ++r) open[r] = r;
    RoundControl control;
    for (std::uint32_t round = 0; !open.empty(); ++round) {
      std::vector<RoundTask> tasks;
      for (const std::uint32_t r : open) tasks.push_back({r, &s.disorder[r], &states[r], &records[r]});
      EXPECT_EQ(backend->run_round(s.chain, tasks, control), RoundOutcome::finished);
      std::vector<std::uint32_t> still_open;
      for (const std::uint32_t r : open) {
        for (const std::uint32_t n : records[r].round_trips) trips[r] += n;
        rows[r].push_back({round, records[r], 0.0, 0});
        if (!decision_due(config.convergence, round + 1)) {
          still_open.push_back(r);
          continue;
        }
        const Decision decision = decide(config.convergence, rows[r], s.chain.slots(), observables, trips[r]);
        if (decision.status == RealizationStatus::converged) {
          s.converged.push_back(average(rows[r], decision.judgement.equilibration_rounds, observables.size()));
          s.realizations.push_back(r);
          rows[r].clear();
        } else if (decision.status != RealizationStatus::failed) {
          still_open.push_back(r);
        }
      }
      open = std::move(still_open);
    }
    ++combinations_;
    if (s.converged.size() > 1) ++converged_;
    return s;
  }

  /// Whether f of the averages has the expected value, over the realizations that converged.
  ///
  /// f          (averages of a realization at the slot, its number) -> what vanishes on average
  /// rounding   of single precision
  template <class F>
  void expect_zero(const Simulated& s, int slot, const F& f, double rounding, const std::string& what) {
    const auto n = static_cast<double>(s.converged.size());
    if (n < 2.0) return;
    ++comparisons_;
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < s.converged.size(); ++i) {
      const double x = f(s.converged[i][static_cast<std::size_t>(slot)], s.realizations[i]);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / n;
    const double error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1.0));
    const double limit = student_quantile(n - 1.0, false_alarm / 2.0);
    EXPECT_LE(std::abs(mean), limit * error + rounding)
        << what << ", slot " << slot << ": " << mean << " +- " << error << " (" << n << " realizations)";
  }

  /// Whether an observable has its expected value in each realization [number].
  void expect_of_realizations(const Simulated& s, int slot, const std::string& observable,
                              const std::vector<double>& exact, double rounding, const std::string& what) {
    const std::size_t place = place_of(s.chain, observable);
    ASSERT_LT(place, static_cast<std::size_t>(BinLayout(s.chain).size())) << observable;
    expect_zero(
        s, slot, [&](const std::vector<double>& x, std::uint32_t r) { return x[place] - exact[r]; }, rounding,
        what + ": " + observable);
  }

  /// Energy and specific heat, beta^2 N <(e - exact)^2>.
  void expect_exact(const Simulated& s, int slot, const Exact& exact, double site_energy, const std::string& what) {
    const double N = static_cast<double>(s.chain.lattice.sites());
    const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]), e = exact.energy;
    expect_zero(
        s, slot, [e](const std::vector<double>& x, std::uint32_t) { return x[O::energy] - e; }, 1e-7 * site_energy,
        what + ": energy");
    const int squared =
        s.config.measures(BinQuantity::overlap_k) ? static_cast<int>(test::Tensors::energy_squared) : O::energy_squared;
    expect_zero(
        s, slot,
        [&](const std::vector<double>& x, std::uint32_t) {
          return beta * beta * N * (x[static_cast<std::size_t>(squared)] - 2.0 * e * x[O::energy] + e * e) - exact.heat;
        },
        1e-3 + 1e-15 * N * beta * beta * site_energy * site_energy, what + ": specific heat");
  }

  int combinations_ = 0, converged_ = 0, comparisons_ = 0;

 private:
  static Averages average(const std::vector<RoundRow>& rows, std::uint32_t first, int width) {
    const std::size_t quantities = static_cast<std::size_t>(width),
                      slots = rows.front().record.mean.size() / quantities;
    Averages averages(slots, std::vector<double>(quantities, 0.0));
    for (std::size_t r = first; r < rows.size(); ++r) {
      for (std::size_t i = 0; i < slots * quantities; ++i) {
        averages[i / quantities][i % quantities] += rows[r].record.mean[i] / static_cast<double>(rows.size() - first);
      }
    }
    return averages;
  }
};

}  // namespace glassworks::testing
