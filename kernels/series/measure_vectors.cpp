#include <mutex>

#include "base/threads.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/series/field_rows.hpp"
#include "kernels/series/series_chirality.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

constexpr FixedScale spin_scale{spin_exponent}, product_scale{product_exponent};

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

/// Vectors of one slot, clock spins among them.
///
/// C_4(r) is the sum over x of g_a g_b, g = s_x.s_{x+r} of one copy: a product of components for each copy, and one
/// product for each pair. q^{mu nu} itself is only needed at k = 0 and k_min.
class VectorSeries {
 public:
  VectorSeries(const SeriesInput& in, int slot)
      : in_(in),
        slot_(slot),
        lattice_(in.lattice()),
        copies_(in.chain.copies),
        n_(components_of(in.chain.model)),
        axes_(lag_axes(lattice_)),
        diagonals_(lag_diagonals(lattice_)),
        blocks_(row_blocks(lattice_, std::max(1, sites_at_once / lattice_.length(0)))),
        kmin_(lattice_),
        spins_(lattice_, copies_ * n_ * (in.kept.empty() ? 1 : 2)) {
    parallel_for(static_cast<std::size_t>(copies_), in.threads, [&](std::size_t copy) {
      const int replica = in.replica(static_cast<int>(copy), slot);
      fill_spins(static_cast<int>(copy), vectors(in.state.spins, states(replica), replica));
    });
  }

  void measure(double* row) {
    put_magnetization(row);
    if (copies_ > 1) {
      put_pairs(row);
      put_chirality(row);
    }
    for (std::size_t t = 0; t < in_.kept.size(); ++t) put_reference(static_cast<int>(t), row);
  }

 private:
  using Q = SeriesQuantity;
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

