#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "analysis/campaign/main_sections.hpp"
#include "analysis/campaign/verdict_words.hpp"
#include "analysis/report/label.hpp"
#include "analysis/scaling/worst_case.hpp"
#include "tests/analysis/fake_campaign.hpp"
#include "tests/analysis/field/curve_fixture.hpp"
#include "tests/analysis/multispin_campaign.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

/// Verdicts of prepared campaigns in words, compared with a file. With GLASSWORKS_WRITE_GOLDEN in the environment the
/// file is written instead: read the difference before it is committed.
namespace glassworks { namespace {

constexpr const char* golden_file = GLASSWORKS_SOURCE_DIR "/tests/analysis/campaign/verdicts.txt";

/// How the realizations of one size came out.
struct PreparedSize {
  int L = 8;
  int realizations = 40;
  std::uint32_t rounds = 16;
  double drift = 0.0;     ///< of the energy in the second quarter of the history
  int failed = 0;         ///< realizations at the maximum of rounds, the first ones
  int few_trips = 0;      ///< of these, with too few round trips
  int running = 0;        ///< still running, the last ones
  double tau = 4.0;       ///< of the converged [measurements]; rounds have 10
  double tau_failed = 0;  ///< of those that failed; 0: the same
  int slots = 3;
  bool frozen = false;  ///< nothing moves at the coldest slot
  double runs = 0.0;    ///< scatter between independent runs
};

class Preparation {
 public:
  explicit Preparation(Config config = testing::fake_config()) { analysis_.averages.config = std::move(config); }

  Preparation& size(const PreparedSize& p) {
    const Config& config = analysis_.averages.config;
    const Columns columns(testing::stored_names(), 3);
    const RunBlocking blocking = runs_agree_in_equilibrium(config) ? RunBlocking{1, 0.2} : RunBlocking{};
    std::vector<RealizationSummary> summaries;
    std::vector<RealizationRow> rows;
    for (int r = 0; r < p.realizations; ++r) {
      std::vector<RoundRow> rounds;
      const double run = p.runs * gauss();
      for (std::uint32_t n = 0; n < p.rounds; ++n) {
        const bool early = n >= p.rounds / 4 && n < p.rounds / 2;
        rounds.push_back(testing::fake_round(n, p.slots, [&](int slot, const std::string& name) {
          const bool moves = !(p.frozen && slot == 0);
          if (name == "energy")
            return -1.5 + 0.1 * slot + run + (moves ? 0.01 * gauss() : 0.0) + (early ? p.drift : 0.0);
          if (name == "overlap_k(0,0,0)") return 0.3 + (moves ? 0.01 * gauss() : 0.0);
          if (name == "bond_energy") return 0.01 * gauss();
          return 0.0;
        }));
      }
      const RealizationKey key{p.L, static_cast<std::uint32_t>(r)};
      summaries.push_back(
          summarize(key, rounds, columns, static_cast<std::size_t>(p.slots), p.rounds / 8, blocking.rounds));
      rows.push_back(row(p, key, r));
    }
    SizeResult& result = analysis_.averages.sizes.emplace_back();
    result.L = p.L;
    for (int slot = 0; slot < p.slots; ++slot) result.temperatures.push_back(0.2 + 0.1 * slot);
    count_states(rows, config.convergence.max_rounds, result);
    result.counts.unconverged_used = p.failed + p.running;
    const bool walk = p.slots > 1 && config.protocol.exchange != ExchangeSchedule::none;
    result.unmet =
        unmet_criteria(config.convergence, rows, 10, walk ? Slots::exchange_replicas : Slots::are_independent);
    reduce_size(config, columns, summaries, result, blocking);
    return *this;
  }

  Preparation& sizes(const std::vector<int>& all, PreparedSize p = {}) {
    for (const int L : all) {
      p.L = L;
      size(p);
    }
    return *this;
  }

  Preparation& scaling(const SyntheticCampaign& curves, std::uint64_t seed,
                       const std::vector<ConvergenceEffects>& effects = {}) {
    ScalingOptions options;
    options.collapse = false;
    options.most_points = 8;
    analysis_.scaling = analyze_scaling(curves.curves(seed), options);
    add_worst_cases(analysis_.scaling, effects);
    add_doubts(analysis_.scaling, analysis_.averages);
    return *this;
  }

