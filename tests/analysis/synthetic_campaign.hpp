#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/config/config.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/round_record.hpp"
#include "tests/bin_places.hpp"

namespace glassworks::testing {

/// A campaign drawn from a model with known answers, written through the database as the scheduler writes.
///
/// The energy above the ground state, x = E - N e_0, of every copy has the density x^(k-1) exp(-beta x) with k = c N:
/// mean k T, variance k T^2 at every T, so reweighting between temperatures is exact. t = x/k and t2 = x^2/(k (k+1))
/// have the averages T and T^2, and every other quantity is a polynomial in them with a factor g of the realization,
/// mean 1, and one of the measurement, mean 1:
///
///     xi_L/L = R_c sqrt(1 - u + u^2/2),  u = a (T - T_c) L^(1/nu),  chi(k_min) = L^(2 - eta)
///     bond energy = e_0 + c T, link overlap = q_s + T (e_0 + c T)/3: the identity holds
struct SyntheticModel {
  std::vector<int> L = {4, 6, 8};
  std::vector<double> temperatures;  ///< of every size, ascending
  int realizations = 32, first = 0, rounds = 8, measurements = 8, samples = 5;
  std::string text = {};  ///< further lines of the configuration
  double T_c = 0.25, nu = 1.25, eta = -0.3;
  std::uint64_t seed = 1;

  static constexpr double e_0 = -1.8, c = 1.0, q_s = 0.6, R_c = 0.3, a = 0.25;

  [[nodiscard]] double chi_kmin(int size) const { return std::pow(size, 2.0 - eta); }
  /// (2 sin(pi/L) L xi_L/L)^2 + 1 = chi(0)/chi(k_min), from the averages of t and t2.
  [[nodiscard]] double ratio(int size, double t, double t2) const {
    const double A = a * std::pow(size, 1.0 / nu);
    const double u = A * (t - T_c), u2 = A * A * (t2 - 2.0 * T_c * t + T_c * T_c);
    const double s = 2.0 * std::sin(std::numbers::pi / size) * size * R_c;
    return 1.0 + s * s * (1.0 - u + 0.5 * u2);
  }
  [[nodiscard]] double xi_over_L(int size, double T) const {
    return std::sqrt(ratio(size, T, T * T) - 1.0) / (2.0 * std::sin(std::numbers::pi / size) * size);
  }
};

/// Draws the rounds of one realization.
class SyntheticHistory {
 public:
  SyntheticHistory(const SyntheticModel& model, int L, std::uint32_t realization)
      : model_(model), L_(L), k_(SyntheticModel::c * std::pow(L, 3)) {
    std::seed_seq seed{static_cast<std::uint32_t>(model.seed), static_cast<std::uint32_t>(L), realization};
    random_.seed(seed);
    factor_ = noise(0.3);
  }

  [[nodiscard]] RoundRecord next() {
    const auto slots = model_.temperatures.size();
    RoundRecord record;
    record.measurements = model_.measurements;
    record.samples_per_slot = model_.samples;
    std::vector<double> bin(static_cast<std::size_t>(layout_.size())), none(bin.size());
    for (const double T : model_.temperatures) {
      std::vector<double> sum(bin.size());
      for (int m = 0; m < model_.measurements; ++m) {
        measure(T, bin);
        for (std::size_t i = 0; i < bin.size(); ++i) sum[i] += bin[i];
        if (!is_sampled(m, model_.measurements, model_.samples)) continue;
        for (int q = 0; q < samples_.sample_size(); ++q)
          record.samples.push_back(samples_.average(q, none.data(), bin.data()));
      }
      for (const double x : sum) record.mean.push_back(x / model_.measurements);
    }
    const auto n = static_cast<std::uint64_t>(20 * model_.measurements);
    record.exchange_attempts.assign(slots - 1, n);
    record.exchange_accepted.assign(slots - 1, 3 * n / 10);
    record.walk_up.assign(slots, static_cast<std::uint32_t>(model_.measurements));
    record.walk_down.assign(slots, static_cast<std::uint32_t>(model_.measurements));
    record.walk_mean.assign(2 * slots * walk_functions, 0.0);
    record.round_trips.assign(2 * slots, 1);
    return record;
  }

 private:
  /// A factor of mean 1.
  double noise(double width) { return std::exp(width * normal_(random_) - 0.5 * width * width); }

