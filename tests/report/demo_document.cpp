#include "tests/report/demo_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/report/series_look.hpp"

namespace glassworks::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double T_c = 0.129, nu = 1.5;

const std::vector<int> sizes = {4, 6, 8, 12};

/// The same numbers on every platform: uniform in [-1, 1).
class DemoNoise {
 public:
  double operator()() { return static_cast<double>(engine_()) / 2147483648.0 - 1.0; }

 private:
  std::mt19937 engine_{20};
};

double scaling_function(double x) { return 0.56 * std::exp(-0.55 * x) / (1.0 + 0.3 * std::exp(-0.5 * x)); }

std::vector<double> temperatures(int n) {
  std::vector<double> T;
  for (int i = 0; i < n; ++i) T.push_back(0.1 * std::pow(6.0, static_cast<double>(i) / (n - 1)));
  return T;
}

Figure crossing(DemoNoise& noise) {
  Figure figure{.id = "xi_over_L",
                .title = "Correlation length over lattice size, ξ_{L}/L",
                .caption =
                    "Points: slots of the ladder. Bands: reweighting, ± one standard error. Line: "
                    "T_{c} of the joint fit.",
                .x = {.label = "T"},
                .y = {.label = "ξ_{L}/L"},
                .guides = {{.direction = Guide::Direction::vertical, .at = T_c, .error = 0.004, .label = "T_{c}"}}};
  for (const int L : sizes) {
    const std::string name = fmt::format("L = {}", L);
    Series points{.name = name, .style = SeriesStyle::points};
    Series band{.name = name, .style = SeriesStyle::band};
    const auto value = [&](double T) { return scaling_function((T - T_c) * std::pow(L, 1.0 / nu)); };
    for (const double T : temperatures(16)) {
      const double error = 0.004 + 0.004 / L;
      points.x.push_back(T);
      points.y.push_back(value(T) + error * noise());
      points.y_error.push_back(error);
    }
    for (const double T : temperatures(120)) {
      band.x.push_back(T);
      band.y.push_back(value(T));
      band.y_error.push_back(0.004);
    }
    figure.series.push_back(band);
    figure.series.push_back(points);
  }
  return figure;
}

Figure susceptibility(DemoNoise& noise) {
  Figure figure{.id = "chi_sg",
                .title = "Spin-glass susceptibility",
                .caption = "Two copies, zero field; χ_{SG}(k) = N Σ_{μν} [⟨|q^{μν}(k)|^{2}⟩]_{J}.",
                .x = {.label = "T", .logarithmic = true},
                .y = {.label = "χ_{SG}(0)", .logarithmic = true}};
  for (const int L : sizes) {
    Series series{.name = fmt::format("L = {}", L), .style = SeriesStyle::points_and_line};
    for (const double T : temperatures(18)) {
      const double chi = std::pow(L, 2.3) * std::pow(0.1 / T, 0.5 + 0.12 * L) * (1.0 + 0.02 * noise());
      series.x.push_back(T);
      series.y.push_back(chi);
      series.y_error.push_back(0.04 * chi);
    }
    figure.series.push_back(series);
  }
  return figure;
}

Figure overlap_distribution(DemoNoise& noise) {
  Figure figure{.id = "P_of_q",
                .title = "Distribution of the overlap, P(q)",
                .caption = "Histograms at the lowest temperature.",
                .x = {.label = "q"},
                .y = {.label = "P(q)"},
                .guides = {{.direction = Guide::Direction::vertical, .at = 0.0, .label = ""}}};
  for (const int L : {4, 12}) {
    Series bars{.name = fmt::format("L = {}", L), .style = SeriesStyle::bars};
    for (int i = 0; i < 40; ++i) {
      const double q = -0.975 + 0.05 * i, width = 0.14 + 0.4 / L;
      const auto peak = [&](double at) { return std::exp(-0.5 * (q - at) * (q - at) / width / width); };
      bars.x.push_back(q);
      bars.y.push_back(0.7 * (peak(0.62) + peak(-0.62)) + 0.2 + 0.02 * noise());
      bars.y_error.push_back(0.03);
    }
    figure.series.push_back(bars);
  }
  return figure;
}

Figure identity(DemoNoise& noise) {
  Series difference{.name = "U_{J} + ½ z β [q_{s} − q_{l}]", .style = SeriesStyle::points};
  for (int t = 16; t < 3000000; t *= 2) {
    const double error = 2e-3 / std::sqrt(t);
    difference.x.push_back(t);
    difference.y.push_back(0.2 * std::exp(-t / 3000.0) + error * noise());
    difference.y_error.push_back(error);
  }
  return {.id = "identity",
          .title = "Gaussian-bond identity against Monte Carlo time",
          .caption = "In equilibrium the difference is 0 within errors.",
          .x = {.label = "t (sweeps)", .logarithmic = true},
          .y = {.label = "difference"},
          .series = {difference},
          .guides = {{.direction = Guide::Direction::horizontal, .at = 0.0, .error = 0.002, .label = "equilibrium"}}};
}

