#pragma once

#include <string>

#include "base/text.hpp"

namespace glassworks { inline namespace tools {

/// Reads a duration [s], more than 0 and at most 10 years: seconds (90), units (90s, 15m, 12h, 2d, 1h30m), or as Slurm
/// writes them, minutes:seconds (15:00), hours:minutes:seconds (1:30:00), days-hours (2-12), days-hours:minutes and
/// days-hours:minutes:seconds (2-12:00:00). A number alone means seconds, where Slurm means minutes. Fractions go with
/// seconds and units.
///
/// name  of the option, for the message
/// Throws InputError.
[[nodiscard]] double parse_duration(const std::string& name, const std::string& text);

}}  // namespace glassworks::tools
