#pragma once

// For layers that do not see the kernels.
#include "kernels/threads.hpp"  // IWYU pragma: export