Figure crossings() {
  Series found{.name = "crossing of L and 2 L",
               .style = SeriesStyle::points,
               .x = {0.11, 0.06, 0.035, 0.02},
               .y = {0.171, 0.152, 0.1402, 0.1361},
               .y_error = {0.004, 0.004, 0.006, 0.011},
               .x_error = {0.004, 0.003, 0.002, 0.001}};
  Series line{.name = "fit", .style = SeriesStyle::line, .x = {0.0, 0.12}, .y = {0.129, 0.175}};
  return {
      .id = "crossings",
      .title = "Crossings against L^{−(ω + 1/ν)}",
      .caption = "Errors of both coordinates.",
      .x = {.label = "L^{−(ω + 1/ν)}"},
      .y = {.label = "T^{*}(L, 2L)"},
      .series = {line, found},
      .guides = {{.direction = Guide::Direction::horizontal, .at = 0.129, .error = 0.005, .label = "T_{c} = 0.129(5)"},
                 {.direction = Guide::Direction::vertical, .at = 0.0, .label = "L = ∞"}}};
}

Figure sample_scatter(DemoNoise& noise) {
  Series cloud{.name = "one realization each", .style = SeriesStyle::points};
  for (int i = 0; i < 5000; ++i) {
    const double tau = std::exp(2.0 + 1.2 * (noise() + noise() + noise()));
    cloud.x.push_back(tau);
    cloud.y.push_back(4e4 / tau * std::exp(0.5 * noise()));
  }
  return {.id = "round_trips",
          .title = "Round trips against autocorrelation time",
          .caption = "5000 realizations.",
          .x = {.label = "τ (measurements)", .logarithmic = true},
          .y = {.label = "round trips", .logarithmic = true},
          .series = {cloud}};
}

Figure many_series() {
  Figure figure{.id = "many",
                .title = "Sixteen series",
                .caption = "More than there are colours.",
                .x = {.label = "T"},
                .y = {.label = "C"}};
  for (int i = 0; i < 16; ++i) {
    Series series{.name = fmt::format("T = {:.3f}", 0.1 + 0.03 * i),
                  .style = i % 2 == 0 ? SeriesStyle::line : SeriesStyle::points_and_line};
    for (int k = 0; k < 12; ++k) {
      series.x.push_back(0.1 * k);
      series.y.push_back(std::sin(0.4 * k) + 0.2 * i);
    }
    figure.series.push_back(series);
  }
  return figure;
}

Figure extremes() {
  Series huge{.name = "huge and tiny",
              .style = SeriesStyle::points_and_line,
              .x = {1e-300, 1e-8, 1.0 / 3.0, 1e22, 1e250},
              .y = {5e-324, 1e-200, 0.1, 6.02214076e23, 1e250},
              .y_error = {0.0, 1e-201, 0.02, 1e22, 1e249}};
  return {.id = "extremes",
          .title = "From the smallest to the largest number",
          .x = {.label = "x", .logarithmic = true},
          .y = {.label = "y", .logarithmic = true},
          .series = {huge}};
}

Figure gaps() {
  Series line{
      .name = "line with gaps", .style = SeriesStyle::line, .x = {1, 2, 3, 4, 5, 6}, .y = {1, 2, nan, 2, infinity, 1}};
  Series band{.name = "band with gaps",
              .style = SeriesStyle::band,
              .x = {1, 2, 3, 4, 5, 6, 7},
              .y = {3, 3.2, 3.1, nan, 3, 3.1, 3.2},
              .y_error = {0.3, 0.2, 0.3, 0.2, nan, 0.3, 0.3}};
  Series points{.name = "error that cannot be had",
                .style = SeriesStyle::points,
                .x = {1, nan, 3, 4},
                .y = {5, 5, -4.5, 0},
                .y_error = {0.5, 0.1, nan, 0.2}};
  return {.id = "gaps",
          .title = "Missing numbers",
          .caption = "Gaps stay gaps; negative numbers have no place on a logarithmic axis.",
          .x = {.label = "x"},
          .y = {.label = "y"},
          .series = {line, band, points}};
}

Figure nothing() {
  Series empty{.name = "no points", .style = SeriesStyle::points};
  Series missing{.name = "no numbers", .style = SeriesStyle::line, .x = {1, 2}, .y = {nan, nan}};
  return {.id = "nothing",
          .title = "Nothing to show",
          .x = {.label = "x", .logarithmic = true},
          .y = {.label = "y"},
          .series = {empty, missing}};
}

Figure one_point() {
  return {.id = "one_point",
          .title = "One point",
          .x = {.label = "x"},
          .y = {.label = "y"},
          .series = {{.name = "", .style = SeriesStyle::points, .x = {0.25}, .y = {-3e-9}, .y_error = {2e-10}}}};
}

const std::string hostile =
    "</script><script>alert('x')</script><img src=x onerror=alert(1)> & \"quoted\" 'single' `id` $(id) \\U+263A %{y} "
    "}_{a}^{b}{ @a ~b #c \xE2\x80\xA8 \xE2\x80\xA9 \xFF\xC0\x80 \x01, ; \r\n<!-- --> 日本語 ﷽";

