#include <algorithm>
#include <mutex>

#include "base/threads.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/series/field_rows.hpp"
#include "kernels/series/graph_sums.hpp"
#include "kernels/series/series_chirality.hpp"
#include "kernels/series/series_sums.hpp"
#include "kernels/series/vector_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

constexpr FixedScale spin_scale{spin_exponent};

/// Pairs as sums over the partners of each copy.
std::vector<CopyGroup> groups_of(std::span<const SeriesPair> pairs) {
  std::vector<CopyGroup> groups;
  for (const SeriesPair& pair : pairs) {
    auto group = groups.begin();
    while (group != groups.end() && (group->copy != pair.a || group->count == CopyGroup::most)) ++group;
    if (group == groups.end()) group = groups.insert(groups.end(), CopyGroup{pair.a, 0, {}});
    group->partner[group->count++] = pair.b;
  }
  return groups;
}

/// The sums of vectors of one slot, clock spins among them.
///
/// C_4(r) is the sum over x of g_a g_b, g = s_x.s_{x+r} of one copy: a product of components for each copy, and one
/// product for each pair. q^{mu nu} itself is only needed at k = 0 and k_min.
class VectorSeries {
 public:
  VectorSeries(const SeriesInput& in, int slot)
      : in_(in),
        slot_(slot),
        lattice_(in.lattice()),
        places_(in.layout, in.kept.size()),
        copies_(places_.copies),
        n_(places_.components),
        groups_(groups_of(in.pairs)),
        blocks_(row_blocks(lattice_, std::max(1, sites_at_once / lattice_.length(0)))),
        spins_(lattice_, copies_ * n_ * (in.kept.empty() ? 1 : 2)),
        sums_(places_.size, 0) {
    for (std::int64_t i = 0; in_.graph() != nullptr && i < lattice_.sites(); ++i) {
      const std::int16_t* const at = spins_.row(0, i / lattice_.length(0)) + i % lattice_.length(0);
      site_places_.push_back(static_cast<std::size_t>(at - spins_.row(0, 0)));
    }
    parallel_for(static_cast<std::size_t>(copies_), in.threads, [&](std::size_t copy) {
      const int replica = in.replica(static_cast<int>(copy), slot);
      fill_spins(static_cast<int>(copy), vectors(in.state.spins, states(replica), replica));
    });
  }

  void measure(double* row) {
    add_magnetization();
    if (copies_ > 1) {
      add_pairs();
      add_chirality();
    }
    for (std::size_t t = 0; t < in_.kept.size(); ++t) add_reference(t);
    put_vectors(in_.layout, places_, sums_, row);
  }

 private:
  static constexpr int sites_at_once = 8192;  ///< of one field: the fields of a block stay in the cache
  using Floats = std::vector<float>;

  [[nodiscard]] const std::uint8_t* states(int replica) const {
    return in_.chain.model.is_discrete() ? in_.state.states.data() + replica * lattice_.sites() : nullptr;
  }
  /// Vectors of a replica [component][site].
  [[nodiscard]] Floats vectors(const std::vector<float>& spins, const std::uint8_t* states, int replica) const {
    const auto size = static_cast<std::ptrdiff_t>(n_ * lattice_.sites());
    if (!in_.chain.model.is_discrete()) return {spins.begin() + replica * size, spins.begin() + (replica + 1) * size};
    Floats components(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      const exact::Vector<2> s = Clock::spin(in_.chain.model, states[i]);
      components[static_cast<std::size_t>(i)] = s.c[0];
      components[static_cast<std::size_t>(lattice_.sites() + i)] = s.c[1];
    }
    return components;
  }
  void fill_spins(int copy, const Floats& components) {
    const int length = lattice_.length(0);
    const float* from = components.data();
    for (int k = 0; k < n_; ++k) {
      for (std::int64_t row = 0; row < lattice_.rows(); ++row, from += length) {
        std::int16_t* to = spins_.row(copy * n_ + k, row);
        for (int x = 0; x < length; ++x) to[x] = static_cast<std::int16_t>(to_fixed(from[x], spin_scale.multiplier()));
        spins_.continue_row(copy * n_ + k, row);
      }
    }
  }

  /// Plane sums number i of those that begin at `first`.
  void put_planes(std::size_t first, std::size_t i, const std::vector<std::int64_t>& planes) {
    std::ranges::copy(planes, VectorSumLayout::array(std::span(sums_), first, places_.of_planes(), i).begin());
  }

