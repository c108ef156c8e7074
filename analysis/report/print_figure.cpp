#include "analysis/report/print_figure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "analysis/report/safe_text.hpp"

extern char** environ;

namespace glassworks { inline namespace analysis {
namespace {

/// A file without a name that goes when it is closed.
class ScratchFile {
 public:
  ScratchFile() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) {
      throw std::runtime_error(
          fmt::format("the figure cannot be drawn (no temporary file: {}). Make space in /tmp.", std::strerror(errno)));
    }
    fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  }
  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) {
      throw std::runtime_error(
          fmt::format("the figure cannot be drawn (temporary file: {}). Make space in /tmp.", std::strerror(errno)));
    }
    std::rewind(file_.get());
  }
  [[nodiscard]] std::string read() {
    std::string text;
    std::array<char, 65536> part;
    std::fseek(file_.get(), 0, SEEK_SET);
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), file_.get())) text.append(part.data(), n);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// The last line of gnuplot's output that holds more than the caret under an echoed command.
std::string last_message_of(const std::string& messages) {
  std::string last;
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', begin), messages.size());
    const std::string one = messages.substr(begin, end - begin);
    if (one.find_first_not_of(" \t^") != std::string::npos) last = one;
    begin = end + 1;
  }
  return clean_text(
      last.substr(last.find_first_not_of(" \t") == std::string::npos ? 0 : last.find_first_not_of(" \t")));
}

/// Runs `gnuplot -d -` (no start-up files) with the script as its input. No shell is involved.
std::string run_gnuplot(const std::string& script, const std::string& id) {
  ScratchFile in, out, messages;
  in.write(script);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  std::array<char, 8> program = {"gnuplot"};
  std::array<char, 3> no_startup = {"-d"};
  std::array<char, 2> input = {"-"};
  const std::array<char*, 4> arguments = {program.data(), no_startup.data(), input.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.data(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw std::runtime_error(fmt::format(
        "figure {} cannot be drawn (the program gnuplot is not installed). Install the package gnuplot-nox.", id));
  }
  if (error != 0) {
    throw std::runtime_error(
        fmt::format("figure {} cannot be drawn (gnuplot cannot be started: {}). Check that `gnuplot "
                    "--version` works.",
                    id, std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string drawing = out.read();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawing.empty()) {
    const std::string why = WIFSIGNALED(status) ? fmt::format("it was ended by signal {}", WTERMSIG(status))
                                                : last_message_of(messages.read());
    throw std::runtime_error(
        fmt::format("figure {} cannot be drawn (gnuplot: {}). Check that gnuplot is version 5.4 or newer "
                    "with its cairo terminals.",
                    id, why.empty() ? "no output" : why));
  }
  return drawing;
}

}  // namespace

std::string draw_script(const std::string& script, const std::string& what) { return run_gnuplot(script, what); }

std::string print_figure(const Figure& figure, const PrintOptions& options) {
  return run_gnuplot(gnuplot_script(figure, options), figure.id);
}

}}  // namespace glassworks::analysis
