#pragma once

#include <string>

#include "tools/glassworks/campaign_view.hpp"

namespace glassworks { inline namespace tools {

/// The state of a campaign as text: a table of the sizes, then a line for each further fact.
[[nodiscard]] std::string status_text(const CampaignState& state);

/// The same as one JSON document, for programs; docs/manual/watching.md lists its keys. What is not known
/// is null.
[[nodiscard]] std::string status_json(const std::string& directory, const CampaignState& state);

/// "Worker 3: host nova, process 4711, backend cpu (avx512, 2 threads): alive, last heartbeat 4 s ago; ..."
[[nodiscard]] std::string worker_line(const WorkerState& worker);

/// "acceptance 0.21 (T = 0.2) to 0.45"; empty before the first round.
[[nodiscard]] std::string acceptance_text(const SizeState& size);

}}  // namespace glassworks::tools
