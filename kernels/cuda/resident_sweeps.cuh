#pragma once

#include <type_traits>

#include "kernels/core/step_words.hpp"
#include "kernels/cuda/approximate_exp.cuh"
#include "kernels/cuda/resident_item.cuh"
#include "kernels/models/ising_decision.hpp"
#include "kernels/models/unit_vectors.hpp"

namespace glassworks { inline namespace cuda {

/// The sweeps of the work item that a group of threads has in its registers, and its energy.
///
/// Meeting  how the threads of an item meet: arrive() shows a half-sweep's new spins, await_slabs() waits for those of
///          other slabs, end_step(item, energy of the warp) is the last arrive() of a step; by all threads of the item
template <class Shape, bool with_fields, class Meeting>
class ResidentSweeps {
 public:
  using V = exact::Vector<Shape::components>;
  static constexpr VectorChain chain = Shape::Chain::value;
  static constexpr bool is_ising = chain == IsingChain::value;
  using Item = ResidentItem<Shape, with_fields>;

 protected:
  __device__ __forceinline__ ResidentSweeps(const DeviceBatch& batch, const Meeting& meeting)
      : b_(batch), turns_(meeting), item_(turns_.has_sites() ? turns_.thread_of_group() : 0, !turns_.has_sites()) {}

  /// All sweeps of a step. number: of the replica in its task; step: since the start of the realization; the others as
  /// for local_updates
  __device__ __forceinline__ void do_step(unsigned item, int task, int number, std::uint64_t step,
                                          const exact::HeatBathTemperature<float>& temperature) {
    const int n_T = b_.protocol.sweeps_per_exchange, n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
    if constexpr (is_ising) {
      begin_ising_step(task, number, step, temperature);
#pragma unroll 1
      for (int sweep = 0; sweep < n_T * n_B; ++sweep) ising_sweep(task, number, temperature);
    } else {
#pragma unroll 1
      for (int t = 0; t < n_T; ++t) {
#pragma unroll 1
        for (int sweep = 0; sweep < n_M; ++sweep) {
          over_relax();
        }
#pragma unroll 1
        for (int m = 0; m < n_B; ++m) {
          const std::uint64_t index =
              (step * static_cast<unsigned>(n_T) + static_cast<unsigned>(t)) * static_cast<unsigned>(n_B) +
              static_cast<unsigned>(m);
          local_updates(item, task, number, temperature, index, t + 1 == n_T && m + 1 == n_B);
        }
      }
    }
    finish_step(item, task);
  }

  /// An over-relaxation sweep.
  __device__ __forceinline__ void over_relax() {
    for_both_halves([&](auto parity, int) {
      for_fields<parity.value>([&](int n, const V& h) {
        const int k = n / 2, q = q_of<parity.value>(n);
        item_.set(k, q, exact::over_relax(item_.spin(k, q), h));
      });
      turns_.arrive();
    });
  }

  /// The local sweep number `index`. item: for Meeting::end_step; temperature: of the item, in shared memory; last: of
  /// a step; the energy comes with it, where it is formed from local fields.
  __device__ __forceinline__ void local_updates(unsigned item, int task, int number,
                                                const exact::HeatBathTemperature<float>& temperature,
                                                std::uint64_t index, bool last) {
    for_both_halves([&](auto parity, int half) {
      local_updates<parity.value>(half, item, task, number, temperature, index, last);
    });
  }
  /// half: parity of the sites in the lattice
  template <int parity>
  __device__ __forceinline__ void local_updates(int half, unsigned item, int task, int number,
                                                const exact::HeatBathTemperature<float>& temperature,
                                                std::uint64_t index, bool last) {
    const bool with_energy = !chain.energy_of_bonds && last;
    if (half == 1) energy_ = 0;
    const std::uint32_t realization = b_.d_realization[task];
    const auto replica = static_cast<std::uint32_t>(number);
    const float multiplier = b_.energy_scale(task).multiplier();
    RandomBlock u;
    for_fields<parity>([&](int n, const V& h) {
      const int k = n / 2, i = n % 2, q = q_of<parity>(n);
      if (i == 0) {  // the two sites of a plane share a random block
        u = random_block(b_.key, chain.local_stream, realization, replica, 2 * index + static_cast<unsigned>(half),
                         item_.cell(k));
      }
      const V spin = exact::local_update(item_.spin(k, q), h, temperature, index, u.word[2 * i], u.word[2 * i + 1]);
      if (half == 1 && with_energy) energy_ += to_fixed(exact::dot(spin, h), multiplier);
      item_.set(k, q, spin);
    });
    if (half == 1 && with_energy) {
      if (with_fields) add_field_energies<1 - parity>(multiplier);
      turns_.end_step(item, energy_in_warp());
    } else {
      turns_.arrive();
    }
  }