  /// All observables of one measurement.
  void measure(double T, std::vector<double>& bin) {
    using O = test::Tensors;
    const auto set = [&](int observable, double value) { bin[static_cast<std::size_t>(observable)] = value; };
    std::gamma_distribution<double> gamma(k_, T);
    double t = 0.0, t2 = 0.0, e = 0.0, ee = 0.0;
    for (int copy = 0; copy < 2; ++copy) {
      const double x = gamma(random_), energy = SyntheticModel::e_0 + SyntheticModel::c * x / k_;
      set(layout_.at(BinQuantity::energy_of_copy, copy), energy);
      e += 0.5 * energy;
      ee += 0.5 * energy * energy;
      t += 0.5 * x / k_;
      t2 += 0.5 * x * x / (k_ * (k_ + 1.0));
    }
    const double sites = k_ / SyntheticModel::c, kmin = model_.chi_kmin(L_) / sites * factor_;
    const double zero = kmin * model_.ratio(L_, t, t2) * noise(0.2), chiral = 0.1 * zero;
    set(O::energy, e);
    set(O::energy_squared, ee);
    set(O::bond_energy, e);
    set(O::q_s, SyntheticModel::q_s);
    set(O::link_overlap, SyntheticModel::q_s + (SyntheticModel::e_0 * t + SyntheticModel::c * t2) / 3.0);
    set(O::overlap, std::sqrt(zero / 3.0) * (normal_(random_) < 0.0 ? -1.0 : 1.0));
    set(O::overlap_2, zero);
    set(O::overlap_4, zero * zero);
    set(O::magnetization_2, 1.0 / sites);
    set(O::magnetization_4, 5.0 / (3.0 * sites * sites));
    set(O::chiral_4, chiral * chiral);
    set(O::chiral_zero, chiral);
    for (int i = O::chiral_kmin_parallel; i <= O::chiral_111; ++i) set(i, 0.1 * kmin);
    set(layout_.at(BinQuantity::overlap_k, 0), zero);
    for (int mode = 1; mode < Modes(layout_.dim()).size(); ++mode)
      set(layout_.at(BinQuantity::overlap_k, mode), kmin * noise(0.2));
  }

  const SyntheticModel& model_;
  int L_;
  double k_;
  BinLayout layout_{SpinModel{}, 3, 2};
  BinLayout samples_{SpinModel{}, 3, 2};
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double factor_ = 1.0;
};

/// The configuration of a model, as text.
[[nodiscard]] inline std::string synthetic_config(const SyntheticModel& model) {
  std::string L, T;
  for (const int size : model.L) L += fmt::format("{}{}", L.empty() ? "" : ", ", size);
  for (const double t : model.temperatures) T += fmt::format("{}{}", T.empty() ? "" : ", ", t);
  return fmt::format(
      "model.L = {}\ndisorder.realizations = {}\ndisorder.first = {}\nladder.kind = list\nladder.temperatures = {}\n"
      "round.measurements = {}\nround.samples = {}\nconvergence.min_rounds = {}\n{}",
      L, model.realizations, model.first, T, model.measurements, model.samples, std::max(model.rounds, 1), model.text);
}

/// Writes all rounds of a model; every realization has converged. `file`: of the database, new.
inline void write_synthetic_campaign(const std::filesystem::path& file, const SyntheticModel& model) {
  constexpr std::int64_t now = 1, never = std::int64_t{1} << 60;
  const std::string text = canonical_text(parse_config(synthetic_config(model)));
  std::vector<SizeRow> sizes;
  const BinLayout layout(SpinModel{}, 3, 2);
  for (const int L : model.L) {
    SizeRow& size = sizes.emplace_back();
    size.L = L;
    size.temperatures = model.temperatures;
    for (int i = 0; i < layout.size(); ++i) size.observables.push_back(layout.name(i));
    if (model.samples > 0) size.samples = BinLayout(SpinModel{}, 3, 2).sample_names();
  }
  Database database = Database::create(file, text, sizes, model.realizations);
  const std::int64_t worker = database.add_worker(
      {.host = "host", .backend = "synthetic", .pid = 1, .started = now, .heartbeat = now, .expires = never});
  const std::vector<RealizationRow> rows = database.realizations();
  constexpr std::size_t batch = 64;
  for (std::size_t first = 0; first < rows.size(); first += batch) {
    std::vector<RealizationRow> held(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                     rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch, rows.size())));
    std::vector<SyntheticHistory> histories;
    for (const RealizationRow& row : held) histories.emplace_back(model, row.key.L, row.key.realization);
    for (int r = 0; r < model.rounds; ++r) {
      held = database.lease(worker, held);
      std::vector<RoundCommit> commits;
      for (std::size_t i = 0; i < held.size(); ++i) {
        RoundCommit& commit = commits.emplace_back();
        commit.key = held[i].key;
        commit.attempt = held[i].attempt;
        commit.round = static_cast<std::uint32_t>(r);
        commit.record = histories[i].next();
        commit.state_digest = std::string(32, '0');
        commit.checkpoint = checkpoint_name(commit.key, commit.round + 1, commit.state_digest);
        commit.round_trips = static_cast<std::uint64_t>(r + 1) * 2 * model.temperatures.size();
        commit.status = r + 1 == model.rounds ? RealizationStatus::converged : RealizationStatus::equilibrating;
        commit.judgement = {.tau = 2.0,
                            .equilibration_rounds = static_cast<std::uint32_t>(model.rounds / 8),
                            .expected_rounds = static_cast<std::uint32_t>(model.rounds)};
        commit.seconds = 1.0;
        held[i].rounds = commit.round + 1;
      }
      database.commit(worker, commits, {"test", "test", "test", "none", "host"}, now);
    }
  }
}

}  // namespace glassworks::testing
