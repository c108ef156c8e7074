#pragma once

#include <memory>

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace reference {

/// The oracle: scalar code that says what a round is, one site at a time; threads share the replicas.
[[nodiscard]] std::unique_ptr<Backend> make_reference_backend(int threads = 1);

}}  // namespace glassworks::reference
