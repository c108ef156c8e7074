#pragma once

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Union-find over runs of sites that are joined along x. A root is the smallest run of its tree, so its first site is
/// the smallest site of the component.
template <class Wide>
struct RunKernels {
  static std::uint32_t find_runs(const ClusterGeometry& g, const std::uint64_t* active, const Runs& runs,
                                 std::int64_t begin, std::int64_t end) {
    std::uint64_t count = 0;
    const std::uint64_t valid = g.L % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (g.L % 64)) - 1;
    for (std::int64_t row = begin; row < end; ++row) {
      std::uint64_t joined = 0;  // whether the last site of the word before is joined to the next one
      for (int w = 0; w < g.words; ++w) {
        const std::uint64_t along_x = active[row * g.words + w];
        std::uint64_t starts = ~(along_x << 1 | joined);
        if (w == g.words - 1) starts &= valid;
        joined = along_x >> 63;
        runs.starts[row * g.words + w] = starts;
        count += popcount(starts);
      }
    }
    return static_cast<std::uint32_t>(count);
  }

  static void number_runs(const ClusterGeometry& g, const Runs& runs, std::uint32_t first, std::int64_t begin,
                          std::int64_t end) {
    std::uint32_t run = first;
    for (std::int64_t word = begin * g.words; word < end * g.words; ++word) {
      runs.before[word] = run;
      run += popcount(runs.starts[word]);
    }
    for (std::uint32_t i = first; i < run; ++i) runs.parent[i] = i;
  }

  static void unite(const ClusterGeometry& g, const std::uint64_t* active, const Runs& runs, std::int64_t begin,
                    std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      flatten(g, runs, row);
      for (int axis = 1; axis < g.dim; ++axis) {
        const std::int64_t next = g.forward[(axis - 1) * g.rows + row];
        if (next > row && next < end) unite_row(g, active, runs, axis, row, next);
      }
    }
  }

  static void unite_rest(const ClusterGeometry& g, const std::uint64_t* active, const Runs& runs,
                         const std::int64_t* bounds, int slabs, const Windings* windings) {
    for (int slab = 0; slab + 1 < slabs; ++slab) {
      for (std::int64_t row = bounds[slab]; row < bounds[slab + 1]; ++row) {
        for (int axis = 1; axis < g.dim; ++axis) {
          const std::int64_t next = g.forward[(axis - 1) * g.rows + row];
          if (next >= bounds[slab + 1]) unite_row(g, active, runs, axis, row, next);
        }
      }
    }
    for (std::int64_t row = 0; row < g.rows; ++row) {
      const int last = g.L - 1;
      if (((active[row * g.words + last / 64] >> (last % 64)) & 1U) != 0U) {
        cross(runs, run_in(g, runs, row, last), run_in(g, runs, row, 0), 0, windings);
      }
      for (int axis = 1; axis < g.dim; ++axis) {
        const std::int64_t next = g.forward[(axis - 1) * g.rows + row];
        if (next > row) continue;
        for (int w = 0; w < g.words; ++w) {
          for (std::uint64_t bits = active[g.bit_row(axis, row) + w]; bits != 0; bits &= bits - 1) {
            const int x = 64 * w + static_cast<int>(lowest(bits));
            cross(runs, run_in(g, runs, row, x), run_in(g, runs, next, x), axis, windings);
          }
        }
      }
    }
  }

  static void compress(std::uint32_t* parent, std::uint32_t runs) {
    for (std::uint32_t i = 0; i < runs; ++i) parent[i] = parent[parent[i]];
  }

  static void settle(const Runs& runs, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) runs.fate[i] = runs.fate[runs.parent[i]];
  }

  static std::uint32_t run_of(const ClusterGeometry& g, const Runs& runs, std::int64_t site) {
    return run_in(g, runs, site / g.L, static_cast<int>(site % g.L));
  }

  static std::uint32_t number_clusters(const std::uint32_t* parent, std::uint32_t runs, std::uint32_t* cluster) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < runs; ++i) {
      cluster[i] = count;
      count += parent[i] == i ? 1U : 0U;
    }
    return count;
  }

  static ClusterTotals decompose(const ClusterGeometry& g, const Runs& runs, const DecompositionJob& job,
                                 std::uint32_t clusters) {
    const int stride = 1 + 2 * g.dim;
    const float multiplier = job.scale.multiplier();
    std::uint32_t run = 0;
    for (std::int64_t row = 0; row < g.rows; ++row) {
      const std::int32_t* coordinate = g.coordinates + 3 * row;
      for (int x = 0, next = 0; x < g.L; x = next, ++run) {
        next = end_of_run(g, runs, row, x);
        const std::uint32_t cluster = job.cluster[runs.parent[run]];
        job.size[cluster] += static_cast<std::uint32_t>(next - x);
        std::int64_t* terms = job.terms + static_cast<std::int64_t>(cluster) * stride;
        if (job.projection == nullptr) {
          add_uniform(g, job, coordinate, x, next, terms);
        } else {
          add_weighted(g, job, multiplier, coordinate, job.projection + row * g.L, x, next, terms);
        }
      }
    }
    return squares_of(g, job, clusters);
  }

  GLASSWORKS_HD static std::uint32_t lowest(std::uint64_t bits) {
    return static_cast<std::uint32_t>(__builtin_ctzll(bits));
  }
  GLASSWORKS_HD static std::uint32_t popcount(std::uint64_t bits) {
    return static_cast<std::uint32_t>(__builtin_popcountll(bits));
  }

 private:
  GLASSWORKS_HD static std::uint32_t run_in(const ClusterGeometry& g, const Runs& runs, std::int64_t row, int x) {
    const std::int64_t word = row * g.words + x / 64;
    const std::uint64_t up_to = (std::uint64_t{2} << (x % 64)) - 1;
    return runs.before[word] + popcount(runs.starts[word] & up_to) - 1;
  }

  /// First site of the next run of the row, or L.
  GLASSWORKS_HD static int end_of_run(const ClusterGeometry& g, const Runs& runs, std::int64_t row, int x) {
    const std::uint64_t* starts = runs.starts + row * g.words;
    std::uint64_t later = starts[x / 64] & ~((std::uint64_t{2} << (x % 64)) - 1);
    int w = x / 64;
    while (later == 0 && ++w < g.words) later = starts[w];
    return later == 0 ? g.L : 64 * w + static_cast<int>(lowest(later));
  }

  /// Points the runs of a row at their grandparents: nearly all then point at their roots, so that `find` returns at
  /// its first test, which the processor predicts.
  GLASSWORKS_HD static void flatten(const ClusterGeometry& g, const Runs& runs, std::int64_t row) {
    const std::int64_t last = row * g.words + g.words - 1;
    const std::uint32_t end = runs.before[last] + popcount(runs.starts[last]);
    for (std::uint32_t i = runs.before[row * g.words]; i < end; ++i) runs.parent[i] = runs.parent[runs.parent[i]];
  }

  GLASSWORKS_HD static std::uint32_t find(std::uint32_t* parent, std::uint32_t i) {
    std::uint32_t p = parent[i], above = parent[p];
    if (p == above) return p;
    while (p != above) {
      p = above;
      above = parent[p];
    }
    parent[i] = p;
    return p;
  }

  GLASSWORKS_HD static void join(std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
    a = find(parent, a);
    b = find(parent, b);
    const std::uint32_t small = a < b ? a : b, large = a < b ? b : a;
    parent[large] = small;
  }

  /// All bonds from a row to the next one; a bond beside another one between the same two runs adds nothing.
  GLASSWORKS_HD static void unite_row(const ClusterGeometry& g, const std::uint64_t* active, const Runs& runs, int axis,
                                      std::int64_t row, std::int64_t next) {
    const std::uint64_t* bonds = active + g.bit_row(axis, row);
    std::uint64_t left = 0;
    for (int w = 0; w < g.words; ++w) {
      const std::uint64_t here = runs.starts[row * g.words + w], there = runs.starts[next * g.words + w];
      const std::uint32_t before_here = runs.before[row * g.words + w] - 1;
      const std::uint32_t before_there = runs.before[next * g.words + w] - 1;
      std::uint64_t bits = bonds[w] & ~((bonds[w] << 1 | left) & ~here & ~there);
      left = bonds[w] >> 63;
      for (; bits != 0; bits &= bits - 1) {
        const std::uint64_t up_to = bits ^ (bits - 1);
        join(runs.parent, before_here + popcount(here & up_to), before_there + popcount(there & up_to));
      }
    }
  }

  struct Place {
    std::uint32_t root;
    std::int32_t crossed[4];  ///< boundaries between the root and the run
  };
  GLASSWORKS_HD static Place place_of(std::uint32_t* parent, std::int32_t* crossed, std::uint32_t i) {
    Place p{i, {0, 0, 0, 0}};
    while (parent[p.root] != p.root) {
      for (int k = 0; k < 4; ++k) p.crossed[k] += crossed[4 * static_cast<std::size_t>(p.root) + k];
      p.root = parent[p.root];
    }
    std::int32_t rest[4] = {p.crossed[0], p.crossed[1], p.crossed[2], p.crossed[3]};
    while (parent[i] != p.root && i != p.root) {
      const std::uint32_t above = parent[i];
      std::int32_t* own = crossed + 4 * static_cast<std::size_t>(i);
      for (int k = 0; k < 4; ++k) {
        const std::int32_t step = own[k];
        own[k] = rest[k];
        rest[k] -= step;
      }
      parent[i] = p.root;
      i = above;
    }
    return p;
  }

  /// A bond from run a across the boundary at the end of an axis to run b.
  GLASSWORKS_HD static void cross(const Runs& runs, std::uint32_t a, std::uint32_t b, int axis,
                                  const Windings* windings) {
    if (windings == nullptr) {
      join(runs.parent, a, b);
      return;
    }
    Place from = place_of(runs.parent, windings->crossed, a);
    const Place to = place_of(runs.parent, windings->crossed, b);
    ++from.crossed[axis];
    if (from.root == to.root) {
      for (int k = 0; k < 4; ++k) {
        if (from.crossed[k] != to.crossed[k]) {
          windings->wraps[from.root] = static_cast<std::uint8_t>(windings->wraps[from.root] | (1U << k));
        }
      }
      return;
    }
    const bool to_is_larger = from.root < to.root;
    const std::uint32_t small = to_is_larger ? from.root : to.root, large = to_is_larger ? to.root : from.root;
    for (int k = 0; k < 4; ++k) {
      const std::int32_t difference = from.crossed[k] - to.crossed[k];
      windings->crossed[4 * static_cast<std::size_t>(large) + k] = to_is_larger ? difference : -difference;
    }
    runs.parent[large] = small;
    windings->wraps[small] = static_cast<std::uint8_t>(windings->wraps[small] | windings->wraps[large]);
  }

  GLASSWORKS_HD static void add_uniform(const ClusterGeometry& g, const DecompositionJob& job,
                                        const std::int32_t* coordinate, int x, int next, std::int64_t* terms) {
    terms[0] += std::int64_t{next - x} << job.scale.exponent;
    terms[1] += job.cosine_sum[next] - job.cosine_sum[x];
    terms[2] += job.sine_sum[next] - job.sine_sum[x];
    for (int axis = 1; axis < g.dim; ++axis) {
      const std::int32_t c = coordinate[axis - 1];
      terms[1 + 2 * axis] += (next - x) * (job.cosine_sum[c + 1] - job.cosine_sum[c]);
      terms[2 + 2 * axis] += (next - x) * (job.sine_sum[c + 1] - job.sine_sum[c]);
    }
  }

  GLASSWORKS_HD static void add_weighted(const ClusterGeometry& g, const DecompositionJob& job, float multiplier,
                                         const std::int32_t* coordinate, const float* projection, int x, int next,
                                         std::int64_t* terms) {
    for (int i = x; i < next; ++i) {
      const float w = projection[i];
      terms[0] += to_fixed_clamped(w, multiplier);
      for (int axis = 0; axis < g.dim; ++axis) {
        const std::int32_t c = axis == 0 ? i : coordinate[axis - 1];
        terms[1 + 2 * axis] += to_fixed_clamped(exact::mul(w, job.cosine[c]), multiplier);
        terms[2 + 2 * axis] += to_fixed_clamped(exact::mul(w, job.sine[c]), multiplier);
      }
    }
  }

  static ClusterTotals squares_of(const ClusterGeometry& g, const DecompositionJob& job, std::uint32_t clusters) {
    ClusterTotals totals{};
    const int stride = 1 + 2 * g.dim;
    const double unit = job.scale.unit(), square = job.square_scale.multiplier();
    for (std::uint32_t c = 0; c < clusters; ++c) {
      const std::uint64_t size = job.size[c];
      totals.largest = totals.largest < size ? size : totals.largest;
      totals.squares += size * size;
      const std::int64_t* terms = job.terms + static_cast<std::int64_t>(c) * stride;
      totals.weight += rounded_square(static_cast<double>(terms[0]) * unit, 0.0, square);
      for (int axis = 0; axis < g.dim; ++axis) {
        totals.kmin[axis] += rounded_square(static_cast<double>(terms[1 + 2 * axis]) * unit,
                                            static_cast<double>(terms[2 + 2 * axis]) * unit, square);
      }
    }
    return totals;
  }
};

}}  // namespace glassworks::cpu
