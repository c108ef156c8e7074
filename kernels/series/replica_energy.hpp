#pragma once

#include <cstdint>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace series {

/// Energy of one replica in units of the energy scale of its disorder, as the backends measure it: E = - sum_b fix(J
/// x_b) and the terms of single sites; heisenberg sums over sites (kernels/README.md).
///
/// spins   [component][site] of vectors
/// states  [site] of discrete spins
[[nodiscard]] std::int64_t replica_energy(const Chain& chain, const Disorder& disorder, const float* spins,
                                          const std::uint8_t* states);

}}  // namespace glassworks::series
