#pragma once

#include <initializer_list>
#include <string>

#include "engine/config/config.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Refuses options that a campaign with a course has no use for, because it does not go to equilibrium. Throws
/// InputError.
void refuse_equilibrium_options(const ParsedArguments& parsed, std::initializer_list<const char*> names);

/// Refuses options that have a meaning for a campaign with a course alone. Throws InputError.
void refuse_course_options(const ParsedArguments& parsed, std::initializer_list<const char*> names);

/// Refuses a verb that has no meaning for a campaign with a course. Throws InputError.
///
/// why         "it compares ways to equilibrium"
/// suggestion  a sentence without its full stop
void refuse_course(const Config& config, const std::string& verb, const char* why, const char* suggestion);

}}  // namespace glassworks::tools
