#pragma once

#include "kernels/cpu/rows/run_kernels.hpp"

namespace glassworks::inline cpu {

/// Energies, sums of measurements, and what is done to every site alike.
template <class Wide>
struct SumKernels {
  static void project(const SpinArrays& a, const float* direction, float* projection, std::int64_t begin,
                      std::int64_t end) {
    if (a.components == 2) return project_n<2>(a, direction, projection, begin, end);
    if (a.components == 3) return project_n<3>(a, direction, projection, begin, end);
    project_n<4>(a, direction, projection, begin, end);
  }

  static void renormalize(const SpinArrays& a, std::int64_t begin, std::int64_t end) {
    if (a.components == 2) return renormalize_n<2>(a, begin, end);
    if (a.components == 3) return renormalize_n<3>(a, begin, end);
    renormalize_n<4>(a, begin, end);
  }

  static std::int64_t energy(const ClusterGeometry& g, const SpinArrays& a, float multiplier, std::int64_t begin,
                             std::int64_t end) {
    std::int64_t sum = 0;
    for (std::int64_t row = begin; row < end; ++row) {
      if (a.fields != nullptr) sum += in_fields(a, multiplier, row * g.L, g.L);
      for (int axis = 0; axis < g.dim; ++axis) {
        if (a.uniform) {
          sum += uniform_bonds(g, a, multiplier, axis, row);
          continue;
        }
        const std::int64_t here = row * g.L, J = axis * a.stride + here;
        const std::int64_t next = axis == 0 ? here + 1 : g.forward[(axis - 1) * g.rows + row] * std::int64_t{g.L};
        // Along x the last bond leads back to the first site.
        const int inner = axis == 0 ? g.L - 1 : g.L;
        sum += bonds(a, multiplier, here, next, J, inner);
        if (axis == 0) sum += bonds(a, multiplier, here + inner, here, J + inner, 1);
      }
    }
    return sum;
  }

  static void site_sums(const ClusterGeometry& g, const SpinArrays& a, const SumScales& scales, std::int64_t* planes,
                        std::int64_t* modulus_2, std::int64_t* modulus_4, std::int64_t begin, std::int64_t end) {
    const int columns = plane_columns(a.model);
    for (std::int64_t row = begin; row < end; ++row) {
      std::int64_t of_row[20] = {};
      const std::int64_t site = row * g.L;
      if (a.model.kind == ModelKind::ising) {
        const std::uint8_t* s = a.states + site;
        std::int32_t up = 0;
        for (int x = 0; x < g.L; ++x) up += s[x];
        of_row[0] = 2 * std::int64_t{up} - g.L;
        for (int x = 0; x < g.L; ++x) planes[x] += 2 * std::int64_t{s[x]} - 1;
      } else if (a.model.kind == ModelKind::potts) {
        for (int x = 0; x < g.L; ++x) {
          ++planes[x * columns + a.states[site + x]];
          ++of_row[a.states[site + x]];
        }
      } else {
        add_vectors(g, a, scales, site, columns, planes, of_row, modulus_2, modulus_4);
      }
      for (int axis = 1; axis < g.dim; ++axis) {
        std::int64_t* plane = planes + (axis * g.L + g.coordinates[3 * row + axis - 1]) * columns;
        for (int k = 0; k < columns; ++k) plane[k] += of_row[k];
      }
    }
  }

 private:
  template <int n>
  GLASSWORKS_HD static exact::Vector<n> spin(const SpinArrays& a, std::int64_t i) {
    exact::Vector<n> s;
    for (int k = 0; k < n; ++k) s.c[k] = a.spins[k * a.stride + i];
    return s;
  }

  template <int n>
  static void project_n(const SpinArrays& a, const float* direction, float* projection, std::int64_t begin,
                        std::int64_t end) {
    exact::Vector<n> r;
    for (int k = 0; k < n; ++k) r.c[k] = direction[k];
    for (std::int64_t i = begin; i < end; ++i) projection[i] = exact::dot(r, spin<n>(a, i));
  }

  template <int n>
  static void renormalize_n(const SpinArrays& a, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const exact::Vector<n> s = exact::renormalize(spin<n>(a, i));
      for (int k = 0; k < n; ++k) a.spins[k * a.stride + i] = s.c[k];
    }
  }

