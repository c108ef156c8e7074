#pragma once

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Local sweeps of discrete spins that count bonds (CountedWeights), site by site: short rows cost no more than long
/// ones, and nothing is multiplied. d >= 2.
template <class Wide>
struct CountedKernels {
  /// Whether a model is faster so than in lanes of sites, whose formulas multiply, or ising than by rows of bytes
  /// (IsingRows).
  template <class M>
  static constexpr bool has = (std::is_same_v<M, Ising> || std::is_same_v<M, Potts>)&&Wide::vector_words == 4;

  template <class M>
  static void local_sweep(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    const std::int64_t half = g.L / 2, last = end / 2 * half;
    alignas(64) std::uint32_t word[4][16];
    std::int64_t pair = begin / 2, of_pair = 0;  // cells of two sites in two rows, see RowBlocks::for_cells
    for (std::int64_t cell = pair * half; cell < last; cell += 16) {
      Wide::philox(job.random.key, static_cast<std::uint32_t>(cell), rest, word);
      const int cells = last - cell < 16 ? static_cast<int>(last - cell) : 16;
      for (int done = 0; done < cells;) {
        const int count = cells - done < half - of_pair ? cells - done : static_cast<int>(half - of_pair);
        for (int member = 0; member < 2; ++member) {
          const std::int64_t row = 2 * pair + member;
          const int x = static_cast<int>(2 * of_pair) + ((g.parity[row] + parity) & 1);
          update<M>(g, job, row, x, count, word[2 * member] + done);
        }
        done += count;
        of_pair += count;
        if (of_pair < half) continue;
        of_pair = 0;
        ++pair;
      }
    }
  }

 private:
  /// The sites x, x + 2, ... of a row.
  template <class M>
  static void update(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, int x, int count,
                     const std::uint32_t* word) {
    std::uint8_t* const here = job.states + row * g.L;
    const CountedWeights& weights = *job.counted;
    const std::uint8_t* beside[2 * Lattice::max_dim];
    for (int axis = 1; axis < g.dim; ++axis) {
      beside[2 * axis] = job.states + g.forward[(axis - 1) * g.rows + row] * std::int64_t{g.L};
      beside[2 * axis + 1] = job.states + g.backward[(axis - 1) * g.rows + row] * std::int64_t{g.L};
    }
    const auto for_sites = [&](const auto& neighbours) {
      for (int i = 0; i < count; ++i) {
        const int at = x + 2 * i, right = at + 1 == g.L ? 0 : at + 1, left = at == 0 ? g.L - 1 : at - 1;
        here[at] = neighbours(at, right, left, word[i]);
      }
    };
    if constexpr (std::is_same_v<M, Potts>) {
      for_sites([&](int at, int right, int left, std::uint32_t w) {
        std::uint8_t number[Potts::most_states] = {};
        ++number[here[right]];
        ++number[here[left]];
        for (int bond = 2; bond < 2 * g.dim; ++bond) ++number[beside[bond][at]];
        return heat_bath(number, job.model.states, weights.weight, w);
      });
    } else if (weights.negative == nullptr) {
      for_sites([&](int at, int right, int left, std::uint32_t w) {
        int up = here[right] + here[left];
        for (int bond = 2; bond < 2 * g.dim; ++bond) up += beside[bond][at];
        return spin(up, g.dim, weights.alike, w);
      });
    } else {
      const std::uint8_t* minus[2 * Lattice::max_dim];
      for (int axis = 0; axis < g.dim; ++axis) {
        minus[2 * axis] = weights.negative + axis * job.stride + row * g.L;
        minus[2 * axis + 1] =
            axis == 0 ? minus[0] : weights.negative + axis * job.stride + (beside[2 * axis + 1] - job.states);
      }
      for_sites([&](int at, int right, int left, std::uint32_t w) {
        int up = (here[right] ^ minus[0][at]) + (here[left] ^ minus[0][left]);
        for (int bond = 2; bond < 2 * g.dim; ++bond) up += beside[bond][at] ^ minus[bond][at];
        return spin(up, g.dim, weights.alike, w);
      });
    }
  }

  /// up: bonds that want the spin to be up
  static std::uint8_t spin(int up, int dim, const std::int32_t* alike, std::uint32_t word) {
    const bool against = static_cast<std::int32_t>(word >> 9) >= alike[up];
    return static_cast<std::uint8_t>(against == (up < dim) ? 1 : 0);
  }

  /// As potts_heat_bath. number: of neighbours in each state
  static std::uint8_t heat_bath(const std::uint8_t* number, int q, const float* weight, std::uint32_t word) {
    int most = 0;
    for (int k = 0; k < q; ++k) most = number[k] > most ? number[k] : most;
    float total = 0.0F, sum[Potts::most_states];
    for (int k = 0; k < q; ++k) sum[k] = total = exact::add(total, weight[most - number[k]]);
    const float target = exact::mul(exact::uniform<float>(word), total);
    int below = 0;  // sums never fall
    for (int k = 0; k + 1 < q; ++k) below += sum[k] > target ? 0 : 1;
    return static_cast<std::uint8_t>(below);
  }
};

}}  // namespace glassworks::cpu
