#include "tools/glassworks/course_options.hpp"

#include <fmt/format.h>

namespace glassworks { inline namespace tools {

void refuse_equilibrium_options(const ParsedArguments& parsed, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!parsed.has(name)) continue;
    throw InputError(InputFault::conflict, fmt::format("--{}", name),
                     fmt::format("--{} cannot be used with this campaign (it has a course, and is not analysed as an "
                                 "equilibrium). Leave it out.",
                                 name));
  }
}

void refuse_course_options(const ParsedArguments& parsed, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!parsed.has(name)) continue;
    throw InputError(InputFault::conflict, fmt::format("--{}", name),
                     fmt::format("--{} cannot be used with this campaign (it has no course, and no history in time). "
                                 "Leave it out.",
                                 name));
  }
}

void refuse_course(const Config& config, const std::string& verb, const char* why, const char* suggestion) {
  if (!config.course.exists()) return;
  throw InputError(
      InputFault::conflict, verb,
      fmt::format("`glassworks {}` cannot be used with a campaign that has a course ({}). {}.", verb, why, suggestion));
}

}}  // namespace glassworks::tools