  /// f(r, displacement, sums) for all lags of some directions is done by `sum`, of each block of rows.
  template <class Sum>
  [[nodiscard]] std::vector<std::int64_t> profile(std::span<const Displacement> steps, const Sum& sum) const {
    std::vector<std::int64_t> total(static_cast<std::size_t>(in_.layout.lags()), 0);
    std::mutex mutex;
    parallel_for(blocks_.size(), in_.threads, [&](std::size_t block) {
      std::vector<std::int64_t> own(total.size(), 0);
      for (std::size_t r = 0; r < own.size(); ++r) {
        for (const Displacement& step : steps) {
          const Displacement d = times(static_cast<int>(r), step);
          for_row_runs(lattice_, d, blocks_[block], [&](const RowRun& run) { own[r] += sum(run, d[0]); });
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t r = 0; r < own.size(); ++r) total[r] += own[r];
    });
    return total;
  }
  /// sum_b g_a g_b over the bonds of the lattice and the pairs of groups.
  [[nodiscard]] std::int64_t link_sum(int copies, std::span<const CopyGroup> groups) const {
    std::int64_t total = 0;
    std::mutex mutex;
    parallel_for(blocks_.size(), in_.threads, [&](std::size_t block) {
      std::int64_t own = 0;
      for (int bond = 0; bond < lattice_.owned(); ++bond) {
        const Displacement d = bond_displacement(lattice_, bond);
        for_row_runs(lattice_, d, blocks_[block], [&](const RowRun& run) {
          own += in_.kernels.pair_sum(spins_.run(0, run, d[0]), copies, n_, groups);
        });
      }
      const std::lock_guard lock(mutex);
      total += own;
    });
    return total;
  }
  [[nodiscard]] double bonds() const { return static_cast<double>(lattice_.bonds()); }

  void put_magnetization(double* row) const {
    constexpr FixedScale fine{24};
    const SeriesLayout& layout = in_.layout;
    struct OfCopy {
      std::vector<std::int64_t> total;
      double at_kmin = 0.0;
    };
    std::vector<OfCopy> copies(static_cast<std::size_t>(copies_));
    const double scale = fine.unit() / in_.sites();
    parallel_for(copies.size(), in_.threads, [&](std::size_t copy) {
      const int replica = in_.replica(static_cast<int>(copy), slot_);
      const Floats spins = vectors(in_.state.spins, states(replica), replica);
      PlaneSums sums(lattice_);
      std::vector<std::int32_t> fixed(static_cast<std::size_t>(lattice_.length(0)));
      for (int k = 0; k < n_; ++k) {
        const auto& planes = sums.of_rows([&](std::int64_t r) {
          const float* from = spins.data() + k * lattice_.sites() + r * lattice_.length(0);
          for (std::size_t x = 0; x < fixed.size(); ++x) fixed[x] = to_fixed(from[x], fine.multiplier());
          return fixed.data();
        });
        copies[copy].total.push_back(total_of(lattice_, planes));
        copies[copy].at_kmin += kmin_.mean(planes, scale);
      }
    });
    double square = 0.0, at_kmin = 0.0;
    std::vector<std::int64_t> total(static_cast<std::size_t>(n_), 0);
    for (const OfCopy& copy : copies) {
      for (std::size_t k = 0; k < total.size(); ++k) {
        total[k] += copy.total[k];
        const double m = static_cast<double>(copy.total[k]) * scale;
        square += m * m;
      }
      at_kmin += copy.at_kmin;
    }
    for (int k = 0; k < n_; ++k) {
      row[layout.at(Q::magnetization, k)] = static_cast<double>(total[static_cast<std::size_t>(k)]) * scale / copies_;
    }
    row[layout.at(Q::magnetization_2)] = square / copies_;
    row[layout.at(Q::magnetization_along_kmin)] = at_kmin / copies_;
  }

  void put_pairs(double* row) const {
    const SeriesLayout& layout = in_.layout;
    const std::vector<CopyGroup> groups = groups_of(in_.pairs);
    const auto number = static_cast<double>(in_.pairs.size());
    const double scale = product_scale.unit() / in_.sites(), term = product_scale.unit() * product_scale.unit();
    const auto of_pairs = [&](const RowRun& run, int dx) {
      return in_.kernels.pair_sum(spins_.run(0, run, dx), copies_, n_, groups);
    };
    put_profile(layout, Q::c4_axis, 0, profile(axes_, of_pairs), axes_, term, number, row);
    if (layout.has(Q::c4_diagonal)) {
      put_profile(layout, Q::c4_diagonal, 0, profile(diagonals_, of_pairs), diagonals_, term, number, row);
    }
    row[layout.at(Q::link_overlap)] = static_cast<double>(link_sum(copies_, groups)) * term / (bonds() * number);
    std::vector<double> square(in_.pairs.size(), 0.0), at_kmin(in_.pairs.size(), 0.0);
    parallel_for(in_.pairs.size(), in_.threads, [&](std::size_t p) {
      PlaneSums sums(lattice_);
      for (int k = 0; k < n_ * n_; ++k) {
        const auto& planes = sums.of(spins_, in_.pairs[p].a * n_ + k / n_, in_.pairs[p].b * n_ + k % n_, in_.kernels);
        const double q = static_cast<double>(total_of(lattice_, planes)) * scale;
        square[p] += q * q;
        at_kmin[p] += kmin_.mean(planes, scale);
      }
    });
    for (std::size_t p = 0; p < square.size(); ++p) {
      row[layout.at(Q::overlap_2)] += square[p] / number;
      row[layout.at(Q::overlap_kmin)] += at_kmin[p] / number;
    }
  }

  void put_chirality(double* row) const {
    const SeriesLayout& layout = in_.layout;
    if (!layout.has(Q::chiral_2)) return;
    const SeriesChirality chirality = chirality_of(in_.chain.model, lattice_);
    const ChiralDirections directions(chirality, lattice_);
    const std::vector<CopyGroup> groups = groups_of(in_.pairs);
    // Plaquettes have kappa/sqrt(2): products of two of them are half of q_c.
    const double whole = chirality == SeriesChirality::of_plaquettes ? 2.0 : 1.0;
    const double scale = whole * product_scale.unit() / in_.sites();
    const double term = whole * whole * product_scale.unit() * product_scale.unit();
    const auto number = static_cast<double>(in_.pairs.size());
    double zero = 0.0, at_kmin[2] = {};
    std::vector<std::int64_t> lags[2];
    std::vector<Displacement> steps[2];
    for (auto& l : lags) l.assign(static_cast<std::size_t>(layout.lags()), 0);
    FieldRows kappa(lattice_, copies_);
    for (int mu = 0; mu < directions.orientations; ++mu) {
      fill_chirality(in_, slot_, mu, kappa);
      std::vector<double> own_zero(in_.pairs.size(), 0.0), own[2];
      for (auto& o : own) o.assign(in_.pairs.size(), 0.0);
      parallel_for(in_.pairs.size(), in_.threads, [&](std::size_t p) {
        PlaneSums sums(lattice_);
        const auto& planes = sums.of(kappa, in_.pairs[p].a, in_.pairs[p].b, in_.kernels);
        const double q = static_cast<double>(total_of(lattice_, planes)) * scale;
        own_zero[p] = q * q;
        for (const Displacement& step : axes_) {
          const int axis = axis_of(step);
          own[is_parallel(chirality, mu, axis, lattice_.dim) ? 0 : 1][p] += kmin_.along(axis, planes, scale);
        }
      });
      for (std::size_t p = 0; p < own_zero.size(); ++p) {
        zero += own_zero[p];
        for (int i = 0; i < 2; ++i) at_kmin[i] += own[i][p];
      }
      for (const Displacement& step : axes_) {
        const int i = is_parallel(chirality, mu, axis_of(step), lattice_.dim) ? 0 : 1;
        const std::vector<std::int64_t> sums = profile({&step, 1}, [&](const RowRun& run, int dx) {
          return in_.kernels.pair_sum(kappa.run(0, run, dx), copies_, 1, groups);
        });
        for (std::size_t r = 0; r < sums.size(); ++r) lags[i][r] += sums[r];
        steps[i].push_back(step);
      }
    }
    row[layout.at(Q::chiral_2)] = zero / (directions.orientations * number);
    if (directions.parallel > 0) {
      row[layout.at(Q::chiral_kmin_parallel)] = at_kmin[0] / (directions.parallel * number);
      put_profile(layout, Q::chiral_axis_parallel, 0, lags[0], steps[0], term, number, row);
    }
    if (directions.perpendicular > 0) {
      row[layout.at(Q::chiral_kmin_perpendicular)] = at_kmin[1] / (directions.perpendicular * number);
      put_profile(layout, Q::chiral_axis_perpendicular, 0, lags[1], steps[1], term, number, row);
    }
  }
  [[nodiscard]] static int axis_of(const Displacement& step) {
    int axis = 0;
    while (step[static_cast<std::size_t>(axis)] == 0) ++axis;
    return axis;
  }

  void put_reference(int reference, double* row) {
    const KeptSpins& kept = in_.kept[static_cast<std::size_t>(reference)];
    FieldRows c(lattice_, copies_);
    std::vector<std::int64_t> total(static_cast<std::size_t>(copies_));
    std::vector<double> at_kmin(total.size());
    const double scale = product_scale.unit() / in_.sites(), term = product_scale.unit() * product_scale.unit();
    parallel_for(total.size(), in_.threads, [&](std::size_t i) {
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
          const std::int16_t* t = spins_.row((copies_ + copy) * n_ + k, r);
          for (int x = 0; x < lattice_.length(0); ++x) {
            to[x] = static_cast<std::int16_t>(to[x] + rounded_product(s[x], t[x]));
          }
        }
        c.continue_row(copy, r);
      }
      PlaneSums sums(lattice_);
      const auto& planes = sums.of_rows([&](std::int64_t r) { return std::as_const(c).row(copy, r); });
      total[i] = total_of(lattice_, planes);
      at_kmin[i] = kmin_.mean(planes, scale);
    });
    std::vector<CopyGroup> groups;
    std::int64_t sum = 0;
    double kmin = 0.0;
    for (int copy = 0; copy < copies_; ++copy) {
      groups.push_back({copy, 1, {copies_ + copy}});
      sum += total[static_cast<std::size_t>(copy)];
      kmin += at_kmin[static_cast<std::size_t>(copy)];
    }
    const SeriesLayout& layout = in_.layout;
    row[layout.at(Q::correlation, 0, reference)] = static_cast<double>(sum) * scale / copies_;
    row[layout.at(Q::link_correlation, 0, reference)] =
        static_cast<double>(link_sum(2 * copies_, groups)) * term / (bonds() * copies_);
    row[layout.at(Q::correlation_kmin, 0, reference)] = kmin / copies_;
    const std::vector<std::int64_t> lags = profile(axes_, [&](const RowRun& run, int dx) {
      std::int64_t of_copies = 0;
      for (int copy = 0; copy < copies_; ++copy) of_copies += in_.kernels.product_sum(c.run(copy, run, dx));
      return of_copies;
    });
    put_profile(layout, Q::c22_axis, reference, lags, axes_, term, copies_, row);
  }

  const SeriesInput& in_;
  int slot_;
  Lattice lattice_;
  int copies_, n_;
  std::vector<Displacement> axes_, diagonals_;
  std::vector<RowBlock> blocks_;
  KminSquares kmin_;
  FieldRows spins_;  ///< [copy][component], then those at a reference time
};

}  // namespace

void measure_vectors(const SeriesInput& in, int slot, double* row) { VectorSeries(in, slot).measure(row); }

}}  // namespace glassworks::series
