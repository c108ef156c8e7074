#include "tools/glassworks/sbatch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "engine/config/config.hpp"

extern char** environ;

namespace glassworks { inline namespace tools {
namespace {

constexpr const char* login_node_hint =
    "Run this on a login node of the cluster, or look at the script with --dry-run.";

/// Holds what a child process writes; a file without a name.
class Output {
 public:
  Output() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) {
      throw InputError(
          InputFault::unusable_file, "/tmp",
          fmt::format("the job was not submitted (no temporary file: {}). Make space in /tmp.", std::strerror(errno)));
    }
    fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  }
  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }
  [[nodiscard]] std::string read() {
    std::string text;
    std::array<char, 4096> part;
    std::rewind(file_.get());
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), file_.get())) text.append(part.data(), n);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// What sbatch complains of, in one line: "Invalid partition name specified".
std::string complaint(const std::string& messages) {
  std::string text;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string before : {"sbatch: ", "error: ", "fatal: ", "Batch job submission failed: "}) {
      if (line.starts_with(before)) line.erase(0, before.size());
    }
    if (!line.empty()) text += (text.empty() ? "" : "; ") + line;
  }
  return text.empty() ? "it gave no reason" : text;
}

}  // namespace

std::string submit_with_sbatch(const std::filesystem::path& script) {
  Output out, messages;
  std::string program = "sbatch", parsable = "--parsable", file = script.string();
  const std::array<char*, 4> arguments = {program.data(), parsable.data(), file.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    const std::string why = error == ENOENT ? "Slurm's program sbatch is not installed here"
                                            : fmt::format("sbatch cannot be started: {}", std::strerror(error));
    throw InputError(InputFault::unsupported, "sbatch",
                     fmt::format("the job was not submitted ({}). {}", why, login_node_hint));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string answer = out.read();  // "number" or "number;cluster"
  const std::string number = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || number.empty()) {
    throw InputError(
        InputFault::conflict, "sbatch",
        fmt::format("the job was not submitted (sbatch: {}). Change the options: `sinfo` shows what the cluster "
                    "has.",
                    complaint(messages.read())));
  }
  return number;
}

}}  // namespace glassworks::tools
