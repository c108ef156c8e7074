#pragma once

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace cpu {

/// The cluster of one site, grown from it: only bonds that reach it are decided, sixteen at a time. Each bond has its
/// own random word, so that the cluster is that of the full decomposition, in whatever order it grows.
template <class Wide>
class GrowKernels {
 public:
  static ClusterOfSite grow(const ClusterGeometry& g, const GrowJob& job, std::int64_t seed, std::int64_t limit,
                            std::uint64_t* to) {
    ClusterOfSite cluster{};
    for_cluster_model(job.arrays.model, [&](auto m) { cluster = Growth<decltype(m)>(g, job, to).grow(seed, limit); });
    return cluster;
  }

  static ClusterChange move(const ClusterGeometry& g, const GrowJob& job, const std::uint64_t* cluster,
                            std::int64_t size, std::uint8_t fate, float multiplier) {
    ClusterChange change{};
    for_cluster_model(job.arrays.model, [&](auto m) {
      using M = decltype(m);
      const auto sites = job.arrays.template sites<M>();
      for (std::int64_t i = 0; i < size; ++i) {
        const auto site = static_cast<std::int64_t>(cluster[i]);
        const typename M::Site old = sites.load(site);
        if constexpr (M::discrete) {
          const typename M::Site next = M::moved(old, fate);
          if (multiplier != 0.0F) change.gain += gain_of<M>(g, job.arrays, site, old, next, multiplier);
          change.moved += next != old ? 1U : 0U;
          sites.store(site, next);
        } else {
          const auto r = SiteArray<typename M::Site>(nullptr, const_cast<float*>(job.direction), 1).load(0);
          sites.store(site, M::moved(old, r, exact::dot(r, old)));
          ++change.moved;
        }
      }
    });
    return change;
  }

 private:
  using F = typename Wide::Float;
  using Access = exact::Lanes<F>;

  /// Where all couplings are equal the first one is as good as any, and stays in the cache: a mask for their places.
  static std::int64_t mask_of(const SpinArrays& a) { return a.uniform && a.negative == nullptr ? 0 : -1; }

  /// How much -E grows if a site changes, its neighbours being what they are: the sum over the sites of a cluster,
  /// moved one after the other, is exact, as each bond has its own rounded term.
  template <class M>
  static std::int64_t gain_of(const ClusterGeometry& g, const SpinArrays& a, std::int64_t site,
                              const typename M::Site& old, const typename M::Site& next, float multiplier) {
    const auto sites = a.template sites<M>();
    const std::int64_t row = site / g.L, x = site - row * g.L;
    const std::int64_t place = mask_of(a);
    std::int64_t gain = 0;
    const auto add = [&](int axis, std::int64_t owner, std::int64_t neighbour) {
      const float J = a.couplings[(axis * a.stride + owner) & place];
      const typename M::Site there = sites.load(neighbour);
      gain += to_fixed_clamped(exact::mul(J, M::product(a.model, next, there)), multiplier);
      gain -= to_fixed_clamped(exact::mul(J, M::product(a.model, old, there)), multiplier);
    };
    const std::int64_t left = x == 0 ? site + g.L - 1 : site - 1;
    add(0, site, x + 1 == g.L ? site + 1 - g.L : site + 1);
    add(0, left, left);
    for (int axis = 1; axis < g.dim; ++axis) {
      const std::int64_t of_axis = (axis - 1) * g.rows + row, behind = g.backward[of_axis] * std::int64_t{g.L} + x;
      add(axis, site, g.forward[of_axis] * std::int64_t{g.L} + x);
      add(axis, behind, behind);
    }
    return gain;
  }

  /// Bonds from the cluster to sites that are not in it, until they are decided: sixteen, and those of one more site.
  struct Bonds {
    static constexpr int room = 32;
    alignas(64) std::uint32_t block[room] = {};
    alignas(64) float exponent[room] = {};  ///< where couplings differ, or of vectors
    std::uint64_t site[room];               ///< as place_of
    std::uint8_t word[room];
    int count = 0;

    /// Those after the first sixteen take their places.
    void remove_sixteen() {
      constexpr int rest = room - 16;
      __builtin_memcpy(block, block + 16, rest * sizeof block[0]);
      __builtin_memcpy(exponent, exponent + 16, rest * sizeof exponent[0]);
      __builtin_memcpy(site, site + 16, rest * sizeof site[0]);
      __builtin_memcpy(word, word + 16, rest * sizeof word[0]);
      count = count > 16 ? count - 16 : 0;
    }
  };

  template <class M>
  class Growth {
   public:
    Growth(const ClusterGeometry& g, const GrowJob& job, std::uint64_t* cluster)
        : g_(g),
          job_(job),
          cluster_(cluster),
          sites_(job.arrays.template sites<M>()),
          rest_{job.random.word1, job.random.word2, job.random.word3},
          place_of_coupling_(mask_of(job.arrays)) {
      if constexpr (!M::discrete) {
        direction_ = SiteArray<typename M::Site>(nullptr, const_cast<float*>(job.direction), 1).load(0);
      }
    }

    ClusterOfSite grow(std::int64_t seed, std::int64_t limit) {
      take(place_of(static_cast<std::int32_t>(seed / g_.L), static_cast<std::int32_t>(seed % g_.L)));
      std::int64_t next = 0;
      while ((next < size_ || bonds_.count > 0) && size_ <= limit) {
        if (next < size_) visit(cluster_[next++]);
        if (bonds_.count >= 16 || (next == size_ && bonds_.count > 0)) decide();
      }
      std::int64_t first = seed;
      for (std::int64_t i = 0; i < size_; ++i) {
        const std::int64_t site = site_at(cluster_[i]);
        cluster_[i] = static_cast<std::uint64_t>(site);
        first = site < first ? site : first;
      }
      return {size_, first, next == size_ && bonds_.count == 0};
    }

   private:
    static std::uint64_t place_of(std::int32_t row, std::int32_t x) {
      return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(x);
    }
    static std::int32_t row_of(std::uint64_t place) { return static_cast<std::int32_t>(place >> 32); }
    static std::int32_t x_of(std::uint64_t place) { return static_cast<std::int32_t>(place & 0xFFFFFFFFU); }
    [[nodiscard]] std::int64_t site_at(std::uint64_t place) const {
      return std::int64_t{row_of(place)} * g_.L + x_of(place);
    }

    /// Branch-free: a site already in the cluster is written past the end and not counted.
    void take(std::uint64_t place) {
      std::uint8_t& reached = job_.reached[site_at(place)];
      cluster_[size_] = place;
      size_ += 1 - reached;
      reached = 1;
    }

    /// Adds the bonds of a site of the cluster. Every bond is written; the counter advances only if it may be active,
    /// because a branch on that would be unpredictable.
    void visit(std::uint64_t place) {
      const std::int32_t row = row_of(place), x = x_of(place), L = g_.L;
      const typename M::Site s = sites_.load(site_at(place));
      const auto add = [&](int axis, std::uint64_t owner, std::uint64_t to) {
        const std::int64_t bond = axis * job_.arrays.stride + site_at(owner), site = site_at(to);
        const float J = job_.arrays.couplings[bond & place_of_coupling_];
        const int n = bonds_.count;
        bool open = job_.reached[site] == 0;
        if constexpr (M::discrete) {
          open &= exact::is_satisfied(J, s, sites_.load(site));
          if (!job_.uniform) bonds_.exponent[n] = exact::satisfied_exponent(job_.minus_factor_beta, J);
        } else {
          const float here = exact::dot(direction_, s), there = exact::dot(direction_, sites_.load(site));
          bonds_.exponent[n] = exact::reflected_exponent(job_.minus_factor_beta, J, here, there);
          open &= bonds_.exponent[n] < 0.0F;
        }
        const auto owner_row = static_cast<std::uint32_t>(row_of(owner)),
                   owner_x = static_cast<std::uint32_t>(x_of(owner));
        if (g_.dim == 1) {
          bonds_.block[n] = owner_x / 4;
          bonds_.word[n] = static_cast<std::uint8_t>(owner_x & 3U);
        } else if (g_.dim == 2) {
          bonds_.block[n] = owner_x + static_cast<std::uint32_t>(L) * (owner_row / 2);
          bonds_.word[n] = static_cast<std::uint8_t>(2 * (owner_row & 1U) + static_cast<std::uint32_t>(axis));
        } else {
          bonds_.block[n] = owner_x + static_cast<std::uint32_t>(L) * owner_row;
          bonds_.word[n] = static_cast<std::uint8_t>(axis);
        }
        bonds_.site[n] = to;
        bonds_.count = n + (open ? 1 : 0);
      };
      const std::uint64_t right = place_of(row, x + 1 == L ? 0 : x + 1), left = place_of(row, x == 0 ? L - 1 : x - 1);
      add(0, place, right);
      add(0, left, left);
      for (int axis = 1; axis < g_.dim; ++axis) {
        const std::int64_t of_axis = (axis - 1) * g_.rows + row;
        const std::uint64_t behind = place_of(g_.backward[of_axis], x);
        add(axis, place, place_of(g_.forward[of_axis], x));
        add(axis, behind, behind);
      }
    }

    /// Decides up to sixteen bonds.
    void decide() {
      alignas(64) std::uint32_t made[4][16], word[16], flag[16];
      const int count = bonds_.count < 16 ? bonds_.count : 16;
      Wide::philox(job_.random.key, bonds_.block, rest_, made);
      for (int n = 0; n < count; ++n) word[n] = made[bonds_.word[n]][n];
      for (int n = count; n < 16; ++n) word[n] = 0;
      std::uint32_t active = 0;
      if (M::discrete && job_.uniform) {
        active = Wide::below(word, job_.threshold);
      } else {
        for (int i = 0; i < 16; i += Access::width) {
          Access::store(flag + i, exact::active_flags(Access::load(bonds_.exponent + i), Access::load(word + i)));
        }
        active = Wide::flags(flag);
      }
      active &= (1U << count) - 1U;
      for (; active != 0; active &= active - 1) take(bonds_.site[__builtin_ctz(active)]);
      bonds_.remove_sixteen();
    }

    const ClusterGeometry& g_;
    const GrowJob& job_;
    std::uint64_t* const cluster_;
    const SiteArray<typename M::Site> sites_;
    const std::uint32_t rest_[3];
    const std::int64_t place_of_coupling_;
    typename M::Site direction_{};
    std::int64_t size_ = 0;
    Bonds bonds_;
  };
};

}}  // namespace glassworks::cpu
