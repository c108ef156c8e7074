#pragma once

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/models/vectors.hpp"

/// Two lane groups side by side: the exact operations on both, so that two independent heat baths are interleaved and
/// hide each other's latency. The bits are those of each alone.
namespace glassworks::exact {

template <class T>
struct Twice {
  T a, b;
  Twice() = default;
  GLASSWORKS_HD Twice(T first, T second) : a(first), b(second) {}
  GLASSWORKS_HD explicit Twice(float x) : a(x), b(x) {}
  GLASSWORKS_HD explicit Twice(std::uint32_t x) : a(x), b(x) {}
};
template <class F>
struct BitsOf<Twice<F>> {
  using type = Twice<Bits<F>>;
};

#define GLASSWORKS_TWICE_1(function)                                     \
  template <class T>                                                     \
  GLASSWORKS_HD auto function(const Twice<T>& x) {                       \
    return Twice<decltype(function(x.a))>(function(x.a), function(x.b)); \
  }
#define GLASSWORKS_TWICE_2(function)                                                    \
  template <class T, class S>                                                           \
  GLASSWORKS_HD auto function(const Twice<T>& x, const Twice<S>& y) {                   \
    return Twice<decltype(function(x.a, y.a))>(function(x.a, y.a), function(x.b, y.b)); \
  }
#define GLASSWORKS_TWICE_OPERATOR(op)                                        \
  template <class T>                                                         \
  GLASSWORKS_HD Twice<T> operator op(const Twice<T>& x, const Twice<T>& y) { \
    return Twice<T>(x.a op y.a, x.b op y.b);                                 \
  }
#define GLASSWORKS_TWICE_3(function)                                                                   \
  template <class T, class S, class R>                                                                 \
  GLASSWORKS_HD auto function(const Twice<T>& x, const Twice<S>& y, const Twice<R>& z) {               \
    return Twice<decltype(function(x.a, y.a, z.a))>(function(x.a, y.a, z.a), function(x.b, y.b, z.b)); \
  }
GLASSWORKS_TWICE_1(reciprocal)
GLASSWORKS_TWICE_1(sqrt)
GLASSWORKS_TWICE_1(abs)
GLASSWORKS_TWICE_1(as_uint)
GLASSWORKS_TWICE_1(as_float)
GLASSWORKS_TWICE_1(signed_to_float)
GLASSWORKS_TWICE_2(mul)
GLASSWORKS_TWICE_2(add)
GLASSWORKS_TWICE_2(sub)
GLASSWORKS_TWICE_2(min)
GLASSWORKS_TWICE_2(max)
GLASSWORKS_TWICE_2(copy_sign)
GLASSWORKS_TWICE_2(flip_sign)
GLASSWORKS_TWICE_OPERATOR(+)
GLASSWORKS_TWICE_OPERATOR(-)
GLASSWORKS_TWICE_OPERATOR(^)
GLASSWORKS_TWICE_OPERATOR(|)
GLASSWORKS_TWICE_3(fma)
GLASSWORKS_TWICE_3(fnma)
GLASSWORKS_TWICE_3(fms)
GLASSWORKS_TWICE_3(select_bit30)
GLASSWORKS_TWICE_3(select_zero)
template <class T>
GLASSWORKS_HD Twice<T> select_less(const Twice<T>& a, const Twice<T>& b, const Twice<T>& x, const Twice<T>& y) {
  return {select_less(a.a, b.a, x.a, y.a), select_less(a.b, b.b, x.b, y.b)};
}
#undef GLASSWORKS_TWICE_1
#undef GLASSWORKS_TWICE_2
#undef GLASSWORKS_TWICE_OPERATOR
#undef GLASSWORKS_TWICE_3

template <int n, class T>
GLASSWORKS_HD Twice<T> shift_left(const Twice<T>& x) {
  return {shift_left<n>(x.a), shift_left<n>(x.b)};
}
template <int n, class T>
GLASSWORKS_HD Twice<T> shift_right(const Twice<T>& x) {
  return {shift_right<n>(x.a), shift_right<n>(x.b)};
}
template <int n, class T>
GLASSWORKS_HD Twice<T> shift_right_signed(const Twice<T>& x) {
  return {shift_right_signed<n>(x.a), shift_right_signed<n>(x.b)};
}

/// One after the other in memory.
template <class F>
struct Lanes<Twice<F>> {
  static constexpr int width = 2 * Lanes<F>::width;
  template <class T>
  GLASSWORKS_HD static auto load(const T* p) {
    const auto first = Lanes<F>::load(p);
    return Twice(first, Lanes<F>::load(p + Lanes<F>::width));
  }
  template <class T, class V>
  GLASSWORKS_HD static void store(T* p, const Twice<V>& x) {
    Lanes<F>::store(p, x.a);
    Lanes<F>::store(p + Lanes<F>::width, x.b);
  }
  /// Bit i: bit 31 of lane i.
  template <class U>
  GLASSWORKS_HD static std::uint32_t signs(const Twice<U>& x) {
    return Lanes<F>::signs(x.a) | Lanes<F>::signs(x.b) << Lanes<F>::width;
  }
};

template <int n, class T>
GLASSWORKS_HD Vector<n, Twice<T>> twice(const Vector<n, T>& a, const Vector<n, T>& b) {
  Vector<n, Twice<T>> both;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) both.c[k] = {a.c[k], b.c[k]};
  return both;
}
template <int n, class T>
GLASSWORKS_HD Vector<n, T> first(const Vector<n, Twice<T>>& both) {
  Vector<n, T> a;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) a.c[k] = both.c[k].a;
  return a;
}
template <int n, class T>
GLASSWORKS_HD Vector<n, T> second(const Vector<n, Twice<T>>& both) {
  Vector<n, T> b;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) b.c[k] = both.c[k].b;
  return b;
}

}  // namespace glassworks::exact
