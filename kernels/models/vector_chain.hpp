#pragma once

#include <string>

#include "kernels/core/random.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace models {

/// What the chains of unit vectors, with ising as vectors of one component, differ in. heisenberg, the older chain,
/// takes its random words from a stream of its own, forms its energy from local fields (- sum s.h over the odd sites -
/// sum s.H over the even ones) and trusts the heat bath to keep |s| = 1; those of on, and of phi4 at lambda = infinity,
/// sum over bonds and bring |s| back to 1 after each step.
struct VectorChain {
  int components;
  Stream local_stream;
  bool energy_of_bonds;
  bool renormalizes;

  bool operator==(const VectorChain&) const = default;
};

/// The same as types, for kernels.
struct HeisenbergChain {
  static constexpr VectorChain value{3, Stream::heat_bath, false, false};
};
template <int n>
struct OnChain {
  static constexpr VectorChain value{n, Stream::local_update, true, true};
};
struct IsingChain {
  static constexpr VectorChain value{1, Stream::local_update, true, false};
};
using XyChain = OnChain<2>;
using O3Chain = OnChain<3>;
using O4Chain = OnChain<4>;

/// In front of the names of kernels: nothing for heisenberg.
[[nodiscard]] inline std::string kernel_prefix(const VectorChain& chain) {
  if (chain == HeisenbergChain::value) return {};
  return chain == IsingChain::value ? "ising " : "on n=" + std::to_string(chain.components) + " ";
}

/// Of a model of unit vectors, or ising; of the others local_stream alone counts.
[[nodiscard]] GLASSWORKS_HD constexpr VectorChain vector_chain(const SpinModel& model) {
  if (model.kind == ModelKind::heisenberg) return HeisenbergChain::value;
  return {components_of(model), Stream::local_update, true, !model.is_discrete()};
}

}}  // namespace glassworks::models
