#include <fmt/format.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "engine/config/config.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/publication.hpp"
#include "tools/glassworks/publication_check.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// One line that is rewritten; for terminals.
void show_verification_progress(const VerificationProgress& progress) {
  rewrite_line(Channel::error, fmt::format("{}: {} of {}", progress.stage, progress.done, progress.total));
  if (progress.done == progress.total) show(Channel::error, "\n");
}

void print_result(const Verification& found) {
  for (const VerificationProblem& problem : found.problems) {
    print("Problem: {}. Consequence: {}. The next run: {}.\n", problem.what, problem.consequence, problem.next_run);
  }
  for (const std::string& file : found.orphans) {
    print(
        "Orphan: checkpoints/{} is not named in the database (a killed process left it, or a running one has just "
        "written it). Consequence: none. The next run: it removes the file.\n",
        file);
  }
  print("Checked {} realizations, {} rounds, {} checkpoints; {} rounds simulated again. ", found.realizations,
        found.rounds, found.checkpoints, found.recomputed);
  if (found.problems.empty()) {
    print("No problems.\n");
  } else {
    print("{} {}.\n", found.problems.size(), found.problems.size() == 1 ? "problem" : "problems");
  }
}

}  // namespace

const VerbSyntax& verify_syntax() {
  static const VerbSyntax syntax{
      .verb = "verify",
      .operand = "DIR",
      .meaning = "every row and checkpoint checked; N rounds simulated again",
      .options = {{"recompute", "N", "simulates N last rounds again and compares the bits"},
                  {"time-limit", "DURATION", "of a published folder: refuses what takes longer (10m)"}},
      .more =
          "DIR may be a folder that `glassworks publish` made: then every file is compared with its digest, and N is "
          "how many realizations begin again from what is in the folder, each for at most four rounds. What the folder "
          "asks for is estimated first, and nothing beyond the time limit is computed."};
  return syntax;
}

namespace {

int verify_publication(const std::string& folder, int recompute, double seconds_allowed) {
  RoundControl control;
  PublicationOptions options{.recompute = recompute, .seconds_allowed = seconds_allowed, .progress = {}, .note = {}};
  if (isatty(STDERR_FILENO) == 1) {
    options.progress = [](const std::string& stage, std::size_t done, std::size_t total) {
      show_verification_progress({stage.c_str(), done, total});
    };
  }
  options.note = [](const std::string& sentence) {
    print(Channel::error, "{}\n", sentence);
    flush_output();
  };
  const PublicationCheck found = check_publication(folder, options, control);
  for (const std::string& problem : found.problems) print("Problem: {}.\n", problem);
  for (const std::string& file : found.unlisted) print("Note: {} is not listed in {}.\n", file, digest_list_file);
  if (static_cast<std::size_t>(recompute) > found.chosen && found.chosen > 0) {
    print("Note: {} realizations were asked for; the folder has {} with rounds.\n", recompute, found.chosen);
  }
  print("Checked {} files; {} rounds of {} realizations simulated again. ", found.files, found.rounds,
        found.realizations);
  if (found.problems.empty()) {
    print("No problems.\n");
  } else {
    print("{} {}.\n", found.problems.size(), found.problems.size() == 1 ? "problem" : "problems");
  }
  return found.problems.empty() ? 0 : 1;
}

}  // namespace

int verify_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(verify_syntax(), arguments);
  if (parsed.help) {
    show(verify_syntax().help());
    return 0;
  }
  const int recompute = whole_number(parsed, "recompute").value_or(0);
  const double limit = parsed.has("time-limit") ? parse_duration("time-limit", parsed.options.at("time-limit"))
                                                : PublicationOptions{}.seconds_allowed;
  if (is_publication(parsed.operand)) return verify_publication(parsed.operand, recompute, limit);
  if (parsed.has("time-limit")) {
    throw InputError(
        InputFault::conflict, "--time-limit",
        fmt::format("--time-limit cannot be used with {} (it is no published folder; Ctrl-C ends the check "
                    "of a campaign at any time). Leave it out.",
                    parsed.operand));
  }
  static_cast<void>(open_campaign(parsed.operand));  // says what is wrong where there is no campaign
  VerificationOptions options{.recompute = recompute, .progress = {}};
  const bool terminal = isatty(STDERR_FILENO) == 1;
  options.progress = [terminal, time = TimeEstimate()](const VerificationProgress& progress) mutable {
    time.show(progress.stage, progress.done, progress.total);
    if (terminal) show_verification_progress(progress);
  };
  RoundControl control;  // never stopped: nothing is written, so the program may be killed at any time
  const Verification found = verify(parsed.operand, options, control);
  print_result(found);
  return found.problems.empty() ? 0 : 1;
}

}}  // namespace glassworks::tools
