#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/durable_file.hpp"
#include "base/paths.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/given_config.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/sbatch.hpp"
#include "tools/glassworks/submit_script.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

namespace fs = std::filesystem;

/// Default number of processors of a rank with a GPU: for its two workers and the threads that write checkpoints.
constexpr int cpus_of_gpu_rank = 4;

int positive(const ParsedArguments& parsed, const std::string& name, int otherwise) {
  const int value = whole_number(parsed, name).value_or(otherwise);
  if (value > 0 || !parsed.has(name)) return value;
  throw InputError(InputFault::out_of_range, fmt::format("--{}", name),
                   fmt::format("--{} = 0 cannot be used (the job needs at least one). Give more.", name));
}

std::string text_of(const ParsedArguments& parsed, const std::string& name, const std::string& otherwise) {
  return parsed.has(name) ? parsed.options.at(name) : otherwise;
}

/// Length of the job [s].
long job_time(const std::string& text) {
  const bool number = text.find_first_not_of("0123456789.") == text.npos;
  if (number && !text.empty()) {
    throw InputError(InputFault::malformed, "--time",
                     fmt::format("--time = '{}' cannot be used (it has no unit, and Slurm would take minutes). Write "
                                 "{}m, or {}s for seconds.",
                                 text, text, text));
  }
  const double seconds = parse_duration("time", text);
  if (seconds < 60.0) {
    throw InputError(
        InputFault::out_of_range, "--time",
        fmt::format("--time = '{}' cannot be used (Slurm counts in minutes). Give at least a minute.", text));
  }
  return std::lround(std::ceil(seconds));
}

/// The program that runs now: the one that the job starts.
fs::path this_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  throw InputError(InputFault::unsupported, "/proc/self/exe",
                   fmt::format("the job was not submitted (the place of this program is not known: {}). Mount /proc.",
                               error.message()));
}

void check_share(const JobSettings& job, const Config& config) {
  const BackendKind kind = config.backend.options.kind;
  if (job.gpus_per_node == 0 && kind == BackendKind::cuda) {
    throw InputError(
        InputFault::conflict, "--gpus-per-node",
        "--gpus-per-node = 0 cannot be used (backend.kind is cuda). Ask for GPUs, or use another backend.");
  }
  if (job.gpus_per_node > 0 && (kind == BackendKind::cpu || kind == BackendKind::reference)) {
    throw InputError(
        InputFault::conflict, "--gpus-per-node",
        fmt::format("--gpus-per-node = {} cannot be used (backend.kind is a processor, so that they would be idle). "
                    "Use --gpus-per-node=0, or backend.kind auto.",
                    job.gpus_per_node));
  }
  if (job.gpus_per_node > 0 && job.ranks_per_node > job.gpus_per_node) {
    throw InputError(
        InputFault::conflict, "--ranks-per-node",
        fmt::format("--ranks-per-node = {} cannot be used with --gpus-per-node = {} (a rank needs a GPU of its own). "
                    "Take fewer ranks, or more GPUs.",
                    job.ranks_per_node, job.gpus_per_node));
  }
}

JobSettings job_settings(const ParsedArguments& parsed) {
  JobSettings job;
  const Config config = given_config(parsed);
  for (const std::string& note : config.notes) print(Channel::error, "Note: {}\n", note);
  job.program = this_program();
  job.config = absolute_path(parsed.operand).lexically_normal();
  job.directory = absolute_path(config.campaign.directory).lexically_normal();
  if (!job.directory.has_filename()) job.directory = job.directory.parent_path();  // a slash at the end
  job.keys = parsed.keys;
  job.nodes = positive(parsed, "nodes", 1);
  job.gpus_per_node = whole_number(parsed, "gpus-per-node").value_or(0);
  job.ranks_per_node = positive(parsed, "ranks-per-node", std::max(1, job.gpus_per_node));
  job.cpus_per_rank = positive(parsed, "cpus-per-rank", job.gpus_per_node > 0 ? cpus_of_gpu_rank : 0);
  job.time = job_time(parsed.options.at("time"));
  job.partition = text_of(parsed, "partition", "");
  job.account = text_of(parsed, "account", "");
  job.mpi = text_of(parsed, "mpi", job.mpi);
  if (const auto given = parsed.lists.find("sbatch-option"); given != parsed.lists.end()) {
    job.sbatch_options = given->second;
  }
  for (const std::string& option : job.sbatch_options) {
    if (option.starts_with("-")) continue;
    throw InputError(InputFault::malformed, "--sbatch-option",
                     fmt::format("--sbatch-option = '{}' cannot be used (it does not begin with a hyphen). Write "
                                 "--sbatch-option=\"--qos=long\".",
                                 option));
  }
  check_share(job, config);
  return job;
}

