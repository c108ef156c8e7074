#pragma once

#include <string>
#include <vector>

namespace glassworks {

/// `glassworks bench`: speed of the updates and of whole rounds on this machine. Returns the exit code; throws
/// InputError.
int run_bench(const std::vector<std::string>& arguments);

/// `glassworks doctor`: what this machine offers and what would be used. Returns 0 if campaigns can run here, 1 if the
/// self test fails; throws InputError.
int run_doctor(const std::vector<std::string>& arguments);

}  // namespace glassworks
