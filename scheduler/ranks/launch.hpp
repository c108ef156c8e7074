#pragma once

#include <map>
#include <string>

namespace glassworks { inline namespace scheduler {

/// Environment variables of a process.
using Environment = std::map<std::string, std::string>;

[[nodiscard]] Environment this_environment();

/// What started this process.
struct Launch {
  int ranks = 1;  ///< 1: an ordinary run of one process, for which MPI is not started
  int rank = 0;
  std::string launcher;  ///< for people: "mpirun", "srun"; empty for an ordinary run
  /// Why ranks that were meant to work together cannot: one sentence for people; empty if all is well. Rank 0 shows it;
  /// the others end with the same status in silence.
  std::string problem;
};

/// Reads it off the environment alone, before MPI is started. A process that srun or mpirun has started alone, and one
/// that runs inside a job without a launcher of its own, is an ordinary run.
///
/// mpi_library  of this build; empty: it has none
[[nodiscard]] Launch launch_of(const Environment& environment, const std::string& mpi_library);

/// Why the ranks that MPI has after its start are not those that were launched: one sentence for people; empty if they
/// are.
[[nodiscard]] std::string world_problem(const Launch& launch, int world_size);

}}  // namespace glassworks::scheduler
