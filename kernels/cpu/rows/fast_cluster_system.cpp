#include <algorithm>

#include "kernels/cpu/rows/fast_cluster_replica.hpp"

namespace glassworks { inline namespace cpu {

FastClusterSystem::FastClusterSystem(const ClusterSystem& system, bool measures)
    : system_(system), stride_((system.chain.lattice.sites() + 63) / 64 * 64 + padding) {
  const std::vector<float>& all = system.disorder.couplings;
  one_coupling_ = std::all_of(all.begin(), all.end(), [&all](float J) { return J == all.front() && J != 0.0F; });
  const Lattice& lattice = system.chain.lattice;
  const std::int64_t rows = lattice.rows();
  const auto others = static_cast<std::size_t>(lattice.dim - 1);
  forward_.resize(others * static_cast<std::size_t>(rows));
  backward_.resize(forward_.size());
  coordinates_.resize(3 * static_cast<std::size_t>(rows));
  parity_.resize(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t site = row * lattice.L;
    const Lattice::Coordinates c = lattice.coordinates(site);
    const auto r = static_cast<std::size_t>(row);
    for (std::size_t k = 0; k < 3; ++k) coordinates_[3 * r + k] = c[k + 1];
    parity_[r] = static_cast<std::uint8_t>(lattice.parity(site));
    for (std::size_t k = 0; k < others; ++k) {
      const std::size_t place = k * static_cast<std::size_t>(rows) + r;
      forward_[place] = static_cast<std::int32_t>(lattice.neighbour(site, static_cast<int>(k) + 1, +1) / lattice.L);
      backward_[place] = static_cast<std::int32_t>(lattice.neighbour(site, static_cast<int>(k) + 1, -1) / lattice.L);
    }
  }
  geometry_ = {lattice.dim,     lattice.L,        (lattice.L + 63) / 64, rows,
               forward_.data(), backward_.data(), coordinates_.data(),   parity_.data()};

  couplings_ = AlignedBuffer<float>(static_cast<std::size_t>(lattice.dim * stride_));
  const auto bit_words = static_cast<std::size_t>(geometry_.bit_row(lattice.dim, 0));
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const float J = system.disorder.couplings[static_cast<std::size_t>(site * lattice.dim + axis)];
      couplings_[static_cast<std::size_t>(axis * stride_ + site)] = J;
      if (!(J < 0.0F)) continue;
      negative_.resize(bit_words, 0);
      const std::int64_t row = site / lattice.L, x = site % lattice.L;
      negative_[static_cast<std::size_t>(geometry_.bit_row(axis, row) + x / 64)] |= std::uint64_t{1} << (x % 64);
    }
  }
  if (!measures && CountedBonds::applies_to(system.chain, system.disorder)) {
    counted_.emplace(system, couplings_.data(), stride_);
  }
  if (!system.disorder.has_fields()) return;
  const int n = components_of(system.chain.model);
  fields_ = AlignedBuffer<float>(static_cast<std::size_t>(n * stride_));
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int k = 0; k < n; ++k) {
      fields_[static_cast<std::size_t>(k * stride_ + site)] =
          system.disorder.fields[static_cast<std::size_t>(site * n + k)];
    }
  }
}

const ClusterKernelTable& cluster_kernels(InstructionSet isa) {
  if (isa == InstructionSet::automatic) isa = available_instruction_sets().back();
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return avx512_cluster_kernels();
  if (isa == InstructionSet::avx2) return avx2_cluster_kernels();
#endif
  return portable_cluster_kernels();
}

}}  // namespace glassworks::cpu