  /// Before the sweeps of a step of ising. Arguments as for do_step
  __device__ __forceinline__ void begin_ising_step(int task, int number, std::uint64_t step,
                                                   const exact::HeatBathTemperature<float>& temperature) {
    const int sweeps = b_.protocol.sweeps_per_exchange * b_.protocol.heatbath;
    ising_.sweep = 2 * (step * static_cast<unsigned>(sweeps));
    ising_.decision = IsingDecision(temperature.minus_two_beta);
    take_words(task, number);
    energy_ = 0;
  }
  /// The next local sweep of ising: the bits of local_updates.
  __device__ __forceinline__ void ising_sweep(int task, int number,
                                              const exact::HeatBathTemperature<float>& temperature) {
    for_both_halves([&](auto parity, int half) { ising_half_sweep<parity.value>(half, temperature); });
    ising_.sweep += 2;
    if (static_cast<std::uint32_t>(ising_.sweep) == 0) take_words(task, number);
  }

  /// What ends a step where the energy is a sum over bonds: brings |s| back to 1, then adds the terms of all bonds, at
  /// the sites of odd parity, and of the fields.
  __device__ __forceinline__ void finish_step(unsigned item, int task) {
    if constexpr (chain.energy_of_bonds) {
      turns_.await_slabs();
      if constexpr (chain.renormalizes) {
#pragma unroll
        for (int n = 0; n < 2 * Item::sites_of_parity; ++n) {
          const int k = n / 4, q = n % 4;
          item_.set(k, q, exact::renormalize(item_.spin(k, q)));
        }
        turns_.arrive();
        turns_.await_slabs();
      }
      const float multiplier = b_.energy_scale(task).multiplier();
#pragma unroll
      for (int n = 0; n < Item::sites_of_parity; ++n) {
        const int k = n / 2, q = q_of<1>(n);
        const V s = item_.spin(k, q);
        typename Item::Far far;
        load<1>(n, far);
        item_.for_each_bond(k, q, far, [&](float J, const V& neighbour) {
          energy_ += to_fixed(exact::mul(J, exact::dot(s, neighbour)), multiplier);
        });
        if (with_fields) energy_ += to_fixed(exact::dot(item_.site_field(k, q), s), multiplier);
      }
      if (with_fields) add_field_energies<0>(multiplier);
      turns_.end_step(item, energy_in_warp());
    }
  }

  const DeviceBatch& b_;
  Meeting turns_;
  Item item_;