  /// sum fix(J x) over the bonds of a row along an axis, where all J have one modulus: counted.
  static std::int64_t uniform_bonds(const ClusterGeometry& g, const SpinArrays& a, float multiplier, int axis,
                                    std::int64_t row) {
    const std::uint8_t* here = a.states + row * g.L;
    const std::uint8_t* there = axis == 0 ? here + 1 : a.states + g.forward[(axis - 1) * g.rows + row] * g.L;
    const std::uint64_t* negative = a.negative == nullptr ? nullptr : a.negative + g.bit_row(axis, row);
    std::int64_t gain = 0, loss = 0;  // bonds between equal states with J > 0 and with J < 0
    std::int64_t minus = 0;           // bonds with J < 0
    for (int w = 0; w < g.words; ++w) {
      std::uint64_t equal = Wide::equal(here + 64 * w, there + 64 * w);
      if (w == g.words - 1) {
        const std::uint64_t last = std::uint64_t{1} << ((g.L - 1) % 64);
        if (axis == 0) equal = here[g.L - 1] == here[0] ? equal | last : equal & ~last;
        equal &= last | (last - 1);
      }
      const std::uint64_t minus_bits = negative == nullptr ? 0 : negative[w];
      gain += RunKernels<Wide>::popcount(equal & ~minus_bits);
      loss += RunKernels<Wide>::popcount(equal & minus_bits);
      minus += RunKernels<Wide>::popcount(minus_bits);
    }
    const std::int64_t fixed = to_fixed_clamped(exact::abs(a.couplings[0]), multiplier);
    if (a.model.kind == ModelKind::potts) return fixed * (gain - loss);
    return fixed * (2 * (gain - loss) - g.L + 2 * minus);
  }

  /// sum fix(J x) over the bonds from the sites here, here + 1, ... to next, next + 1, ...; their couplings follow from
  /// J.
  static std::int64_t bonds(const SpinArrays& a, float multiplier, std::int64_t here, std::int64_t next, std::int64_t J,
                            int count) {
    if (a.model.is_discrete()) {
      const float unequal = a.model.kind == ModelKind::ising ? -1.0F : 0.0F;
      std::int64_t sum = 0;
      for (int i = 0; i < count; ++i) {
        const float x = a.states[here + i] == a.states[next + i] ? 1.0F : unequal;
        sum += to_fixed_clamped(exact::mul(a.couplings[J + i], x), multiplier);
      }
      return sum;
    }
    if (a.components == 2) return vector_bonds<2>(a, multiplier, here, next, J, count);
    if (a.components == 3) return vector_bonds<3>(a, multiplier, here, next, J, count);
    return vector_bonds<4>(a, multiplier, here, next, J, count);
  }

  template <int n>
  static std::int64_t vector_bonds(const SpinArrays& a, float multiplier, std::int64_t here, std::int64_t next,
                                   std::int64_t J, int count) {
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
      const float x = exact::dot(spin<n>(a, here + i), spin<n>(a, next + i));
      sum += to_fixed_clamped(exact::mul(a.couplings[J + i], x), multiplier);
    }
    return sum;
  }

  /// sum fix(H.s) over the sites here, here + 1, ...
  static std::int64_t in_fields(const SpinArrays& a, float multiplier, std::int64_t here, int count) {
    if (a.components == 2) return vectors_in_fields<2>(a, multiplier, here, count);
    if (a.components == 3) return vectors_in_fields<3>(a, multiplier, here, count);
    if (a.components == 4) return vectors_in_fields<4>(a, multiplier, here, count);
    std::int64_t sum = 0;
    for (std::int64_t i = here; i < here + count; ++i) {
      sum += to_fixed_clamped(a.states[i] != 0 ? a.fields[i] : -a.fields[i], multiplier);
    }
    return sum;
  }

  template <int n>
  static std::int64_t vectors_in_fields(const SpinArrays& a, float multiplier, std::int64_t here, int count) {
    std::int64_t sum = 0;
    for (std::int64_t i = here; i < here + count; ++i) {
      exact::Vector<n> H;
      for (int k = 0; k < n; ++k) H.c[k] = a.fields[k * a.stride + i];
      sum += to_fixed_clamped(exact::dot(H, spin<n>(a, i)), multiplier);
    }
    return sum;
  }

  static void add_vectors(const ClusterGeometry& g, const SpinArrays& a, const SumScales& scales, std::int64_t site,
                          int n, std::int64_t* planes, std::int64_t* of_row, std::int64_t* modulus_2,
                          std::int64_t* modulus_4) {
    const float scale = scales.component.multiplier();
    for (int k = 0; k < n; ++k) {
      const float* s = a.spins + k * a.stride + site;
      for (int x = 0; x < g.L; ++x) {
        const std::int32_t fixed = to_fixed_clamped(s[x], scale);
        planes[x * n + k] += fixed;
        of_row[k] += fixed;
      }
    }
    if (!has_modulus(a.model)) return;
    for (int x = 0; x < g.L; ++x) {
      const exact::Vector<4> phi = spin<4>(a, site + x);
      const float square = exact::dot(phi, phi);
      *modulus_2 += to_fixed_clamped(square, scales.product.multiplier());
      *modulus_4 += to_fixed_wide(exact::mul(square, square), scales.quartic.multiplier());
    }
  }
};

}  // namespace glassworks::inline cpu