/// The first name of today that is not taken: submit-2026-11-22-1.sh.
fs::path free_name(const fs::path& folder, int& number) {
  const std::string today = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
  for (;; ++number) {
    const fs::path name = folder / fmt::format("submit-{}-{}.sh", today, number);
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

[[noreturn]] void fail_to_write(const fs::path& file, const std::string& why) {
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("the script of the job cannot be written ({}). Choose another campaign.directory.", why));
}

/// Writes a file that was not there; false if another process has made it meanwhile.
bool write_new_file(const fs::path& file, const std::string& text) {
  try {
    DurableFile script(file, 0755);
    script.append(std::as_bytes(std::span(text)));
    return script.publish_new();
  } catch (const FileError& error) {
    fail_to_write(file, error.problem());
  }
}

/// Writes the script under a name of its own, which it holds itself.
void write_script(JobSettings& job) {
  const fs::path folder = job.script.parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_to_write(folder, fmt::format("{}: {}", folder.string(), error.message()));
  for (int number = 1;; ++number) {
    job.script = free_name(folder, number);
    if (write_new_file(job.script, submit_script(job))) return;
  }
}

}  // namespace

const VerbSyntax& submit_syntax() {
  static const VerbSyntax syntax{
      .verb = "submit",
      .operand = "CONFIG",
      .meaning = "run a campaign on a cluster with Slurm, job after job until it is finished",
      .options = {{"nodes", "N", "nodes of the job", true},
                  {"gpus-per-node", "G", "GPUs of each; 0: simulate on processors", true},
                  {"time", "T", "length of a job: 12h, 30m, 1:30:00, 2-12:00:00", true},
                  {"partition", "P", "partition of the cluster"},
                  {"account", "A", "account to charge"},
                  {"ranks-per-node", "R", "processes on each node; default: one for each GPU, or one"},
                  {"cpus-per-rank", "C", "processors of each; default: 4 beside a GPU, else whole nodes"},
                  {"mpi", "TYPE", "for srun --mpi; default: pmix"},
                  {"sbatch-option", "OPTION", "anything else for sbatch: \"--qos=long\"", false, true},
                  {"dry-run", "", "show the script only"}},
      .keys = true};
  return syntax;
}

int submit_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(submit_syntax(), arguments);
  if (parsed.help) {
    show(submit_syntax().help());
    return 0;
  }
  JobSettings job = job_settings(parsed);
  int number = 1;
  job.script = free_name(job.directory / "slurm", number);
  const std::string planned = submit_script(job);  // throws before anything is made
  if (parsed.has("dry-run")) {
    show_document(planned);
    return 0;
  }
  write_script(job);
  show(submit_script(job) + '\n');
  flush_output();
  try {
    const std::string id = submit_with_sbatch(job.script);
    print("Submitted as job {}, with this script: {}\nOutput: {}\n", id, job.script.string(),
          (job.script.parent_path() / (id + ".log")).string());
    print("`glassworks watch {}` shows its progress, `scancel {}` ends it.\n", shell_quoted(job.directory.string()),
          id);
  } catch (const InputError&) {
    std::error_code ignored;
    fs::remove(job.script, ignored);
    throw;
  }
  return 0;
}

}}  // namespace glassworks::tools
