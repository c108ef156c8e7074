#pragma once

#include "kernels/rounds/bin_layout.hpp"

namespace glassworks::test {

/// The columns that stand first in the bins of a model, at the same places for all lattices and copies, by name.
template <ModelKind kind>
struct Places {
  static constexpr BinLayout bins{SpinModel{.kind = kind}, 3, 2};
#define GLASSWORKS_PLACE(name) name = bins[BinQuantity::name],
  enum Fixed { GLASSWORKS_BIN_QUANTITIES(GLASSWORKS_PLACE) };
#undef GLASSWORKS_PLACE
};

using Tensors = Places<ModelKind::heisenberg>;
using Moments = Places<ModelKind::ising>;  ///< of all other models

}  // namespace glassworks::test
