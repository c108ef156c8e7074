#pragma once

#include <type_traits>

#include "kernels/cpu/rows/lane_models.hpp"
#include "kernels/cpu/rows/row_block.hpp"

namespace glassworks { inline namespace cpu {

/// What a model computes in, given a vector V: that, or two side by side where a block fills them and an update is a
/// long chain of dependent operations.
template <class M, class V>
using LanesOf =
    std::conditional_t<exact::LaneModel<M, V>::is_long_chain && (exact::Lanes<V>::width < 16), exact::Twice<V>, V>;

/// The lanes of a block and what they know of their neighbours.
template <class Wide, class M>
class RowLanes {
 public:
  using F = LanesOf<M, typename Wide::Float>;
  using Access = exact::Lanes<F>;
  using Model = exact::LaneModel<M, F>;

  RowLanes(const ClusterGeometry& geometry, const LocalSweepJob& j) : g_(geometry), job_(j) {
    if (!job_.one_coupling) return;
    for (auto& of_bond : coupling_) {
      for (float& J : of_bond.lane) J = job_.couplings[0];
    }
  }

  /// Neighbours, couplings and fields in the order of bonds that defines the chain, and the sites themselves if the
  /// update looks at them.
  void take(const RowBlock& block, bool old_spins) {
    for_pieces(block, [&](auto pieces) { take(block, pieces, old_spins); });
  }
  void put(const RowBlock& block) const {
    for_pieces(block, [&](auto pieces) { put(block, pieces); });
  }

  /// Bonds of the lanes lane, lane + 1, ...
  auto bonds(const Model& model, int lane) const {
    typename Model::Neighbours h{};
    bool first = true;
    if constexpr (M::has_fields) {
      if (job_.fields != nullptr) {
        for (int k = 0; k < field_components; ++k) h.c[k] = Access::load(field_[k].lane + lane);
        first = false;
      }
    }
    for (int bond = 0; bond < 2 * g_.dim; ++bond) {
      typename Model::Site s;
      for (int k = 0; k < n; ++k) s.c[k] = Access::load(neighbour_[bond][k].lane + lane);
      model.add_bond(h, Access::load(coupling_[bond].lane + lane), s, first && bond == 0, bond);
    }
    return h;
  }
  auto spin(int lane) const {
    typename Model::Site s;
    for (int k = 0; k < n; ++k) s.c[k] = Access::load(site_[k].lane + lane);
    return s;
  }
  void set(int lane, const typename Model::Site& s) {
    for (int k = 0; k < n; ++k) Access::store(site_[k].lane + lane, s.c[k]);
  }

 private:
  using Rows = RowBlocks<Wide>;
  using Number = typename Model::Number;
  /// Numbers that are stored of a site, and components of a field.
  static constexpr int n = M::discrete ? 1 : M::components, field_components = M::components;
  static constexpr int most_bonds = 2 * Lattice::max_dim;

  /// Where component k of all sites is stored.
  auto* component(int k) const {
    if constexpr (M::discrete)
      return job_.states + k;
    else
      return job_.spins + k * job_.stride;
  }

  template <class Pieces>
  void take(const RowBlock& block, Pieces pieces, bool old_spins) {
    const RowPlaces own(g_, block, pieces);
    for (int axis = 0; axis < g_.dim; ++axis) {
      for (int direction = 0; direction < 2; ++direction) {
        if (axis == 0) {
          take_bond(block, pieces, own, RowPlaces(g_, block, pieces, own, direction), axis, direction);
        } else {
          const std::int32_t* next = (direction == 0 ? g_.forward : g_.backward) + (axis - 1) * g_.rows;
          take_bond(block, pieces, own, RowPlaces(g_, block, pieces, own, next), axis, direction);
        }
      }
    }
    if constexpr (M::has_fields) {
      for (int k = 0; k < field_components && job_.fields != nullptr; ++k) {
        Rows::take(block, pieces, own, job_.fields + k * job_.stride, field_[k]);
      }
    }
    for (int k = 0; k < n && old_spins; ++k) Rows::take(block, pieces, own, component(k), site_[k]);
  }
  template <class Pieces>
  GLASSWORKS_HD void take_bond(const RowBlock& block, Pieces pieces, const RowPlaces& own, const RowPlaces& beside,
                               int axis, int direction) {
    const int bond = 2 * axis + direction;
    for (int k = 0; k < n; ++k) Rows::take(block, pieces, beside, component(k), neighbour_[bond][k]);
    if (job_.one_coupling) return;
    Rows::take(block, pieces, direction == 0 ? own : beside, job_.couplings + axis * job_.stride, coupling_[bond]);
  }
  template <class Pieces>
  void put(const RowBlock& block, Pieces pieces) const {
    const RowPlaces own(g_, block, pieces);
    for (int k = 0; k < n; ++k) Rows::put(block, pieces, own, site_[k], component(k));
  }

  const ClusterGeometry& g_;
  const LocalSweepJob& job_;
  LaneBuffer<Number> neighbour_[most_bonds][n], site_[n];
  LaneBuffer<float> coupling_[most_bonds], field_[field_components];
};

}}  // namespace glassworks::cpu