Figure hostile_figure() {
  return {.id = "hostile",
          .title = hostile,
          .caption = hostile,
          .x = {.label = hostile},
          .y = {.label = "y_{z}'`date`"},
          .series = {{.name = hostile, .style = SeriesStyle::points, .x = {1, 2}, .y = {1, 2}},
                     {.name = "=1+1, \"b\"", .style = SeriesStyle::line, .x = {1, 2}, .y = {2, 1}}},
          .guides = {{.direction = Guide::Direction::horizontal, .at = 1.5, .label = "</script>, 'guide'"}}};
}

Table exponents() {
  return {.id = "exponents",
          .title = "Critical parameters",
          .caption = "Joint fit with one correction to scaling.",
          .rows = {{"L_{min}", "T_{c}", "ν", "η", "ω", "χ²/dof", "p"},
                   {"4", "0.1312(21)", "1.47(6)", "−0.11(3)", "0.8(3)", "61.2/48", "0.096"},
                   {"6", "0.1294(38)", "1.50(9)", "−0.10(4)", "0.9(5)", "33.0/36", "0.61"},
                   {"8", "0.129(12)", "1.6(3)", "−0.08(9)", "–", "11.1/12", "0.52"}}};
}

Table wide_table() {
  Table table{.id = "wide", .title = "ξ_{L}/L against T", .caption = "Every slot of every size.", .rows = {{"L"}}};
  for (int i = 0; i < 14; ++i) table.rows[0].push_back(fmt::format("T = {:.3f}", 0.1 + 0.03 * i));
  for (const int L : sizes) {
    table.rows.push_back({fmt::format("{}", L)});
    for (int i = 0; i < 14; ++i) table.rows.back().push_back(format_value(0.5 / (1 + 0.1 * i * L), 0.0123 / L));
  }
  return table;
}

}  // namespace

Document demo_document() {
  DemoNoise noise;
  Document document;
  document.title = "Heisenberg spin glass, d = 3, Gaussian couplings";
  document.headline =
      "Heisenberg model in 3D, L = 4, 6, 8, 12, periodic; Gaussian couplings, no field; 16 temperatures from 0.1 to "
      "0.6; 2 "
      "copies; 1024 realizations of each size; 2026-11-20 to 2026-11-23; 3.2 × 10^{13} spin updates in 41 h 10 min of "
      "computing.";
  document.verdict = {
      "Spin-glass order below T_{c} = 0.129(5), with ν = 1.50(9).",
      "All 4096 realizations of four sizes have converged; the identity holds at every temperature within "
      "errors (χ²/dof = 41/48, p = 0.75).",
      "Corrections to scaling are visible at L = 4, which is left out of the final fit."};
  document.sections = {{"scaling",
                        "Finite-size scaling",
                        {"The curves of ξ_{L}/L of different sizes cross where the correlation length is infinite."},
                        {crossing(noise), crossings(), exponents(), susceptibility(noise)}},
                       {"equilibrium",
                        "Equilibration",
                        {"Two independent checks."},
                        {identity(noise), sample_scatter(noise), overlap_distribution(noise)},
                        true},
                       {"edges",
                        "Edges & <corners>",
                        {hostile},
                        {many_series(), extremes(), gaps(), nothing(), one_point(), hostile_figure(), wide_table(),
                         Table{.id = "hostile_table",
                               .title = hostile,
                               .caption = hostile,
                               .rows = {{hostile, "b"}, {"1", hostile}, {"2"}}}}}};
  document.provenance = {
      {"Campaign", "campaigns/first"},
      {"Program", "glassworks 0.1.0 (commit 7130057)"},
      {"Digest of all bins", "xxh3:9f3a0c44f1b27e6d9f3a0c44f1b27e6d9f3a0c44f1b27e6d9f3a0c44f1b27e6d"},
      {"Hostile", hostile}};
  document.configuration = "model.L = 4, 6, 8, 12\nladder.T_min = 0.1\n# " + hostile + "\n";
  share_sizes(document);
  return document;
}

Document large_document(int figures) {
  DemoNoise noise;
  Document document{
      .title = "Many figures", .verdict = {"Large."}, .sections = {}, .provenance = {}, .configuration = ""};
  Section section{"all", "All", {}, {}};
  for (int i = 0; i < figures; ++i) {
    Figure figure{.id = fmt::format("figure_{}", i),
                  .title = fmt::format("Figure {}", i),
                  .x = {.label = "T"},
                  .y = {.label = "E"}};
    for (int s = 0; s < 4; ++s) {
      const std::string name = fmt::format("L = {}", 4 * (s + 1));
      for (const auto& [style, n] : {std::pair{SeriesStyle::band, 300}, std::pair{SeriesStyle::points, 64}}) {
        Series series{.name = name, .style = style};
        for (int k = 0; k < n; ++k) {
          series.x.push_back(static_cast<double>(k) / n + 1e-3 * noise());
          series.y.push_back(std::sin(3.0 * k / n + s) + 0.01 * noise());
          series.y_error.push_back(0.1 + 0.01 * noise());
        }
        figure.series.push_back(series);
      }
    }
    section.items.emplace_back(figure);
  }
  document.sections.push_back(section);
  return document;
}

}  // namespace glassworks::testing
