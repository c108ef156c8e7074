#include <fmt/format.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "scheduler/verification.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/publication.hpp"
#include "tools/glassworks/publication_check.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks::inline tools {
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
      .options = {{"recompute", "N", "simulates N last rounds again and compares the bits"}},
      .more =
          "DIR may be a folder that `glassworks publish` made: then every file is compared with its digest, and N is "
          "how many realizations begin again from what is in the folder, each for at most four rounds."};
  return syntax;
}

namespace {

int verify_publication(const std::string& folder, int recompute) {
  RoundControl control;
  std::function<void(const std::string&, std::size_t, std::size_t)> progress;
  if (isatty(STDERR_FILENO) == 1) {
    progress = [](const std::string& stage, std::size_t done, std::size_t total) {
      show_verification_progress({stage.c_str(), done, total});
    };
  }
  const PublicationCheck found = check_publication(folder, recompute, control, nullptr, progress);
  for (const std::string& problem : found.problems) print("Problem: {}.\n", problem);
  for (const std::string& file : found.unlisted) print("Note: {} is not listed in {}.\n", file, digest_list_file);
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
  if (is_publication(parsed.operand)) return verify_publication(parsed.operand, recompute);
  static_cast<void>(open_campaign(parsed.operand));  // says what is wrong where there is no campaign
  VerificationOptions options{.recompute = recompute, .progress = {}};
  const bool terminal = isatty(STDERR_FILENO) == 1;
  options.progress = [terminal, time = TimeEstimate()](const VerificationProgress& progress) mutable {
    time.show(progress.stage, progress.done, progress.total);
    if (terminal) show_verification_progress(progress);
  };
  RoundControl control;  // nobody asks to stop: nothing is written, so the program may be killed at any time
  const Verification found = verify(parsed.operand, options, control);
  print_result(found);
  return found.problems.empty() ? 0 : 1;
}

}  // namespace glassworks::inline tools
