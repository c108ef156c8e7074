#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// The order in which open realizations are simulated; bookkeeping in memory, a function of their rows only. It makes a
/// campaign short in which few realizations are much harder than the others, and never touches their bits.
///
/// The possible rest of a realization is what it may still need: up to `doubt` times its expected rounds once it has
/// been judged, all up to max_rounds before.
///
/// 1. Critical realizations: those whose possible rest takes as long as the rest of the whole campaign takes all
///    workers; judged ones in batches small enough for them to end with it. For those that are not judged, `doubt`
///    times the mean of their size counts, which is at least min_rounds: a round of a small lattice, of which a device
///    needs many to be busy, takes about as long as one of a large lattice.
/// 2. Then the largest possible rest first [spin updates]: all are judged before the easy ones are finished.
/// 3. Then fewest rounds, then realization.
///
/// A realization with `suspect_failures` failures in a row gets a batch of its own: others are not to fail with it.
///
/// Cost: update O(log n), next O(sizes + batch), everything else O(sizes), with n realizations.
class WorkOrder {
 public:
  static constexpr std::uint32_t doubt = 2;  ///< expected rounds are good within a factor of two
  static constexpr int suspect_failures = 3;

  using BySize = std::function<std::size_t(int L)>;

  /// work_per_round  spin updates in a round of one realization, by L; of a course in a round of average length
  /// steps_left      of campaigns with a course, whose rounds grow with time: steps after r = 0, 1, ... rounds, by L
  /// of_word         realizations that take as long as one: those that share words of bits
  WorkOrder(const ConvergenceConfig& config, std::map<int, double> work_per_round,
            std::map<int, std::vector<std::uint64_t>> steps_left = {}, std::size_t of_word = 1);

  /// together: a member of a group that has not stopped (StoppingGroups), whose next look is that of the group: members
  /// follow each other, and batches hold whole groups where they can.
  enum class Stops { alone, together };
  /// Takes over a row as it is now. `free`: nobody holds it. Throws std::out_of_range for an L without work_per_round.
  void update(const RealizationRow& row, bool free, Stops stops = Stops::alone);

  struct Choice {
    int L = 0;
    std::vector<RealizationKey> keys;  ///< empty: nothing is free
  };
  /// What to take next: realizations of one size, at most limit(L) of them (but one in any case), and not more than an
  /// even share of the open ones unless they fit into width(L).
  ///
  /// workers  that share the campaign
  /// width    realizations of a round that takes the worker as long as that of one alone, 1 ... limit(L): 1 where the
  ///          time is proportional to the batch; if empty, limit(L), as on a device that the batch fills
  [[nodiscard]] Choice next(const BySize& limit, std::size_t workers, const BySize& width = {}) const;

  /// Whether a worker that holds these realizations of one size should give them back and ask again: what is free may
  /// need at least `urgency` times as much work, or there are free ones of their size to fill up a batch that has
  /// shrunk.
  static constexpr double urgency = 2.0;
  [[nodiscard]] bool prefers_others(const std::vector<RealizationRow>& held, bool shrunk) const;

  /// Most members of a batch of size L: an even share of the open ones among `workers`, but at least width, at most
  /// limit. Courses are all equally long: their batches, as few for each worker as the limit allows, end together, and
  /// divide no word of realizations.
  [[nodiscard]] std::size_t share(int L, std::size_t workers, std::size_t width, std::size_t limit) const;

  [[nodiscard]] std::size_t free() const;       ///< open realizations that nobody holds
  [[nodiscard]] std::size_t open(int L) const;  ///< not finished, free or held
  [[nodiscard]] std::size_t open() const;       ///< of all sizes
  /// Estimate [spin updates]. What has not been judged counts as the mean of what has, of the same L.
  [[nodiscard]] double remaining_work() const;
  /// Whether that is a lower bound yet: of some size nothing has been judged, so its realizations count as min_rounds,
  /// which few of them may do with.
  [[nodiscard]] bool remaining_is_least() const;

 private:
  enum class Stage { unjudged, judged, finished, left_out };
  /// What is known of a realization.
  struct Entry {
    Stage stage = Stage::unjudged;
    bool free = false, suspect = false;
    std::uint32_t rounds = 0;
    std::uint32_t needed = 0;  ///< expected rounds in all (judged), rounds (finished)
    Stops stops = Stops::alone;
  };
  /// Place of a free realization in a list of its size.
  struct Place {
    std::uint32_t rest = 0;  ///< possible [rounds]
    std::uint32_t rounds = 0, realization = 0;
    bool operator<(const Place& other) const;
  };
  struct FreeLists {
    std::set<Place> judged, unjudged;
  };
  struct Size {
    double work_per_round = 0.0;
    std::unordered_map<std::uint32_t, Entry> entries;
    FreeLists ordinary, suspects;
    std::int64_t open = 0, free = 0;
    std::int64_t unjudged = 0, unjudged_rounds = 0;  ///< and the rounds they have
    std::int64_t judged_rest = 0;                    ///< rounds expected of those that are open
    std::int64_t known = 0, known_rounds = 0;        ///< judged or finished, and all the rounds they need
    std::vector<std::uint64_t> steps_left;           ///< of a course, after r rounds; empty without one
    std::int64_t open_steps = 0;                     ///< of a course, of all that is open

    /// That one needs in all, as far as is known.
    [[nodiscard]] double rounds_of_unjudged(int min_rounds) const;
    [[nodiscard]] double remaining_rounds(int min_rounds) const;
    /// Of a course, after so many rounds.
    [[nodiscard]] std::int64_t steps_after(std::uint32_t rounds) const;
    /// Steps of a course in rounds of average length.
    [[nodiscard]] double average_rounds(std::int64_t steps) const;
    /// The possible rest of a realization in rounds, of a course in those of average length.
    [[nodiscard]] double rest_of(const Place& place) const;
  };
  class Source;

  [[nodiscard]] Entry entry(const RealizationRow& row, bool free, Stops stops) const;
  void end_with_group(std::vector<RealizationKey>& keys, Source& rest, std::size_t limit) const;
  [[nodiscard]] Place place(std::uint32_t realization, const Entry& entry) const;
  void count(Size& size, std::uint32_t realization, const Entry& entry, std::int64_t by) const;

  ConvergenceConfig config_;
  std::size_t of_word_;
  std::map<int, Size> sizes_;
};

}}  // namespace glassworks::scheduler