  /// Adds the sums of `sum`, over a run of rows with a displacement along x, of lags first .. first + count - 1 of some
  /// directions to those that begin at `to` [direction][lag].
  template <class Sum>
  void add_lags(std::span<const Displacement> steps, int first, int count, std::size_t to, const Sum& sum) {
    std::mutex mutex;
    const auto lags = static_cast<std::size_t>(count);
    parallel_for(blocks_.size(), in_.threads, [&](std::size_t block) {
      std::vector<std::int64_t> own(steps.size() * lags, 0);
      for (std::size_t r = 0; r < lags; ++r) {
        for (std::size_t direction = 0; direction < steps.size(); ++direction) {
          const Displacement d = times(first + static_cast<int>(r), steps[direction]);
          for_row_runs(lattice_, d, blocks_[block],
                       [&](const RowRun& run) { own[direction * lags + r] += sum(run, d[0]); });
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < own.size(); ++i) sums_[to + i] += own[i];
    });
  }
  /// Plane sums of value(site) of a graph whose sites are one row.
  template <class Value>
  [[nodiscard]] std::vector<std::int64_t> planes_of_graph(const Value& value) const {
    std::vector<std::int32_t> of_site;
    for (std::size_t i = 0; i < site_places_.size(); ++i) of_site.push_back(value(i));
    return graph_planes(in_.chain.lattice, *in_.graph(), of_site);
  }
  /// add_links on a graph.
  [[nodiscard]] std::int64_t graph_link(const CopyGroup& group) const {
    const auto g = [&](int copy, std::size_t i, std::size_t j) {
      std::int64_t sum = 0;
      for (int k = 0; k < n_; ++k) {
        const std::int16_t* const s = spins_.row(copy * n_ + k, 0);
        sum += rounded_product(s[site_places_[i]], s[site_places_[j]]);
      }
      return sum;
    };
    return graph_links(*in_.graph(), [&](std::size_t i, std::size_t j) {
      std::int64_t partners = 0;
      for (int p = 0; p < group.count; ++p) partners += g(group.partner[p], i, j);
      return g(group.copy, i, j) * partners;
    });
  }
  /// sum_b g_a g_b over the bonds of the lattice and the pairs of groups.
  void add_links(int copies, std::span<const CopyGroup> groups, std::size_t to) {
    if (in_.graph() != nullptr) {
      std::vector<std::int64_t> links(groups.size());
      parallel_for(groups.size(), in_.threads, [&](std::size_t i) { links[i] = graph_link(groups[i]); });
      for (const std::int64_t link : links) sums_[to] += link;
      return;
    }
    std::vector<Displacement> steps;
    for (int bond = 0; bond < lattice_.owned(); ++bond) steps.push_back(bond_displacement(lattice_, bond));
    add_lags(steps, 1, 1, to, [&](const RowRun& run, int dx) {
      return in_.kernels.pair_sum(spins_.run(0, run, dx), copies, n_, groups);
    });
  }

  void add_magnetization() {
    constexpr FixedScale fine{magnetization_exponent};
    parallel_for(static_cast<std::size_t>(copies_), in_.threads, [&](std::size_t copy) {
      const int replica = in_.replica(static_cast<int>(copy), slot_);
      const Floats spins = vectors(in_.state.spins, states(replica), replica);
      PlaneSums sums(lattice_);
      std::vector<std::int32_t> fixed(static_cast<std::size_t>(lattice_.length(0)));
      for (int k = 0; k < n_; ++k) {
        const std::size_t place = static_cast<std::size_t>(static_cast<int>(copy) * n_ + k);
        if (!in_.has_planes_of_rows()) {
          const float* const s = spins.data() + k * lattice_.sites();
          put_planes(places_.magnetization, place,
                     planes_of_graph([&](std::size_t i) { return to_fixed(s[i], fine.multiplier()); }));
          continue;
        }
        const auto& of_planes = sums.of_rows([&](std::int64_t r) {
          const float* from = spins.data() + k * lattice_.sites() + r * lattice_.length(0);
          for (std::size_t x = 0; x < fixed.size(); ++x) fixed[x] = to_fixed(from[x], fine.multiplier());
          return fixed.data();
        });
        put_planes(places_.magnetization, place, of_planes);
      }
    });
  }

  void add_pairs() {
    const auto of_pairs = [&](const RowRun& run, int dx) {
      return in_.kernels.pair_sum(spins_.run(0, run, dx), copies_, n_, groups_);
    };
    add_lags(places_.axes, 0, places_.lags, places_.axis, of_pairs);
    add_lags(places_.diagonals, 0, places_.lags, places_.diagonal, of_pairs);
    add_links(copies_, groups_, places_.link);
    parallel_for(in_.pairs.size(), in_.threads, [&](std::size_t p) {
      PlaneSums sums(lattice_);
      for (int k = 0; k < n_ * n_; ++k) {
        const int a = in_.pairs[p].a * n_ + k / n_, b = in_.pairs[p].b * n_ + k % n_;
        const std::size_t place = static_cast<std::size_t>(static_cast<int>(p) * n_ * n_ + k);
        if (in_.has_planes_of_rows()) {
          put_planes(places_.overlap, place, sums.of(spins_, a, b, in_.kernels));
        } else {
          const std::int16_t *const s = spins_.row(a, 0), *const t = spins_.row(b, 0);
          put_planes(places_.overlap, place,
                     planes_of_graph([&](std::size_t i) { return rounded_product(s[i], t[i]); }));
        }
      }
    });
  }

  void add_chirality() {
    if (places_.orientations == 0) return;
    FieldRows kappa(lattice_, copies_);
    const std::size_t of_orientation = places_.axes.size() * places_.of_lags();
    for (int mu = 0; mu < places_.orientations; ++mu) {
      fill_chirality(in_, slot_, mu, kappa);
      const auto orientation = static_cast<std::size_t>(mu);
      parallel_for(in_.pairs.size(), in_.threads, [&](std::size_t p) {
        PlaneSums sums(lattice_);
        const auto& of_planes = sums.of(kappa, in_.pairs[p].a, in_.pairs[p].b, in_.kernels);
        put_planes(places_.chirality, orientation * in_.pairs.size() + p, of_planes);
      });
      add_lags(
          places_.axes, 0, places_.lags, places_.chiral_axis + orientation * of_orientation,
          [&](const RowRun& run, int dx) { return in_.kernels.pair_sum(kappa.run(0, run, dx), copies_, 1, groups_); });
    }
  }

  void add_reference(std::size_t t) {
    const KeptSpins& kept = in_.kept[t];
    FieldRows c(lattice_, copies_);
    const auto copies = static_cast<std::size_t>(copies_);
    parallel_for(copies, in_.threads, [&](std::size_t i) {
      const int copy = static_cast<int>(i), replica = in_.replica(copy, slot_);
      std::vector<std::uint8_t> then;
      if (in_.chain.model.is_discrete()) {
        then.resize(static_cast<std::size_t>(lattice_.sites()));
        kept_states(in_.chain, kept, replica, then);
      }
      fill_spins(copies_ + copy, vectors(kept.spins, then.data(), replica));
      for (std::int64_t r = 0; r < lattice_.rows(); ++r) {
        std::int16_t* to = c.row(copy, r);
        for (int k = 0; k < n_; ++k) {
          const std::int16_t* s = spins_.row(copy * n_ + k, r);
          const std::int16_t* then_s = spins_.row((copies_ + copy) * n_ + k, r);
          for (int x = 0; x < lattice_.length(0); ++x) {
            to[x] = static_cast<std::int16_t>(to[x] + rounded_product(s[x], then_s[x]));
          }
        }
        c.continue_row(copy, r);
      }
      if (!in_.has_planes_of_rows()) {
        const std::int16_t* const of_copy = std::as_const(c).row(copy, 0);
        put_planes(places_.correlation, t * copies + i,
                   planes_of_graph([&](std::size_t site) { return std::int32_t{of_copy[site]}; }));
        return;
      }
      PlaneSums sums(lattice_);
      const auto& of_planes = sums.of_rows([&](std::int64_t r) { return std::as_const(c).row(copy, r); });
      put_planes(places_.correlation, t * copies + i, of_planes);
    });
    std::vector<CopyGroup> groups;
    for (int copy = 0; copy < copies_; ++copy) groups.push_back({copy, 1, {copies_ + copy}});
    add_links(2 * copies_, groups, places_.link_correlation + t * static_cast<std::size_t>(places_.bonds));
    add_lags(places_.axes, 0, places_.lags, places_.c22 + t * places_.axes.size() * places_.of_lags(),
             [&](const RowRun& run, int dx) {
               std::int64_t of_copies = 0;
               for (int copy = 0; copy < copies_; ++copy) of_copies += in_.kernels.product_sum(c.run(copy, run, dx));
               return of_copies;
             });
  }

  const SeriesInput& in_;
  int slot_;
  Lattice lattice_;
  VectorSumLayout places_;
  int copies_, n_;
  std::vector<CopyGroup> groups_;
  std::vector<RowBlock> blocks_;
  FieldRows spins_;                       ///< [copy][component], then those at a reference time
  std::vector<std::size_t> site_places_;  ///< of a graph: in a field of rows [site]
  std::vector<std::int64_t> sums_;
};

}  // namespace

void measure_vectors(const SeriesInput& in, int slot, double* row) { VectorSeries(in, slot).measure(row); }

}}  // namespace glassworks::series
