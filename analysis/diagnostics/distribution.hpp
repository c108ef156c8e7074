#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Quantile p of a sample by linear interpolation between the order statistics (Hyndman & Fan's type 7); NaN for an
/// empty sample.
[[nodiscard]] double quantile(std::vector<double> values, double p);

/// Fraction of the values in each of `bins` bins of equal width between two limits, or, logarithmic, of equal ratio, as
/// bars at the centres with the binomial error sqrt(f (1 - f)/n); values outside enter the fraction's n only.
///
/// low, high  limits, low < high; 0 < low if logarithmic
[[nodiscard]] Series histogram(const std::string& name, std::span<const double> values, double low, double high,
                               int bins, bool logarithmic);

/// Fraction of the values that are at least x, at every value: the tail that a histogram hides.
[[nodiscard]] Series survival(const std::string& name, std::vector<double> values);

/// A sample of one number per realization, of one size.
struct Distribution {
  int L = 0;
  std::vector<double> values;
};

/// Names of a quantity: "tau" for ids, "τ [measurements]" for axes.
struct Quantity {
  std::string id, symbol, title;
};

/// Histogram and tail of a positive quantity, all sizes, on logarithmic axes; values that are not positive and finite
/// have no place there and are left out (the table of quantiles counts them).
[[nodiscard]] std::vector<Item> logarithmic_distribution(const Quantity& quantity, std::span<const Distribution> sizes,
                                                         const std::string& caption);

/// One row for each size: number, smallest, 10 %, median, mean, 90 %, 99 %, largest, and largest over median.
void add_quantile_rows(Table& table, const Quantity& quantity, std::span<const Distribution> sizes);
[[nodiscard]] Table quantile_table(const std::string& id, const std::string& title, const std::string& caption);

}}  // namespace glassworks::analysis
