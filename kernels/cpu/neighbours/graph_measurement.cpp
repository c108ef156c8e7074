#include "kernels/cpu/neighbours/graph_measurement.hpp"

#include <algorithm>

#include "kernels/rounds/graph_local_sums.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/rounds/triangle_sums.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// One lane of a bundle, as LocalSpins has a replica.
template <class M>
struct LaneOfSpins {
  using Site = typename M::Site;
  const GraphSpins& spins;
  int lane;

  [[nodiscard]] Site operator()(std::int64_t i) const {
    const std::int64_t first = i * spins.numbers() * bundle_lanes + lane;
    if constexpr (M::discrete) {
      return static_cast<Site>(static_cast<const std::uint32_t*>(spins.data())[first]);
    } else {
      Site s;
      for (int k = 0; k < M::components; ++k) {
        s.c[k] = static_cast<const float*>(spins.data())[first + k * bundle_lanes];
      }
      return s;
    }
  }
  [[nodiscard]] Site at(std::uint32_t i) const { return (*this)(i); }
  [[nodiscard]] float product(std::uint32_t i, std::uint32_t j) const { return exact::dot(at(i), at(j)); }
};

}  // namespace

GraphMeasurement::GraphMeasurement(const ClusterSystem& system, const GraphRealization& graph,
                                   const GraphTable& kernels, int members)
    : system_(system),
      chain_(system.chain),
      graph_(graph),
      kernels_(kernels),
      measurement_(chain_, system.disorder.energy_scale),
      workspaces_(size_of(members)),
      sites_(size_of(chain_.slots() * chain_.copies)),
      overlaps_(size_of(chain_.slots() * (chain_.copies * (chain_.copies - 1) / 2))) {
  if (measurement_.measures_triangles()) triangles_.emplace(chain_, system.disorder);
}

void GraphMeasurement::add_of_lane(const GraphSpins& spins, int lane, SiteSums& sums) const {
  for_model(chain_.model, [&](auto m) {
    using M = decltype(m);
    const LaneOfSpins<M> of_lane{spins, lane};
    if constexpr (!std::is_same_v<M, Ising>) add_graph_locals<M>(system_, Share{}, of_lane, sums.local);
    if constexpr (has_triangle_chirality<M>) {
      if (triangles_) add_triangle_squares<M::components>(*triangles_, {0, triangles_->size()}, of_lane, sums);
    }
  });
}

void GraphMeasurement::add_of_lane(const GraphSpins& a, const GraphSpins& b, int lane, OverlapSums& sums) const {
  for_model(chain_.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (has_triangle_chirality<M>) {
      if (!triangles_) return;
      add_triangle_products<M::components>(*triangles_, LaneOfSpins<M>{a, lane}, LaneOfSpins<M>{b, lane},
                                           system_.scales.product.multiplier(), sums);
    }
  });
}

void GraphMeasurement::sum_up(int group, std::span<GraphBundle> bundles, std::span<const std::size_t> at,
                              std::span<const std::int64_t> energy, int member) {
  const int slots = chain_.slots(), first = group * bundle_lanes, lanes = std::min(bundle_lanes, slots - first);
  const int columns = plane_columns(chain_.model), pair_columns_ = pair_columns(chain_.model);
  const std::int64_t planes = chain_.lattice.planes();
  Workspace& work = workspaces_[size_of(member)];
  if (work.copies.empty()) {
    for (int copy = 0; copy < chain_.copies; ++copy) work.copies.emplace_back(chain_.model, chain_.lattice.sites());
    work.planes = AlignedBuffer<std::int64_t>(size_of(planes * std::max(columns, pair_columns_) * bundle_lanes));
  }
  const auto clear = [&] { std::fill_n(work.planes.data(), work.planes.size(), 0); };
  /// What a lane has added up, in a row of [plane][column].
  const auto of_lane = [&](int lane, std::vector<std::int64_t>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = work.planes[i * bundle_lanes + size_of(lane)];
  };
  for (int copy = 0; copy < chain_.copies; ++copy) {
    GraphSpins& spins = work.copies[size_of(copy)];
    for (int lane = 0; lane < lanes; ++lane) {
      const std::size_t r = at[size_of(copy * slots + first + lane)];
      spins.take(lane, bundles[r / bundle_lanes].spins(), static_cast<int>(r % bundle_lanes));
    }
    clear();
    kernels_.site_sums(graph_.sites(), chain_.model, system_.scales, spins.data(), lanes, work.planes.data());
    for (int lane = 0; lane < lanes; ++lane) {
      SiteSums& sums = sites_[size_of((first + lane) * chain_.copies + copy)];
      sums = measurement_.empty_sites();
      of_lane(lane, sums.planes);
      sums.energy = energy[at[size_of(copy * slots + first + lane)]];
      add_of_lane(spins, lane, sums);
    }
  }
  int pair = 0;
  const int pairs = chain_.copies * (chain_.copies - 1) / 2;
  for (int a = 0; a < chain_.copies; ++a) {
    for (int b = a + 1; b < chain_.copies; ++b, ++pair) {
      alignas(64) std::int64_t link[bundle_lanes] = {};
      clear();
      kernels_.pair_sums(graph_.sites(), chain_.model, system_.scales, work.copies[size_of(a)].data(),
                         work.copies[size_of(b)].data(), lanes, work.planes.data(), link);
      for (int lane = 0; lane < lanes; ++lane) {
        OverlapSums& sums = overlaps_[size_of((first + lane) * pairs + pair)];
        sums = measurement_.empty_overlap();
        of_lane(lane, sums.planes);
        sums.link = link[lane];
        add_of_lane(work.copies[size_of(a)], work.copies[size_of(b)], lane, sums);
      }
    }
  }
}

void GraphMeasurement::add(int m, std::span<const ClusterSums> clusters, RoundRecord& record) const {
  const auto quantities = size_of(measurement_.layout().size());
  const SamplePlaces places(chain_, m, measurement_.layout().size(), record);
  const std::size_t copies = size_of(chain_.copies), pairs = copies * (copies - 1) / 2;
  for (int slot = 0; slot < chain_.slots(); ++slot) {
    const auto t = size_of(slot);
    std::vector<ClusterSums> of_slot;
    for (std::size_t copy = 0; copy < copies; ++copy) of_slot.push_back(clusters[copy * size_of(chain_.slots()) + t]);
    measurement_.add(std::span(sites_).subspan(t * copies, copies), of_slot,
                     std::span(overlaps_).subspan(t * pairs, pairs), record.mean.data() + t * quantities,
                     places.of_slot(slot));
  }
}

}}  // namespace glassworks::cpu
