#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/campaign/reference_points.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "analysis/statistics/chi_square.hpp"

namespace glassworks { inline namespace analysis {

/// One value in both sources. In paired comparisons both are over the common realizations.
struct ComparedPoint {
  double T = 0.0;
  Estimate first, second;
  double difference = 0.0, error = 0.0;  ///< first - second, with the standard error of the difference

  /// difference / error; 0 where nothing differs.
  [[nodiscard]] double sigma() const { return difference == 0.0 ? 0.0 : difference / error; }
};

struct ComparedCurve {
  std::string observable;
  int L = 0;
  std::vector<ComparedPoint> points;
  ChiSquare test;  ///< with the covariance between the temperatures
};

struct ComparedSize {
  int L = 0;
  std::size_t paired = 0;    ///< common realizations; 0: the sources are independent
  std::size_t left_out = 0;  ///< of a paired comparison: realizations of one source only
  std::vector<ComparedCurve> curves = {};
  ChiSquare all = {};  ///< with the covariance between all temperatures and observables
};

struct CampaignComparison {
  std::vector<ComparedSize> sizes;
  std::vector<std::string> remarks;  ///< sentences: what differs between the sources, what is missing
  double level = 0.01;

  [[nodiscard]] std::size_t curves() const;
  /// Of the chi^2 of all sizes, which are independent, by Fisher's method.
  [[nodiscard]] double p_value() const;
  /// The smallest p of a single curve.
  [[nodiscard]] double smallest_p() const;
  /// Whether neither is too small: p_value below level/2, or a curve below level/2 over the number of curves. Chance
  /// alone makes that happen with a probability of at most `level`.
  [[nodiscard]] bool agrees() const;
};

struct ComparisonOptions {
  double level = 0.01;
  std::set<std::string> observables = {};  ///< empty: those that have a figure in both
};

/// Two campaigns at the sizes and temperatures that both have. Realizations of the same numbers and the same disorder
/// (seed, model, disorder) are compared in pairs. Errors and covariances: jackknife over realizations.
[[nodiscard]] CampaignComparison compare_campaigns(const CampaignEnsembles& first, const CampaignEnsembles& second,
                                                   const ComparisonOptions& options = {});

/// A campaign and values from elsewhere, whose errors are taken as independent of each other.
[[nodiscard]] CampaignComparison compare_with_reference(const CampaignEnsembles& first,
                                                        std::span<const ReferencePoints> reference,
                                                        const ComparisonOptions& options = {});

/// Remarks, tables of differences and of chi^2, and one sentence at the end.
///
/// all  every difference; otherwise, of more than 120, those of two standard errors or more
[[nodiscard]] std::string comparison_text(const CampaignComparison& comparison, bool all);
/// L,T,observable,first,first_error,second,second_error,difference,error,sigma
[[nodiscard]] std::string comparison_csv(const CampaignComparison& comparison);
[[nodiscard]] std::string comparison_json(const CampaignComparison& comparison);

}}  // namespace glassworks::analysis
