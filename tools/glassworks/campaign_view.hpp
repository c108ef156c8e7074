#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/open_campaign.hpp"

namespace glassworks { inline namespace tools {

/// Order statistics of some values; all 0 without values.
struct Quantiles {
  double least = 0.0, quarter = 0.0, median = 0.0, three_quarters = 0.0, largest = 0.0;
};
/// By nearest rank: the value at index floor(p n) of the n sorted ones.
[[nodiscard]] Quantiles quantiles_of(std::vector<double> values);

/// Exchange acceptance over the pairs of a ladder.
struct AcceptanceRange {
  double smallest = 0.0, largest = 0.0;
  double T_of_smallest = 0.0;  ///< lower temperature of that pair
  int realizations = 0;        ///< whose latest rounds were read
};

/// How far the realizations of a size are on their course [sweeps].
struct CourseState {
  std::uint64_t end = 0;             ///< last measurement time
  Quantiles reached;                 ///< time at which the last committed round of a realization ends
  double swept = 0.0, sweeps = 0.0;  ///< of all realizations: done, and of their whole courses
};

/// Progress of the realizations of one size.
struct SizeState {
  int L = 0;
  std::uint64_t realizations = 0;
  std::map<RealizationStatus, std::uint64_t> counts;
  std::uint64_t rounds = 0, round_trips = 0;
  Quantiles rounds_of_one;  ///< committed rounds per realization
  Quantiles tau;            ///< [measurements] of the judged ones
  std::uint64_t judged = 0;
  double updates = 0.0;             ///< spin updates in all committed rounds
  double remaining_rounds = 0.0;    ///< estimate
  bool remaining_is_least = false;  ///< nothing has been judged: it is a lower bound
  double remaining_updates = 0.0;   ///< the same in spin updates
  std::vector<double> temperatures;
  std::optional<AcceptanceRange> acceptance;  ///< none before the first round
  bool adapting = false;
  int ladder_stages = 0;                      ///< stored
  std::optional<CourseState> course;          ///< none in campaigns that go to equilibrium
  std::vector<std::string> observables = {};  ///< names, in the order of the bins
  /// Latest rounds of the first realizations that have any, by realization; only of LookDepth::figures.
  std::vector<std::pair<RealizationKey, RoundRow>> latest = {};

  [[nodiscard]] std::uint64_t count(RealizationStatus status) const;
  [[nodiscard]] std::uint64_t finished() const;
};

/// alive: its lease runs and, if it is of this host, its process exists; silent: its lease has run out; ended: there is
/// no such process on this host any more.
enum class WorkerLiveness { alive, silent, ended };
[[nodiscard]] const char* to_string(WorkerLiveness signs);

struct WorkerState {
  WorkerRow row;
  WorkerLiveness signs = WorkerLiveness::alive;
  double silent_seconds = 0.0;  ///< since its last heartbeat
  double seconds = 0.0;         ///< since it started
  double updates_per_ns = 0.0;  ///< committed, mean since it started
};

/// State of a campaign, as `status` and `watch` show it.
struct CampaignState {
  std::vector<SizeState> sizes;
  std::vector<WorkerState> workers;
  std::vector<std::string> amendments;
  int ladder_stages_wanted = 0;            ///< of each size that is adapted
  std::optional<PublishedCopy> copy = {};  ///< what was read, if another machine works on the campaign
  Config config = {};

  [[nodiscard]] std::uint64_t realizations() const;
  [[nodiscard]] std::uint64_t count(RealizationStatus status) const;
  [[nodiscard]] bool finished() const;
  /// Whether its realizations are histories in time.
  [[nodiscard]] bool has_course() const;
  /// Finished part of the campaign, 0 ... 1: of its realizations, with a course of its sweeps.
  [[nodiscard]] double done() const;
  [[nodiscard]] std::size_t alive() const;
  [[nodiscard]] double remaining_updates() const;
  /// Whether that is a lower bound: of some size it is.
  [[nodiscard]] bool remaining_is_least() const;
  /// Of the workers that are alive [spin updates/ns].
  [[nodiscard]] double updates_per_ns() const;
  /// At this rate [spin updates/ns]; negative where it is 0 and something is left.
  [[nodiscard]] double remaining_seconds(double updates_per_ns) const;
};

/// How much a look reads: counts and states, or also the rounds behind figures.
enum class LookDepth { state, figures };

/// Looks at a campaign from outside: reads its rows once, then what has changed, and never writes. While another
/// machine works on it, it reads the copy which that one publishes.
class CampaignView {
 public:
  explicit CampaignView(std::filesystem::path directory, LookDepth depth = LookDepth::state);

  /// Throws InputError if there is no campaign, std::runtime_error for a damaged row.
  [[nodiscard]] CampaignState look();

  /// Open realizations that are expected to need the most rounds, then the longest tau: at most n, the hardest first.
  /// As of the last look.
  [[nodiscard]] std::vector<RealizationRow> hardest(std::size_t n) const;

 private:
  /// Realizations of a size whose latest rounds figures show, and how many rounds of a size a look reads at most: a
  /// look takes milliseconds, and the figures follow within a few looks.
  static constexpr std::size_t figure_sample = 48, rounds_per_look = 12;

  /// A round that was read.
  struct KnownRound {
    std::uint32_t rounds = 0;  ///< of the realization then
    RoundRow row;
  };

  void read_latest(const Database& database, int L, std::size_t sample);
  [[nodiscard]] SizeState size_state(const Database& database, const Config& config, const SizeRow& size) const;
  [[nodiscard]] std::optional<AcceptanceRange> acceptance(const Database& database, const SizeRow& size) const;

  std::filesystem::path directory_;
  LookDepth depth_;
  std::int64_t sequence_ = 0;
  std::map<RealizationKey, KnownRound> latest_;
  std::map<int, std::map<std::uint32_t, RealizationRow>> rows_;  ///< [L][realization]
};

}}  // namespace glassworks::tools
