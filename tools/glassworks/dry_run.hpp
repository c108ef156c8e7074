#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace tools {

/// Rounds that one size still needs, all its realizations together.
struct RoundsLeft {
  double least = 0.0;     ///< all reach min_rounds, and what is open then converges at once
  double expected = 0.0;  ///< by the estimates that are stored; `least` where there are none
  double most = 0.0;      ///< all open ones go on to max_rounds
  std::uint64_t judged =
      0;  ///< realizations of the size that have been judged, finished ones too; 0 where nothing is open
  /// Of a course, whose rounds grow with time: as many rounds of average length take as long.
  std::optional<double> average = {};
};

/// size_index  counts in model.L
/// rows    of the size; the realizations that are missing among them have not begun
/// pilots  rounds of pilots that adapt the ladder first
[[nodiscard]] RoundsLeft rounds_left(const Config& config, std::size_t size_index,
                                     const std::vector<RealizationRow>& rows, double pilots);

/// Bytes that a round of one realization adds to the database: its arrays, and a tenth for the row and its pages.
[[nodiscard]] double database_bytes_per_round(const Chain& chain);

/// What a campaign takes, and what this machine has [bytes, s].
struct ResourceNeeds {
  double checkpoints = 0.0, database_least = 0.0, database_most = 0.0;  ///< that are still to be written
  std::optional<double> disk_free = {};                                 ///< none: not known
  double memory = 0.0, memory_of_machine = 0.0;
  std::optional<double> memory_free = {};  ///< now; none: not known
  double seconds_least = 0.0;
};

/// A sentence for the disk, the memory and the time, where they are too small or the time is a year and more; empty
/// where all will do.
[[nodiscard]] std::string resource_warnings(const ResourceNeeds& needs);

/// Shows what a run would do and what it would take, and changes nothing: realizations, ladders, memory, disk, and the
/// time that is left, from short timings on the backend of the configuration. Throws InputError if the campaign that
/// is there has another configuration.
void print_dry_run(const Config& config, std::vector<WorkerBackend> backends);

}}  // namespace glassworks::tools
