#include "tools/bench/proposal_command.hpp"

#include <fmt/format.h>

#include <utility>

#include "scheduler/devices/worker_backends.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/run_course.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {

void require_proposal_whole(const ParsedArguments& given) {
  for (const auto& [option, needed] : {std::pair{"proposal", "config"}, std::pair{"minutes", "proposal"}}) {
    if (!given.has(option) || given.has(needed)) continue;
    throw InputError(InputFault::conflict, fmt::format("--{}", option),
                     fmt::format("--{} cannot be used without --{} (it is about the cost of a configuration). Write "
                                 "bench --config FILE --proposal.",
                                 option, needed));
  }
}

ProposalOptions proposal_options(const ParsedArguments& given) {
  ProposalOptions options;
  options.file = *text_of(given, "config");
  options.config = load_config(options.file, given.keys);
  options.seconds = 60.0 * minutes_of(given).value_or(options.seconds / 60.0);
  options.progress = [](const std::string& line) { print(Channel::error, "{}\n", line); };
  return options;
}

std::string bench_proposal(const ProposalOptions& options, const std::function<void(const std::string&)>& show_text) {
  stop_on_signals();
  const Proposal proposal = propose(options, make_worker_backends(options.config), run_control());
  show_text(proposal_text(options, proposal));
  return proposal_json(options, proposal);
}

int proposal_status() {
  if (!run_control().stop) return 0;
  print("\nStopped: the figures are those of the pilots so far.\n");
  return status_signal;
}

}}  // namespace glassworks::tools
