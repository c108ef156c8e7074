#pragma once

namespace glassworks { inline namespace base {

// Of each distribution: P(X > x), and the x that is exceeded with probability p.

/// Student's t with nu degrees of freedom.
[[nodiscard]] double student_tail(double nu, double x);
[[nodiscard]] double student_quantile(double nu, double p);

/// chi^2 with n degrees of freedom.
[[nodiscard]] double chi_squared_tail(double n, double x);
[[nodiscard]] double chi_squared_quantile(double n, double p);

/// Fisher's F with n degrees of freedom of the numerator and m of the denominator.
[[nodiscard]] double fisher_tail(double n, double m, double x);
[[nodiscard]] double fisher_quantile(double n, double m, double p);

/// A normal variable of mean 0 and variance 1.
[[nodiscard]] double normal_quantile(double p);

/// How many of n independent events happen, each with probability `rate`.
[[nodiscard]] double binomial_tail(double n, double rate, double x);

}}  // namespace glassworks::base
