#pragma once

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace cpu {

/// Active bonds as rows of bits, sixteen sites at a time.
template <class Wide>
struct ActivationKernels {
  static void activate(const ClusterGeometry& g, const ActivationJob& job, std::int64_t begin, std::int64_t end) {
    // Rows whose words are drawn together: a pair of them shares blocks in d = 2, short ones share a vector of blocks.
    const std::int64_t together = g.dim == 2 ? 2 : g.dim > 2 && g.L <= 8 ? 16 / g.L : 1;
    for (std::int64_t row = begin; row < end; row += together) {
      const std::int64_t last = row + together < end ? row + together : end;
      for (std::int64_t r = row; r < last; ++r) {
        for (int axis = 0; axis < g.dim; ++axis) {
          for (int w = 0; w < g.words; ++w) job.active[g.bit_row(axis, r) + w] = 0;
        }
      }
      if (g.dim > 2 && together > 1) {
        decide_short(g, job, row, last);
      } else {
        decide(g, job, row);
      }
      if (job.states == nullptr) continue;
      for (std::int64_t r = row; r < last; ++r) {
        for (int axis = 0; axis < g.dim; ++axis) keep_satisfied(g, job, axis, r);
      }
    }
  }

 private:
  using F = typename Wide::Float;
  using Access = exact::Lanes<F>;

  static void philox(const RandomSource& random, std::int64_t first, std::uint32_t out[4][16]) {
    const std::uint32_t rest[3] = {random.word1, random.word2, random.word3};
    Wide::philox(random.key, static_cast<std::uint32_t>(first), rest, out);
  }

  /// Decisions of the random words, whether the bond is satisfied or not. d = 2: of a row and the next one.
  static void decide(const ClusterGeometry& g, const ActivationJob& job, std::int64_t row) {
    alignas(64) std::uint32_t word[4][16];
    if (g.dim == 1) {
      alignas(64) std::uint32_t in_order[64];
      for (int x = 0; x < g.L; x += 64) {
        philox(job.random, x / 4, word);
        for (int i = 0; i < 64; ++i) in_order[i] = word[i % 4][i / 4];
        for (int part = 0; part < 64 && x + part < g.L; part += 16) add(g, job, 0, row, x + part, in_order + part);
      }
      return;
    }
    for (int x = 0; x < g.L; x += 16) {
      philox(job.random, (g.dim == 2 ? row / 2 : row) * g.L + x, word);
      if (g.dim == 2) {
        for (int k = 0; k < 4; ++k) add(g, job, k & 1, row + k / 2, x, word[k]);
      } else {
        for (int axis = 0; axis < g.dim; ++axis) add(g, job, axis, row, x, word[axis]);
      }
    }
  }

  /// The same of rows of at most eight sites, d > 2.
  static void decide_short(const ClusterGeometry& g, const ActivationJob& job, std::int64_t row, std::int64_t last) {
    alignas(64) std::uint32_t word[4][16], of_row[16] = {};
    philox(job.random, row * g.L, word);
    for (std::int64_t r = row; r < last; ++r) {
      for (int axis = 0; axis < g.dim; ++axis) {
        for (int x = 0; x < g.L; ++x) of_row[x] = word[axis][(r - row) * g.L + x];
        add(g, job, axis, r, 0, of_row);
      }
    }
  }

  /// The bonds along an axis of the sites x .. x + 15 of a row.
  static void add(const ClusterGeometry& g, const ActivationJob& job, int axis, std::int64_t row, int x,
                  const std::uint32_t word[16]) {
    std::uint64_t bits = job.uniform ? Wide::below(word, job.threshold) : by_exponent(g, job, axis, row, x, word);
    if (g.L - x < 16) bits &= (std::uint64_t{1} << (g.L - x)) - 1;
    job.active[g.bit_row(axis, row) + x / 64] |= bits << (x % 64);
  }

  static std::uint32_t by_exponent(const ClusterGeometry& g, const ActivationJob& job, int axis, std::int64_t row,
                                   int x, const std::uint32_t word[16]) {
    alignas(64) float J[16], here[16], there[16];
    alignas(64) std::uint32_t flag[16];
    const std::int64_t site = row * g.L + x;
    Wide::copy_with(job.couplings + axis * job.stride + site, 16, 0.0F, J);
    if (job.projection != nullptr) {
      const std::int64_t next_row = axis == 0 ? row : g.forward[(axis - 1) * g.rows + row];
      const float* next = job.projection + next_row * g.L + x + (axis == 0 ? 1 : 0);
      // Along x the last bond leads back to the first site.
      Wide::copy_with(next, axis == 0 ? g.L - 1 - x : 16, job.projection[row * g.L], there);
      Wide::copy_with(job.projection + site, 16, 0.0F, here);
    }
    const F minus_factor_beta(job.minus_factor_beta);
    for (int i = 0; i < 16; i += Access::width) {
      const F coupling = Access::load(J + i);
      const F exponent =
          job.projection == nullptr
              ? exact::satisfied_exponent(minus_factor_beta, coupling)
              : exact::reflected_exponent(minus_factor_beta, coupling, Access::load(here + i), Access::load(there + i));
      Access::store(flag + i, exact::active_flags(exponent, Access::load(word + i)));
    }
    return Wide::flags(flag);
  }

  static void keep_satisfied(const ClusterGeometry& g, const ActivationJob& job, int axis, std::int64_t row) {
    std::uint64_t* active = job.active + g.bit_row(axis, row);
    const std::uint64_t* negative = job.negative == nullptr ? nullptr : job.negative + g.bit_row(axis, row);
    const std::uint8_t* here = job.states + row * g.L;
    const std::uint8_t* there = axis == 0 ? here + 1 : job.states + g.forward[(axis - 1) * g.rows + row] * g.L;
    for (int w = 0; w < g.words; ++w) {
      std::uint64_t equal = Wide::equal(here + 64 * w, there + 64 * w);
      if (axis == 0 && w == g.words - 1) {
        const std::uint64_t last = std::uint64_t{1} << ((g.L - 1) % 64);
        equal = here[g.L - 1] == here[0] ? equal | last : equal & ~last;
      }
      active[w] &= negative == nullptr ? equal : equal ^ negative[w];
    }
  }
};

}}  // namespace glassworks::cpu
