#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <string_view>

#include "engine/config.hpp"
#include "kernels/backend.hpp"
#include "scheduler/verification.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks {
namespace {

struct VerifyArguments {
  std::filesystem::path directory;
  int recompute = 0;
};

int number_of_rounds(std::string_view text) {
  int value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 0) {
    throw InputError(
        fmt::format("--recompute = '{}' cannot be used (it is no number). Give a whole number of rounds.", text));
  }
  return value;
}

VerifyArguments parse(const Arguments& arguments) {
  constexpr std::string_view recompute = "--recompute", with_value = "--recompute=";
  VerifyArguments parsed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == recompute && i + 1 < arguments.size()) {
      parsed.recompute = number_of_rounds(arguments[++i]);
    } else if (argument.starts_with(with_value)) {
      parsed.recompute = number_of_rounds(argument.substr(with_value.size()));
    } else if (argument.starts_with("--")) {
      throw InputError(fmt::format("`glassworks verify` cannot use '{}' ({}). See `glassworks --help`.", argument,
                                   argument == recompute ? "its value is missing" : "there is no such option"));
    } else if (!parsed.directory.empty()) {
      throw InputError(fmt::format("`glassworks verify` takes one campaign directory ('{}' and '{}' given). Name one.",
                                   parsed.directory.string(), argument));
    } else {
      parsed.directory = argument;
    }
  }
  if (parsed.directory.empty()) {
    throw InputError(
        "`glassworks verify` needs a campaign directory. For example: glassworks verify campaigns/quickstart");
  }
  return parsed;
}

/// One line that is rewritten; for terminals.
void show_progress(const VerificationProgress& progress) {
  fmt::print(stderr, "\r{:<60}{}", fmt::format("{}: {} of {}", progress.stage, progress.done, progress.total),
             progress.done == progress.total ? "\n" : "");
  std::fflush(stderr);
}

void print_result(const Verification& found) {
  for (const VerificationProblem& problem : found.problems) {
    fmt::print("Problem: {}. Consequence: {}. The next run: {}.\n", problem.what, problem.consequence,
               problem.next_run);
  }
  for (const std::string& file : found.orphans) {
    fmt::print(
        "Orphan: checkpoints/{} is not named in the database (a killed process left it, or a running one has just "
        "written it). Consequence: none. The next run: it removes the file.\n",
        file);
  }
  fmt::print("Checked {} realizations, {} rounds, {} checkpoints; {} rounds simulated again. ", found.realizations,
             found.rounds, found.checkpoints, found.recomputed);
  if (found.problems.empty()) {
    fmt::print("No problems.\n");
  } else {
    fmt::print("{} {}.\n", found.problems.size(), found.problems.size() == 1 ? "problem" : "problems");
  }
}

}  // namespace

int verify_campaign(const Arguments& arguments) {
  const VerifyArguments parsed = parse(arguments);
  static_cast<void>(open_campaign(parsed.directory));  // says what is wrong where there is no campaign
  std::unique_ptr<Backend> backend;
  if (parsed.recompute > 0) backend = make_backend({});
  VerificationOptions options{.recompute = parsed.recompute, .backend = backend.get(), .progress = {}};
  if (isatty(STDERR_FILENO) == 1) options.progress = show_progress;
  RoundControl control;  // nobody asks to stop: nothing is written, so the program may be killed at any time
  const Verification found = verify(parsed.directory, options, control);
  print_result(found);
  return found.problems.empty() ? 0 : 1;
}

}  // namespace glassworks
