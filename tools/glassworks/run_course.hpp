#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/work/worker_pool.hpp"
#include "tools/glassworks/arguments.hpp"
#include "tools/glassworks/new_start.hpp"

namespace glassworks { inline namespace tools {

/// The request of one call of `glassworks run`.
struct RunRequest {
  ParsedArguments arguments;
  std::optional<double> limit;  ///< [s]
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

/// With the time limit of the command line, which counts from `start`.
[[nodiscard]] RunRequest request_of(const ParsedArguments& parsed, std::chrono::steady_clock::time_point start);

/// Other ranks that work on the campaign for this process, which coordinates them.
class OtherRanks {
 public:
  virtual ~OtherRanks() = default;

  /// Who they are, one sentence.
  [[nodiscard]] virtual std::string description() const = 0;
  /// Text that names this run as the holder of the campaign: "a run over 4 ranks".
  [[nodiscard]] virtual std::string holder() const = 0;
  /// Before the run: how this process shares its machine with the others, and whether it simulates too.
  virtual void prepare(WorkerPool& pool) = 0;
  /// Gives the others work until there is no more. say: prints a line
  virtual void serve(BatchQueue& queue, const Chains& chains, const Campaign& campaign,
                     const std::function<void(const std::string&)>& say) = 0;
  /// After the run: those of the workers of the others.
  [[nodiscard]] virtual TimeShares times() const = 0;
  [[nodiscard]] virtual std::size_t workers() const = 0;
  [[nodiscard]] virtual bool simulates() const = 0;  ///< whether this process does
};

/// Prints a note for each given value that is older than a raise; the raised value stays.
void print_kept(const std::vector<ConfigChange>& kept);

/// Raises the limit of open files: each worker opens all checkpoints of a batch at once.
void allow_many_files();

/// Control of running rounds, which the first stop signal sets.
[[nodiscard]] RoundControl& run_control();
/// SIGINT and SIGTERM stop the run; a second one ends the program at once.
void stop_on_signals();
/// The run stops as by a signal: one came to another rank.
void stop_by_signal();

/// Opens the campaign of a configuration, runs it until it is finished or a stop, and prints its course. Returns the
/// exit status.
///
/// watch  if given, failures that only follow from that of another device are not shown
int run_course(const Config& config, std::vector<WorkerBackend> backends, const RunRequest& request,
               OtherRanks* other_ranks = nullptr, const DeviceWatch* watch = nullptr);

/// The last line of a run that a signal or its time limit ended before it began; returns the status.
int print_stopped_early();

}}  // namespace glassworks::tools