  OfflineAnalysis& analysis() { return analysis_; }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const SizeResult& size : analysis_.averages.sizes) {
      text += fmt::format("  L = {}: {}.\n", size.L, size.verdict.lines.front());
    }
    for (const std::vector<std::string>& row : equilibration_table(analysis_.averages).rows) {
      text += fmt::format("  | {}\n", fmt::join(row, " | "));
    }
    for (const std::string& sentence : verdict_words(analysis_)) text += plain_label(sentence) + "\n";
    for (const Item& item : critical_section(analysis_.scaling).items) {
      for (const std::vector<std::string>& row : std::get<Table>(item).rows) {
        text += "  | " + plain_label(fmt::format("{}", fmt::join(row, " | "))) + "\n";
      }
    }
    return text;
  }

 private:
  static RealizationRow row(const PreparedSize& p, RealizationKey key, int r) {
    RealizationRow row;
    row.key = key;
    row.status = RealizationStatus::converged;
    row.rounds = p.rounds;
    row.round_trips = 100;
    row.judgement = {.tau = p.tau, .equilibration_rounds = p.rounds / 8, .expected_rounds = p.rounds};
    if (r < p.failed) {
      row.status = RealizationStatus::failed;
      if (p.tau_failed > 0.0) row.judgement.tau = p.tau_failed;
      if (r < p.few_trips) row.round_trips = 3;
    } else if (r >= p.realizations - p.running) {
      row.status = RealizationStatus::equilibrating;
    }
    return row;
  }

  /// Approximately N(0,1): the same on every platform.
  double gauss() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine_() >> 11) * 0x1p-53;
    return sum;
  }

  std::mt19937_64 engine_{1};
  OfflineAnalysis analysis_;
};

/// Curves that cross at T = 0.3 with nu = 1.25, up to a correction `amplitude` L^{-1}.
SyntheticCampaign prepared_transition(std::vector<int> sizes, double amplitude = 0.0, double from = 0.15,
                                      double to = 0.6) {
  SyntheticCampaign result;
  result.sizes = std::move(sizes);
  result.temperatures = equidistant(from, to, 12);
  result.mean = [amplitude](double T, int L) {
    return 0.5 * std::exp(-0.5 * (T - 0.3) * std::pow(L, 0.8)) + amplitude / L;
  };
  result.realizations = 120;
  result.noise = 0.1;
  result.resampling.samples = 20;
  return result;
}

/// xi_L/L of one size with unconverged realizations that may move it by so much.
ConvergenceEffects planted_effects(int L, double by) {
  ConvergenceEffects size{.L = L, .used = 40, .unconverged = {}, .effects = {}};
  ConvergenceEffect& effect = size.effects.emplace_back();
  effect.observable = "xi_over_L";
  effect.L = L;
  for (const double T : {0.15, 0.6}) {
    effect.temperatures.push_back(T);
    effect.all.push_back({0.4, 0.01, 40});
    effect.converged.push_back({0.4 - 0.2 * by, 0.01, 38});
    effect.lowest.push_back(0.4 - by);
    effect.highest.push_back(0.4 + 2.0 * by);
  }
  return size;
}

Config config_with(const std::string& text) {
  return parse_config(
      "model.L = 8\ndisorder.realizations = 40\nladder.kind = list\nladder.temperatures = 0.2, 0.3, 0.4\n" + text);
}

std::string field_verdict() {
  Preparation p(config_with(
      "model.field = sphere\nmodel.field_strength = 0.1\nreplicas.copies = 4\nconvergence.left_out = 0.8\n"));
  p.sizes({6, 8});
  std::mt19937_64 generator(3);
  const std::vector<double> T = {0.1, 0.2, 0.3, 0.4};
  const auto curve = [&](int L) {
    Curve c = testing::noisy_curve(
        L, T, 60, 0.02, [L](double t) { return 0.5 - 0.05 * L * (t - 0.05); }, generator);
    c.observable = "xi_field_over_L";
    return c;
  };
  Curve small = curve(6), large = curve(8);
  p.analysis().field_comparisons.push_back(compare_sizes(small, large));
  small.observable = large.observable = "r_12_field";  // of which the verdict is silent
  p.analysis().field_comparisons.push_back(compare_sizes(small, large));
  small.observable = large.observable = "xi_chiral_perp_field_over_L";
  p.analysis().field_comparisons.push_back(compare_sizes(small, large));
  return p.text();
}

