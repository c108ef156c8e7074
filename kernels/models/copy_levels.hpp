#pragma once

#include <cstdint>

#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace models {

/// Multi-spin coding whose lanes are copies: how random numbers decide on flips. A spin with u unsatisfied of z = 2 d
/// bonds +-J costs 4 |J| (z/2 - u) to flip. Every site of every copy draws a level e = 0 .. z/2 by itself, with
/// P(e >= k) = P_k, and flips its spin if u + e >= z/2:
///
///     metropolis   P_k = exp(-4 beta |J| k)
///     heat_bath    P_k = 2/(1 + exp(4 beta |J| k)), of a spin that is first drawn anew, +1 or -1
///
/// so that the spin of a heat bath points along its local field h with probability 1/(1 + exp(-2 beta |h|)).
///
/// P_1 <= 0.0605 (`marks`): the 512 places of a quad (CopyAddress) receive marks, as many as a Poisson process has,
/// each at a uniform place; the level of a place is the highest of its marks. With l_k = -512 ln(1 - P_k) there are
/// marks of level 1, of mean l_1 - l_2, and higher ones, of mean l_2, a fraction l_k/l_2 of which has a level of at
/// least k. So every place has each level with its probability, independently of all others. Otherwise: e is the number
/// of k with U < P_k, where U is a number of 32 binary digits. Probabilities are exact up to 2^-32 in both.
///
/// Computed on the host in double precision.
struct CopyLevels {
  static constexpr int most_levels = 4, most_marks = 96, most_higher = 32;

  int levels = 0;     ///< z/2
  bool marks = true;  ///< else digits
  int more_count = 0, more_higher_count = 0;
  std::uint32_t more[most_marks] = {};          ///< more than m marks of level 1 where word 0 >= more[m]
  std::uint32_t more_higher[most_higher] = {};  ///< more than m higher ones where word 1 >= more_higher[m]
  std::uint32_t higher[most_levels] = {};  ///< a higher mark has a level of at least k + 1 where word 1 < higher[k]
  std::uint32_t probability[most_levels] = {};  ///< digits: P_(k + 1) 2^32
};
[[nodiscard]] CopyLevels copy_levels(MultispinRule rule, float beta, float modulus, int z);

}}  // namespace glassworks::models
