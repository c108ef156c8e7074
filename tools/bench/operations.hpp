#pragma once

#include "kernels/models/formulas.hpp"

/// Counts what the formulas of the updates are made of, by running them on a number type that counts. So the floor that
/// the benchmark states follows the formulas by itself.
namespace glassworks::exact {

struct OperationCount {
  int multiply = 0;     ///< mul, fma, fms, fnma: the multiply-add pipes
  int add = 0;          ///< add and sub of floats
  int divide_root = 0;  ///< reciprocal, sqrt
  int other = 0;        ///< integer, bitwise, min and max, conversions
};
inline thread_local OperationCount operation_count;

struct CountedBits {
  CountedBits() = default;
  explicit CountedBits(std::uint32_t) {}
};
struct Counted {
  Counted() = default;
  explicit Counted(float) {}
};
template <>
struct BitsOf<Counted> {
  using type = CountedBits;
};

template <class Result>
Result counted(int OperationCount::*kind) {
  ++(operation_count.*kind);
  return Result();
}
inline Counted fma(Counted, Counted, Counted) { return counted<Counted>(&OperationCount::multiply); }
inline Counted fnma(Counted, Counted, Counted) { return counted<Counted>(&OperationCount::multiply); }
inline Counted fms(Counted, Counted, Counted) { return counted<Counted>(&OperationCount::multiply); }
inline Counted mul(Counted, Counted) { return counted<Counted>(&OperationCount::multiply); }
inline Counted add(Counted, Counted) { return counted<Counted>(&OperationCount::add); }
inline Counted sub(Counted, Counted) { return counted<Counted>(&OperationCount::add); }
inline Counted reciprocal(Counted) { return counted<Counted>(&OperationCount::divide_root); }
inline Counted sqrt(Counted) { return counted<Counted>(&OperationCount::divide_root); }
inline Counted min(Counted, Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted max(Counted, Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted abs(Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted copy_sign(Counted, Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted flip_sign(Counted, CountedBits) { return counted<Counted>(&OperationCount::other); }
inline Counted select_bit30(CountedBits, Counted, Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted select_zero(CountedBits, Counted, Counted) { return counted<Counted>(&OperationCount::other); }
inline Counted signed_to_float(CountedBits) { return counted<Counted>(&OperationCount::other); }
inline Counted as_float(CountedBits) { return {}; }
inline CountedBits as_uint(Counted) { return {}; }
inline CountedBits operator+(CountedBits, CountedBits) { return counted<CountedBits>(&OperationCount::other); }
inline CountedBits operator-(CountedBits, CountedBits) { return counted<CountedBits>(&OperationCount::other); }
inline CountedBits operator^(CountedBits, CountedBits) { return counted<CountedBits>(&OperationCount::other); }
inline CountedBits operator|(CountedBits, CountedBits) { return counted<CountedBits>(&OperationCount::other); }
template <int n>
CountedBits shift_left(CountedBits) {
  return counted<CountedBits>(&OperationCount::other);
}
template <int n>
CountedBits shift_right(CountedBits) {
  return counted<CountedBits>(&OperationCount::other);
}
template <int n>
CountedBits shift_right_signed(CountedBits) {
  return counted<CountedBits>(&OperationCount::other);
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace tools {

/// Operations of one update of a spin with 2 dim neighbours and no site field. Philox is not counted.
struct UpdateOperations {
  exact::OperationCount over_relaxation, heat_bath;
};

[[nodiscard]] inline UpdateOperations count_operations(int dim) {
  using exact::Counted;
  const auto local_field = [dim] {
    exact::Vector<3, Counted> h = exact::first_bond(Counted(), exact::Vector<3, Counted>{});
    for (int bond = 1; bond < 2 * dim; ++bond) h = exact::add_bond(h, Counted(), exact::Vector<3, Counted>{});
    return h;
  };
  UpdateOperations result;
  exact::operation_count = {};
  (void)exact::over_relax(exact::Vector<3, Counted>{}, local_field());
  result.over_relaxation = exact::operation_count;
  exact::operation_count = {};
  (void)exact::heat_bath(local_field(), exact::HeatBathTemperature<Counted>{}, exact::CountedBits(),
                         exact::CountedBits());
  result.heat_bath = exact::operation_count;
  return result;
}

}}  // namespace glassworks::tools
