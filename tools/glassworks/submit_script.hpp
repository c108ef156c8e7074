#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glassworks { inline namespace tools {

/// Complete settings of `glassworks submit`: a Slurm job that works on one campaign.
struct JobSettings {
  std::filesystem::path program, config, directory;  ///< absolute
  std::filesystem::path script;                      ///< absolute; the output of the job comes beside it
  std::vector<std::string> keys;                     ///< overrides of the configuration, "section.key=value"
  int nodes = 1;
  int gpus_per_node = 0;
  int ranks_per_node = 1;
  int cpus_per_rank = 0;  ///< 0: the job has its nodes to itself, and the ranks of a node share all their processors
  long time = 0;          ///< [s]
  std::string partition, account;  ///< empty: those of the site
  std::string mpi = "pmix";        ///< what srun starts the ranks with
  std::vector<std::string> sbatch_options;
};

/// Seconds before the end of a job of `time` [s] at which the run is to have ended: a twentieth, 20 to 120.
[[nodiscard]] long end_margin(long time);

/// Seconds before the end of a job of `time` [s] at which Slurm sends the signal that stops a run which goes on all the
/// same. Slurm may send it up to 60 s early: where the margin is that long, it does not come before it.
[[nodiscard]] long signal_lead(long time);

/// A word of a shell command that stands for exactly `text`.
[[nodiscard]] std::string shell_quoted(const std::string& text);

/// A value in a line `#SBATCH --option=value` that stands for exactly `text`.
[[nodiscard]] std::string sbatch_quoted(const std::string& text);

/// The script of the job, for sbatch. It runs the campaign and requeues it, or submits it again, until the
/// campaign is finished; scheduler/CLUSTERS.md describes each case. Throws InputError for a text that cannot be in it.
[[nodiscard]] std::string submit_script(const JobSettings& settings);

}}  // namespace glassworks::tools
