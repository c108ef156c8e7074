#pragma once

// For layers that do not see the kernels.
#include "kernels/core/task_queue.hpp"  // IWYU pragma: export
#include "kernels/core/threads.hpp"     // IWYU pragma: export
