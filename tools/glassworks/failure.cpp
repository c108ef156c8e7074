#include "tools/glassworks/failure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/config/config.hpp"
#include "tools/glassworks/output.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr std::string_view no_memory =
    "the memory of this machine is used up. Use a smaller backend.batch, fewer slots or a smaller lattice; nothing "
    "that "
    "was committed is lost.";
constexpr std::string_view internal_error =
    "the command cannot continue (an internal error). Run `glassworks verify` on the campaign, if there is one, and "
    "report "
    "the command with it; nothing that was committed is lost.";

/// Whether a text says what is wrong, why, and what to do: those of this program do.
bool is_sentence(std::string_view text) { return text.ends_with('.') && text.find(' ') != std::string_view::npos; }

std::string failure_text(const std::filesystem::filesystem_error& error) {
  return fmt::format("{} cannot be used ({}). Check the path, its permissions and the space on its disk.",
                     error.path1().empty() ? "a file" : error.path1().string(), error.code().message());
}

std::string failure_text(const std::system_error& error) {
  return fmt::format(
      "the system denies a resource that the command needs ({}). Check the limits of this machine and of the job "
      "(`ulimit -a`); nothing that was committed is lost.",
      error.code().message());
}

/// Allocates nothing: memory may be used up.
void say(std::string_view text) noexcept {
  for (const std::string_view part : {std::string_view("glassworks: "), text, std::string_view("\n")}) {
    static_cast<void>(::write(STDERR_FILENO, part.data(), part.size()) < 0);
  }
}

/// Further lines are those of a list, which are indented: nothing that came from outside looks like a message of its
/// own.
void show_sentence(std::string_view text) {
  try {
    std::string shown;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find("\n  ", begin), text.size());
      shown += (begin > 0 ? "\n" : "") + visible_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
    show(Channel::error, "glassworks: " + shown + '\n');
  } catch (const std::bad_alloc&) {
    say(text);
  }
}

int show_failure() {
  try {
    throw;
  } catch (const InputError& error) {
    show_sentence(error.what());
    return 2;
  } catch (const OutputLost&) {  // finish_output says so
  } catch (const std::bad_alloc&) {
    say(no_memory);
  } catch (const std::length_error&) {  // more elements than addresses
    say(no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    show_sentence(failure_text(error));
  } catch (const std::system_error& error) {
    show_sentence(failure_text(error));
  } catch (const std::runtime_error& error) {
    show_sentence(error.what());
  } catch (const std::exception& error) {
    show_sentence(is_sentence(error.what()) ? error.what() : internal_error);
  } catch (...) {
    show_sentence(internal_error);
  }
  return 1;
}

[[noreturn]] void end_in_one_sentence() noexcept {
  std::string_view text = internal_error;
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    text = no_memory;
  } catch (...) {
  }
  say(text);
  _exit(1);
}

}  // namespace

int print_failure() {
  std::fflush(stdout);  // in the order in which it was written, where both go to one file
  try {
    return show_failure();
  } catch (...) {  // no memory for the sentence itself
    say(no_memory);
    return 1;
  }
}

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free one is taken: this one. It can be read only, so that what is lost of the output is noticed.
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != descriptor) _exit(1);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(end_in_one_sentence);
}

}}  // namespace glassworks::tools
