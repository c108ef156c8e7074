#pragma once

#include <vector>

#include "analysis/basics/campaign_set.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// The sizes of --L, for example 6,8; empty without it. Throws InputError.
[[nodiscard]] std::vector<int> chosen_sizes(const ParsedArguments& parsed);

/// `glassworks analyze` of campaigns with a course: averages at every time, and the files that were asked for. Returns
/// the exit status.
int analyze_course_of(const ParsedArguments& parsed, const CampaignSet& campaigns);

/// `glassworks analyze ZFC TRM FC --superpose`. Returns the exit status.
int superpose_courses(const ParsedArguments& parsed);

}}  // namespace glassworks::tools
