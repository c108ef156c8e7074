#pragma once

#include <functional>
#include <string>

#include "tools/bench/proposal.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Refuses --proposal without --config, and --minutes without --proposal. Throws InputError.
void require_proposal_whole(const ParsedArguments& given);

/// Of --config FILE --proposal. Throws InputError.
[[nodiscard]] ProposalOptions proposal_options(const ParsedArguments& given);

/// Makes the estimate on the backends of its configuration and shows it; returns the JSON document. The first stop
/// signal ends the pilots.
[[nodiscard]] std::string bench_proposal(const ProposalOptions& options,
                                         const std::function<void(const std::string&)>& show_text);

/// Exit status after that; tells of a stop.
[[nodiscard]] int proposal_status();

}}  // namespace glassworks::tools
