#include "kernels/cuda/cluster/round/decomposition.cuh"
#include "kernels/cuda/cluster/round/lattice_labelling.hpp"
#include "kernels/cuda/cluster/round/system_labels.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// Puts roots in place of labels, and adds each site to the record of its cluster. Integers are added: the order of the
/// threads does not matter. Cost: an atomic operation for each word of the record.
template <bool discrete, int dim>
__global__ void __launch_bounds__(256)
    lattice_term_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  using Record = ClusterRecord<discrete, dim>;
  const ThreadPlace place(blocks);
  const std::uint32_t site = place.item;
  if (site >= b.sites) return;
  // Others may replace labels by roots meanwhile: the way goes to the same root.
  std::uint32_t* const labels = part.d_labels + part.at(b, place.system, 0);
  const std::uint32_t root = find_root(labels, labels[site]);
  labels[site] = root;
  unsigned long long* const record = part.d_terms + part.at(b, place.system, root) * Record::words;
  const float multiplier = b.scales.component.multiplier();
  const auto add = [&](int word, float x) {
    add_atomically(reinterpret_cast<long long*>(record + word), to_fixed_clamped(x, multiplier));
  };
  add_size(b, part, place.system, root, record, 1);
  float w = 1.0F;
  if constexpr (!discrete) {
    w = b.d_projection[b.first_site(part.first + place.system) + site];
    add(1, w);
  }
  const Lattice::Coordinates c = b.common.lattice.coordinates(site);
  const float* phase = part.phase;
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) {
    const int L = b.common.lattice.length(axis), x = c[static_cast<std::size_t>(axis)];
    add(1 + Record::first + 2 * axis, exact::mul(w, __ldg(phase + x)));
    add(2 + Record::first + 2 * axis, exact::mul(w, __ldg(phase + L + x)));
    phase += 2 * L;
  }
}

/// What the kernel of a labelling sees.
struct LabelledLattices {
  Lattice lattice;
  std::uint32_t sites, words;  ///< words: of bond b of all sites
};

/// A thread for each site and its bonds.
__global__ void __launch_bounds__(256) join_lattice_kernel(unsigned blocks, const __grid_constant__ LabelledLattices g,
                                                           const std::uint32_t* active, Site* labels) {
  const ThreadPlace place(blocks);
  if (place.item >= g.sites) return;
  const LatticeSite site(g.lattice, place.item);
  const int bonds = g.lattice.owned();
  const std::uint32_t* of_bond =
      active + static_cast<std::size_t>(place.system) * static_cast<unsigned>(bonds) * g.words + site.site / 32;
  for (int bond = 0; bond < bonds; ++bond, of_bond += g.words) {
    if (((*of_bond >> (site.site % 32)) & 1U) == 0) continue;
    unite_global(labels_of_system(labels, place.system, g.sites), site.site, site.forward(bond));
  }
}

class LatticeLabelling final : public TileLabelling {
 public:
  explicit LatticeLabelling(const Lattice& lattice)
      : lattices_{lattice, static_cast<std::uint32_t>(lattice.sites()),
                  static_cast<std::uint32_t>((lattice.sites() + 31) / 32)} {}

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    enqueue_systems(d_bonds, 1, d_labels, stream);
    mark("labels");
  }
  void enqueue_systems(const std::uint32_t* d_bonds, unsigned systems, Site* d_labels, cudaStream_t stream) override {
    label_systems(lattices_.sites, systems, d_labels, stream, [&] {
      SystemLaunch(lattices_.sites)("joining clusters", join_lattice_kernel, static_cast<int>(systems), stream,
                                    lattices_, d_bonds, d_labels);
    });
  }

 private:
  LabelledLattices lattices_;
};

}  // namespace

void launch_lattice_terms(const ClusterBatch& b, const Part& part, int systems, cudaStream_t stream) {
  for_clusters_of(b, [&](auto discrete, auto dim) {
    SystemLaunch(b.sites)("summing over the sites of clusters", lattice_term_kernel<discrete(), dim()>, systems, stream,
                          b, part);
  });
}

std::unique_ptr<TileLabelling> make_lattice_labelling(const Lattice& lattice) {
  return std::make_unique<LatticeLabelling>(lattice);
}

}}  // namespace glassworks::cuda
