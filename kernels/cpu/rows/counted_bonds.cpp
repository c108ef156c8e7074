#include "kernels/cpu/rows/counted_bonds.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// Numbers of 23 bits for which a spin in the field h is what it is for number 0: the first ones, as the formula rises
/// with the number.
std::int32_t numbers_alike(float h, const exact::LocalTemperature& temperature) {
  const auto is_up = [&](std::int32_t number) {
    const auto word = static_cast<std::uint32_t>(number) << 9;
    return exact::local_update<float>(exact::Vector<1>{}, exact::Vector<1>{{h}}, temperature, 0, word, 0).c[0] > 0.0F;
  };
  std::int32_t alike = 0, other = 1 << 23;
  while (other - alike > 1) {
    const std::int32_t middle = alike + (other - alike) / 2;
    (is_up(middle) == is_up(0) ? alike : other) = middle;
  }
  return other;
}

}  // namespace

bool CountedBonds::applies_to(const Chain& chain, const Disorder& disorder) {
  const bool ising = chain.model.kind == ModelKind::ising && !chain.model.diluted;
  const bool potts = chain.model.kind == ModelKind::potts;
  if (!(ising || potts) || disorder.has_fields() || !chain.lattice.is_cube() || chain.lattice.dim < 2 ||
      chain.protocol.local != SiteRule::heat_bath || Step(chain).count(MoveKind::local) == 0) {
    return false;
  }
  const float modulus = std::fabs(disorder.couplings.front());
  const auto differs = [&](float J) { return (ising ? std::fabs(J) : J) != modulus; };
  if (std::any_of(disorder.couplings.begin(), disorder.couplings.end(), differs)) return false;
  // Sums of couplings are exact in any order.
  const double J = modulus;
  for (int bonds = 1; bonds <= 2 * chain.lattice.dim; ++bonds) {
    if (static_cast<double>(static_cast<float>(bonds * J)) != bonds * J) return false;
  }
  return J != 0.0;
}

CountedBonds::CountedBonds(const ClusterSystem& system, const float* couplings, std::int64_t stride) {
  const Chain& chain = system.chain;
  const int dim = chain.lattice.dim;
  const float J = std::fabs(system.disorder.couplings.front());
  const auto all = static_cast<std::size_t>(dim * stride);
  if (std::any_of(couplings, couplings + all, [](float x) { return x < 0.0F; })) {
    negative_ = AlignedBuffer<std::uint8_t>(all);
    for (std::size_t i = 0; i < all; ++i) negative_[i] = couplings[i] < 0.0F ? 1 : 0;
  }
  for (const float beta : chain.beta) {
    const exact::LocalTemperature temperature(beta);
    CountedWeights& weights = weights_.emplace_back();
    weights.negative = negative_.size() > 0 ? negative_.data() : nullptr;
    for (int bonds = 0; bonds <= 2 * dim; ++bonds) {
      weights.alike[bonds] = numbers_alike(static_cast<float>(2 * (bonds - dim)) * J, temperature);
      weights.weight[bonds] = exact::exp_negative(exact::mul(beta, static_cast<float>(-bonds) * J));
    }
  }
}

}}  // namespace glassworks::cpu