std::string multispin_verdict() {
  const testing::MultispinCampaign campaign(1280, 0.5);
  OfflineAnalysis analysis;
  analysis.averages = analyze(campaign.database());
  return fmt::format("  L = 4: {}.\n{}", analysis.averages.sizes.front().verdict.lines.front(),
                     fmt::join(verdict_words(analysis), "\n")) +
         "\n";
}

std::string all_verdicts() {
  const std::vector<int> four = {4, 6, 8, 12};
  std::string text;
  const auto add = [&](const char* what, const std::string& verdict) {
    text += fmt::format("{}== {}\n{}", text.empty() ? "" : "\n", what, verdict);
  };
  add("good: four sizes, all converged", Preparation().sizes(four).scaling(prepared_transition(four), 1).text());
  add("a few unconverged at two sizes",
      Preparation()
          .sizes({4, 6})
          .size({.L = 8, .failed = 2, .few_trips = 1})
          .size({.L = 12, .failed = 5, .tau_failed = 40.0})
          .scaling(prepared_transition(four), 1, {planted_effects(8, 0.01), planted_effects(12, 0.02)})
          .text());
  add("unconverged realizations could remove the crossing",
      Preparation()
          .sizes({4, 6, 8})
          .size({.L = 12, .failed = 18, .tau_failed = 40.0})
          .scaling(prepared_transition(four), 1, {planted_effects(12, 0.5)})
          .text());
  add("too short: three rounds", Preparation().sizes({4, 6}, {.rounds = 3, .tau = 1.0}).text());
  add("all failed", Preparation()
                        .sizes(four, {.failed = 40, .few_trips = 10, .tau_failed = 30.0})
                        .scaling(prepared_transition(four), 1)
                        .text());
  add("more than half failed, with 20 tau missing",
      Preparation().size({.L = 8, .failed = 30, .tau_failed = 10.0}).text());
  add("tau not resolved though criteria are off", Preparation().sizes({4, 6}, {.tau = 80.0}).text());
  add("one temperature", Preparation().size({.slots = 1}).text());
  add("three sizes", Preparation().sizes({4, 6, 8}).scaling(prepared_transition({4, 6, 8}), 1).text());
  add("T_c moves with the smallest size",
      Preparation().sizes({4, 6, 8, 12, 16}).scaling(prepared_transition({4, 6, 8, 12, 16}, 0.10), 1).text());
  add("no crossing", Preparation().sizes(four).scaling(prepared_transition(four, 0.0, 0.6, 1.2), 1).text());
  add("one size", Preparation().sizes({8}).scaling(prepared_transition({8}), 1).text());
  add("ferromagnet, runs agree",
      Preparation(config_with("model.couplings = ferromagnet\n")).size({.realizations = 16}).text());
  add("ferromagnet, runs disagree",
      Preparation(config_with("model.couplings = ferromagnet\n")).size({.realizations = 16, .runs = 0.1}).text());
  add("in a field", field_verdict());
  Config no_exchange = testing::fake_config();
  no_exchange.protocol.exchange = ExchangeSchedule::none;
  add("no exchanges, frozen at the coldest temperature",
      Preparation(std::move(no_exchange)).size({.frozen = true}).text());
  add("drift", Preparation().size({.L = 8, .drift = 0.02}).sizes({12}).text());
  add("still running", Preparation().size({.realizations = 40, .running = 12}).text());
  add("five realizations", Preparation().size({.realizations = 5}).text());
  add("multi-spin coding, correlated realizations", multispin_verdict());
  return text;
}

TEST(VerdictWords, OfPreparedCampaigns) {
  const std::string text = all_verdicts();
  if (std::getenv("GLASSWORKS_WRITE_GOLDEN") != nullptr) {
    std::ofstream(golden_file) << text;
    GTEST_SKIP() << "wrote " << golden_file;
  }
  std::ostringstream golden;
  golden << std::ifstream(golden_file).rdbuf();
  EXPECT_EQ(text, golden.str()) << "Set GLASSWORKS_WRITE_GOLDEN to write it anew.";
}

}}  // namespace glassworks
