#pragma once

#include "engine/config/config.hpp"
#include "kernels/ground/quench.hpp"

namespace glassworks { inline namespace engine {

/// Couplings and fields of a realization as they were given: those of files and the constant field in double precision.
/// What is drawn is in single precision by definition, and the same as in `disorder`.
///
/// disorder  make_disorder of the same arguments
/// Throws InputError where a file is not the one that `disorder` came from.
[[nodiscard]] GivenDisorder given_disorder(const Config& config, const Lattice& lattice, std::uint32_t realization,
                                           const Disorder& disorder);

}}  // namespace glassworks::engine
