#pragma once

#include <memory>

#include "kernels/rounds/backend.hpp"

namespace glassworks::inline reference {

/// The oracle: scalar code that says what a round is, one replica and one site at a time. Single-threaded.
[[nodiscard]] std::unique_ptr<Backend> make_reference_backend();

}  // namespace glassworks::inline reference
