#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace glassworks { inline namespace analysis {

enum class TailShape {
  exponential,  ///< A exp(-r/l)
  stretched,    ///< A r^-a exp(-(r/l)^b)
};

/// C(r) = A r^-a exp(-(r/l)^b) beyond the noise. 0 <= a <= 2 and 1 <= b <= 2: from exponential to Gaussian, times the
/// power of a correlation at criticality (a = d - 2 + eta) or of a free field.
struct CorrelationTail {
  double log_A = 0.0, a = 0.0, b = 1.0;
  double rate = 0.0;  ///< l^-b

  [[nodiscard]] double at(double r) const;  ///< C(r)
  [[nodiscard]] double length() const;      ///< l
};

/// Points that a stretched tail needs; through fewer of them goes an exponential.
inline constexpr std::size_t least_for_shape = 6;

/// Least squares in ln C: linear in ln A, a and l^-b, by search in b. Nothing, if C does not fall or fewer than two
/// points are positive.
///
/// values   C(r) at r = first, first + 1, ...; those that are not positive are left out
/// weights  of ln C there
/// Source: form of C_4 of Marinari, Parisi, Ruiz-Lorenzo & Ritort, PRL 76, 843 (1996), a = 0.5, b = 1.5.
[[nodiscard]] std::optional<CorrelationTail> fit_tail(std::span<const double> values, std::span<const double> weights,
                                                      std::size_t first, TailShape shape);

}}  // namespace glassworks::analysis
