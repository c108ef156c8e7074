#pragma once

#include <vector>

#include "analysis/report/figure.hpp"
#include "tools/glassworks/campaign_view.hpp"

namespace glassworks { inline namespace tools {

/// Figures of a campaign that runs, from the latest rounds of some realizations (LookDepth::figures): correlation
/// lengths over L, or else the first observable of the report; acceptance of exchanges; direction of the walk through
/// temperatures. Errors are those over these realizations. Throws std::runtime_error for damaged rounds.
[[nodiscard]] std::vector<Figure> live_figures(const CampaignState& state);

/// How a campaign has advanced since the first look at it.
class LiveHistory {
 public:
  /// seconds  since any fixed moment
  /// done     finished part of the campaign
  /// rate     [spin updates/ns]; 0: not known
  void add(double seconds, double done, double rate);

  /// Both against time; none before there are three looks.
  [[nodiscard]] std::vector<Figure> figures() const;

  static constexpr std::size_t most_points = 400;  ///< older ones are thinned out

 private:
  struct Point {
    double seconds, done, rate;
  };
  std::vector<Point> points_;
};

}}  // namespace glassworks::tools
