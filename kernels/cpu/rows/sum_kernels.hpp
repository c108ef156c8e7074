#pragma once

#include "kernels/cpu/rows/run_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Energies, sums of measurements, and what is done to every site alike.
template <class Wide>
struct SumKernels {
  static void project(const SpinArrays& a, const float* direction, float* projection, std::int64_t begin,
                      std::int64_t end) {
    for_vector_model(a.model, [&](auto m) {
      using M = decltype(m);
      const auto sites = a.template sites<M>();
      const auto r = SiteArray<typename M::Site>(nullptr, const_cast<float*>(direction), 1).load(0);
      for (std::int64_t i = begin; i < end; ++i) projection[i] = exact::dot(r, sites.load(i));
    });
  }

  static void renormalize(const SpinArrays& a, std::int64_t begin, std::int64_t end) {
    for_vector_model(a.model, [&](auto m) {
      const auto sites = a.template sites<decltype(m)>();
      for (std::int64_t i = begin; i < end; ++i) sites.store(i, exact::renormalize(sites.load(i)));
    });
  }

  static std::int64_t energy(const ClusterGeometry& g, const SpinArrays& a, float multiplier, std::int64_t begin,
                             std::int64_t end) {
    return for_model(a.model, [&](auto m) { return energy_of<decltype(m)>(g, a, multiplier, begin, end); });
  }

  static void site_sums(const ClusterGeometry& g, const SpinArrays& a, const SumScales& scales, std::int64_t* planes,
                        std::int64_t* modulus_2, std::int64_t* modulus_4, std::int64_t begin, std::int64_t end) {
    const int columns = plane_columns(a.model);
    for_model(a.model, [&](auto m) {
      using M = decltype(m);
      for (std::int64_t row = begin; row < end; ++row) {
        std::int64_t of_row[20] = {};
        add_row<M>(g, a, scales.component.multiplier(), row * g.L, columns, planes, of_row);
        if constexpr (M::free_modulus) add_moduli<M>(g, a, scales, row * g.L, modulus_2, modulus_4);
        for (int axis = 1; axis < g.dim; ++axis) {
          std::int64_t* plane = planes + (axis * g.L + g.coordinates[3 * row + axis - 1]) * columns;
          for (int k = 0; k < columns; ++k) plane[k] += of_row[k];
        }
      }
    });
  }

 private:
  template <class M>
  static std::int64_t energy_of(const ClusterGeometry& g, const SpinArrays& a, float multiplier, std::int64_t begin,
                                std::int64_t end) {
    std::int64_t sum = 0;
    for (std::int64_t row = begin; row < end; ++row) {
      if constexpr (M::has_fields) {
        if (a.fields != nullptr) sum += in_fields<M>(a, multiplier, row * g.L, g.L);
      }
      if constexpr (M::has_site_energy) sum -= of_sites<M>(a, multiplier, row * g.L, g.L);
      for (int axis = 0; axis < g.dim; ++axis) {
        if constexpr (has_two_valued_bonds<M>) {
          if (a.uniform) {
            sum += uniform_bonds<M>(g, a, multiplier, axis, row);
            continue;
          }
        }
        const std::int64_t here = row * g.L, J = axis * a.stride + here;
        const std::int64_t next = axis == 0 ? here + 1 : g.forward[(axis - 1) * g.rows + row] * std::int64_t{g.L};
        // Along x the last bond leads back to the first site.
        const int inner = axis == 0 ? g.L - 1 : g.L;
        sum += bonds<M>(a, multiplier, here, next, J, inner);
        if (axis == 0) sum += bonds<M>(a, multiplier, here + inner, here, J + inner, 1);
      }
    }
    return sum;
  }

  /// sum fix(J x) over the bonds of a row along an axis, where all J have one modulus: counted.
  template <class M>
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
    // Unequal states: L - equal ones, of which `minus - loss` have J < 0.
    const std::int64_t unequal = (g.L - minus - gain) - (minus - loss);
    return fixed * (gain - loss + M::unequal * unequal);
  }

  /// sum fix(J x) over the bonds from the sites here, here + 1, ... to next, next + 1, ...; their couplings follow from
  /// J.
  template <class M>
  static std::int64_t bonds(const SpinArrays& a, float multiplier, std::int64_t here, std::int64_t next, std::int64_t J,
                            int count) {
    const auto sites = a.template sites<M>();
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
      const float x = M::product(a.model, sites.load(here + i), sites.load(next + i));
      sum += to_fixed_clamped(exact::mul(a.couplings[J + i], x), multiplier);
    }
    return sum;
  }

  /// sum fix(energy of a site by itself) over the sites here, here + 1, ...
  template <class M>
  static std::int64_t of_sites(const SpinArrays& a, float multiplier, std::int64_t here, int count) {
    const auto sites = a.template sites<M>();
    std::int64_t sum = 0;
    for (std::int64_t i = here; i < here + count; ++i) {
      sum += to_fixed_clamped(static_cast<float>(M::site_energy(a.model, sites.load(i))), multiplier);
    }
    return sum;
  }

  /// sum fix(H.s) over the sites here, here + 1, ...
  template <class M>
  static std::int64_t in_fields(const SpinArrays& a, float multiplier, std::int64_t here, int count) {
    const auto sites = a.template sites<M>();
    const SiteArray<exact::Vector<M::components>> fields(nullptr, const_cast<float*>(a.fields), a.stride);
    std::int64_t sum = 0;
    for (std::int64_t i = here; i < here + count; ++i) {
      sum += to_fixed_clamped(M::in_field(a.model, fields.load(i), sites.load(i)), multiplier);
    }
    return sum;
  }

  /// The terms of a row in the planes of x, and their sums in of_row [column].
  template <class M>
  static void add_row(const ClusterGeometry& g, const SpinArrays& a, float scale, std::int64_t site, int columns,
                      std::int64_t* planes, std::int64_t* of_row) {
    if constexpr (!measures_vectors<M>) {
      for (int x = 0; x < g.L; ++x) {
        M::add_to_plane(a.states[site + x], planes + x * columns);
        M::add_to_plane(a.states[site + x], of_row);
      }
    } else if constexpr (M::discrete) {
      for (int x = 0; x < g.L; ++x) {
        const auto s = M::spin(a.model, a.states[site + x]);
        for (int k = 0; k < M::components; ++k) {
          const std::int32_t fixed = to_fixed_clamped(s.c[k], scale);
          planes[x * columns + k] += fixed;
          of_row[k] += fixed;
        }
      }
    } else {
      for (int k = 0; k < columns; ++k) {
        const float* s = a.spins + k * a.stride + site;
        for (int x = 0; x < g.L; ++x) {
          const std::int32_t fixed = to_fixed_clamped(s[x], scale);
          planes[x * columns + k] += fixed;
          of_row[k] += fixed;
        }
      }
    }
  }

  template <class M>
  static void add_moduli(const ClusterGeometry& g, const SpinArrays& a, const SumScales& scales, std::int64_t site,
                         std::int64_t* modulus_2, std::int64_t* modulus_4) {
    const auto sites = a.template sites<M>();
    for (int x = 0; x < g.L; ++x) {
      const auto phi = sites.load(site + x);
      const float square = exact::dot(phi, phi);
      *modulus_2 += to_fixed_clamped(square, scales.product.multiplier());
      *modulus_4 += to_fixed_wide(exact::mul(square, square), scales.quartic.multiplier());
    }
  }
};

}}  // namespace glassworks::cpu
