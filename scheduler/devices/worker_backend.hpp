#pragma once

#include <memory>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// What one worker simulates with. Workers of one device lose it together.
struct WorkerBackend {
  std::unique_ptr<Backend> backend;
  int device = 0;
  bool is_processor = false;  ///< it cannot be lost
};

}}  // namespace glassworks::scheduler