 private:
  __device__ __forceinline__ void take_words(int task, int number) {
    ising_.words.begin(b_.key, chain.local_stream, b_.d_realization[task], static_cast<std::uint32_t>(number),
                       ising_.sweep, [&](int k) { return item_.cell(k); });
  }
  /// Most spins follow from the approximate exponential. Where one of a thread does not, the thread repeats the
  /// half-sweep with the exact one, which changes nothing else: its neighbours are of the other parity.
  template <int parity>
  __device__ __forceinline__ void ising_half_sweep(int half, const exact::HeatBathTemperature<float>& temperature) {
    const auto exp2 = [](float x) { return approximate_exp2(x); };
    std::uint32_t words[Item::sites_of_parity];
    ising_.words.draw(b_.key, static_cast<std::uint32_t>(ising_.sweep) + static_cast<unsigned>(half), words);
    float nearest = 0.0F;
    for_fields<parity>([&](int n, const V& h) {
      float distance;
      const float field = with_fields ? exact::add(h.c[0], 0.0F) : h.c[0];  // +0 instead of -0
      V spin{{ising_.decision.spin(field, words[n], exp2, distance)}};
      if constexpr (Shape::blocks > 1) {  // repeating would wait for other blocks
        if (IsingDecision::unsure(distance)) spin = exact_spin(h, words[n], temperature);
      } else {
        nearest = n == 0 ? distance : fminf(nearest, distance);
      }
      item_.set(n / 2, q_of<parity>(n), spin);
    });
    if (Shape::blocks == 1 && IsingDecision::unsure(nearest)) {
      for_fields<parity>(
          [&](int n, const V& h) { item_.set(n / 2, q_of<parity>(n), exact_spin(h, words[n], temperature)); });
    }
    turns_.arrive();
  }
  static __device__ __forceinline__ V exact_spin(const V& h, std::uint32_t word,
                                                 const exact::HeatBathTemperature<float>& temperature) {
    return exact::local_update(V{}, h, temperature, 0, word, 0U);
  }
  /// half(parity of the sites in this block, parity of the sites in the lattice), the even sites of the lattice first.
  template <class Half>
  __device__ __forceinline__ void for_both_halves(const Half& half) {
    constexpr std::integral_constant<int, 0> even{};
    constexpr std::integral_constant<int, 1> odd{};
    if constexpr (Shape::odd_slabs) {
      const int first = Item::begins_odd();
#pragma unroll 1
      for (int n = 0; n < 2; ++n) {
        if (n == first) {
          half(even, n);
        } else {
          half(odd, n);
        }
      }
    } else {
      half(even, 0);
      half(odd, 1);
    }
  }
  /// Local fields of the sites of a parity, site by site: use(n, h) gets them. The loads of a site run ahead of the
  /// arithmetic of the one before.
  template <int parity, class Use>
  __device__ __forceinline__ void for_fields(const Use& use) {
    if constexpr (Shape::blocks == 1) {
      fields_in_block<parity, 0, Item::sites_of_parity>(use);
    } else if constexpr (Shape::odd_slabs) {
      // Registers are too scarce to keep fields of the outer planes.
      constexpr int outer = Item::sites_of_parity - 2;
      fields_in_block<parity, 2, outer>(use);
      turns_.await_slabs();
      fields_in_block<parity, 0, 2>(use);
      fields_in_block<parity, outer, outer + 2>(use);
    } else {
      // Inner planes, then what the outer ones need of this slab, while the other blocks finish; then the rest.
      constexpr int outer = Item::sites_of_parity - 2;
      fields_in_block<parity, 2, outer>(use);
      constexpr int site[4] = {0, 1, outer, outer + 1};
      typename Item::Far far[2];
      V h[4];
      item_.load_in_plane(0, q_of<parity>(0), far[0]);
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        if (m < 3) item_.load_in_plane(site[m + 1] / 2, q_of<parity>(site[m + 1]), far[(m + 1) & 1]);
        h[m] = item_.add_in_plane(site[m] / 2, q_of<parity>(site[m]), far[m & 1]);
      }
      turns_.await_slabs();
      item_.load_across(0, q_of<parity>(0), far[0]);
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        if (m < 3) item_.load_across(site[m + 1] / 2, q_of<parity>(site[m + 1]), far[(m + 1) & 1]);
        use(site[m], item_.add_across(site[m] / 2, q_of<parity>(site[m]), far[m & 1], h[m]));
      }
    }
  }
  /// Sites first .. end - 1 of a parity, whose neighbours are all in the block.
  template <int parity, int first, int end, class Use>
  __device__ __forceinline__ void fields_in_block(const Use& use) {
    if constexpr (first < end) {
      typename Item::Far far[2];
      load<parity>(first, far[first & 1]);
#pragma unroll
      for (int n = first; n < end; ++n) {
        if (n + 1 < end) load<parity>(n + 1, far[(n + 1) & 1]);
        const V h = item_.add_in_plane(n / 2, q_of<parity>(n), far[n & 1]);
        use(n, item_.add_across(n / 2, q_of<parity>(n), far[n & 1], h));
      }
    }
  }
  template <int parity>
  __device__ __forceinline__ void load(int n, typename Item::Far& far) const {
    item_.load_in_plane(n / 2, q_of<parity>(n), far);
    item_.load_across(n / 2, q_of<parity>(n), far);
  }
  template <int parity>
  static __device__ __forceinline__ constexpr int q_of(int n) {
    return Item::site_of(parity, n / 2, n % 2);
  }

  /// Energy of the item summed over the threads of a warp that work on it; in all of them.
  [[nodiscard]] __device__ __forceinline__ long long energy_in_warp() const {
    constexpr int width = Shape::items > 1 ? Shape::threads_per_item : 32;
    static_assert(Shape::items == 1 || (width & (width - 1)) == 0);
    long long e = turns_.has_sites() ? energy_ : 0;
#pragma unroll
    for (int d = width / 2; d > 0; d /= 2) e += __shfl_xor_sync(~0U, e, d);
    return e;
  }

  /// Sites of a parity: s.H.
  template <int parity>
  __device__ __forceinline__ void add_field_energies(float multiplier) {
#pragma unroll
    for (int n = 0; n < Item::sites_of_parity; ++n) {
      const int k = n / 2, q = q_of<parity>(n);
      energy_ += to_fixed(exact::dot(item_.spin(k, q), item_.site_field(k, q)), multiplier);
    }
  }

  /// What the sweeps of a step of ising need.
  struct IsingStep {
    StepWords<Shape::depth> words;
    IsingDecision decision{0.0F};
    std::uint64_t sweep = 0;  ///< number of the next half-sweep, of even sites
  };
  struct Nothing {};

  long long energy_ = 0;
  [[no_unique_address]] std::conditional_t<is_ising, IsingStep, Nothing> ising_;
};

}}  // namespace glassworks::cuda
