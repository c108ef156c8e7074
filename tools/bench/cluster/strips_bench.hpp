#pragma once

#include <span>
#include <string_view>

namespace glassworks { inline namespace tools { namespace bench {

/// One square lattice in strips on several devices: time of an update, energy and magnetization, as JSON lines.
/// words: --L 65536 --devices 2 --q 2 ..., see its source. Throws std::runtime_error for others.
void run_strips(std::span<const std::string_view> words);

}}}  // namespace glassworks::tools::bench
