#include "analysis/series/series_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/series/curve_figure.hpp"
#include "analysis/series/field_response.hpp"
#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_text.hpp"
#include "analysis/series/series_verdict.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t times_of_profile = 7;  // C_4(r) at so many times
constexpr std::size_t times_of_table = 25;
constexpr std::size_t slots_shown_unfolded = 1;

/// "L64_slot0", the part of a figure's id that says of which size and slot it is.
std::string slot_id(const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
  return fmt::format("L{}_slot{}", size.series->L, slot.slot);
}

std::string slot_title(const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
  return fmt::format("{}, {}", size_label(size.series->L), temperature_words(*size.series, slot.slot));
}

Figure growth_figure(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references) {
  Figure figure = figure_against_time(
      analysis,
      {.id = "xi_12",
       .title = "Growth of the correlation length",
       .caption = "ξ_{12} = I_{2}/I_{1} of C_{4}(r) along the axes; where it exceeds L/7 the lattice limits it.",
       .y = {"ξ_{12}", true}},
      "xi_12");
  if (figure.series.empty()) return figure;
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    figure.guides.push_back({.direction = Guide::Direction::horizontal,
                             .at = size.series->L / lengths_of_lattice,
                             .label = "L/7, " + size_label(size.series->L)});
  }
  add_references(analysis, references, "xi_12", figure);
  return figure;
}

Figure exponent_figure(const CourseAnalysis& analysis, const std::string& id, const std::string& exponent,
                       const std::string& length, const char* x_label, const char* title) {
  Figure figure{.id = id,
                .title = title,
                .caption =
                    "z = d ln t/d ln ξ by straight lines over [t/2, 2t]; neighbouring points share their data. Where "
                    "the error exceeds half of z it is left out.",
                .x = {x_label},
                .y = {"z"}};
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    const TimeCurve *const z = slot.find(exponent), *const xi = slot.find(length);
    if (z == nullptr || xi == nullptr) return;
    Series drawn{.name = curve_label(analysis, size, slot), .style = SeriesStyle::points};
    for (std::size_t k = 0; k < z->value.size(); ++k) {
      if (!(z->error[k] > 0.5 * z->value[k])) add_point(drawn, xi->value[k], z->value[k], z->error[k]);
    }
    figure.series.push_back(std::move(drawn));
  });
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    figure.guides.push_back({.at = size.series->L / lengths_of_lattice, .label = "L/7, " + size_label(size.series->L)});
  }
  return figure;
}

/// A correlation function against r at times of equal ratios, where it is above 0 within its noise.
Figure profile_figure(const SizeAnalysisInTime& size, const SlotAnalysis& slot, const std::string& family,
                      const std::string& id, const std::string& symbol) {
  const SizeSeries& series = *size.series;
  Figure figure{.id = id + '_' + slot_id(size, slot),
                .title = fmt::format("{} against r, {}", symbol, slot_title(size, slot)),
                .caption = "At times of about equal ratios, from r = 1, as far as it exceeds its error.",
                .x = {"r"},
                .y = {symbol, true}};
  const std::vector<std::size_t> columns = columns_by_distance(series, family);
  for (const std::size_t time : thinned_times(series.times, times_of_profile)) {
    Series drawn{.name = fmt::format("t = {}", series.times[time]), .style = SeriesStyle::points_and_line};
    for (std::size_t r = 1; r < columns.size(); ++r) {
      const Estimate& C = slot.averages[time][columns[r]];
      if (!(C.mean > 0.0) || C.mean < C.error) break;
      add_point(drawn, static_cast<double>(r), C.mean, C.error);
    }
    add_series(figure, std::move(drawn));
  }
  return figure;
}

/// Correlations with the states of the waiting times, against t/t_w: equal curves are full aging.
Figure aging_figure(const SizeAnalysisInTime& size, const SlotAnalysis& slot, const std::string& family,
                    const std::string& symbol) {
  const SizeSeries& series = *size.series;
  Figure figure{.id = family + '_' + slot_id(size, slot),
                .title = fmt::format("{}, {}", symbol, slot_title(size, slot)),
                .caption =
                    "Against t/t_{w}, t since t_{w}: curves that depend on t/t_{w} alone are full aging. "
                    "t_{w} = 0: against t.",
                .x = {"t/t_{w}", true},
                .y = {symbol}};
  for (const std::uint64_t t_w : waiting_times(series)) {
    const auto column = column_of(series, fmt::format("{}({})", family, t_w));
    if (!column) continue;
    Series drawn{.name = fmt::format("t_{{w}} = {}", t_w), .style = SeriesStyle::points_and_line};
    for (std::size_t k = 0; k < series.times.size(); ++k) {
      if (series.times[k] <= t_w) continue;
      const Estimate& C = slot.averages[k][*column];
      const double unit = t_w == 0 ? 1.0 : static_cast<double>(t_w);
      add_point(drawn, static_cast<double>(series.times[k] - t_w) / unit, C.mean, C.error);
    }
    figure.series.push_back(std::move(drawn));
  }
  return figure;
}

Figure temperature_figure(const CourseAnalysis& analysis) {
  Figure figure{
      .id = "energy_of_T", .title = "Energy against the temperature of the course", .x = {"T"}, .y = {"e [J]"}};
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    const SizeSeries& series = *size.series;
    const auto column = column_of(series, "energy");
    if (!column || series.is_constant()) return;
    Series drawn{.name = curve_label(analysis, size, slot), .style = SeriesStyle::points_and_line};
    for (std::size_t k = 0; k < series.times.size(); ++k) {
      const Estimate& e = slot.averages[k][*column];
      add_point(drawn, series.temperature[k][slot.slot], e.mean, e.error);
    }
    figure.series.push_back(std::move(drawn));
  });
  return figure;
}

/// Lengths and what ends their sums, at times of equal ratios.
Table length_table(const CourseAnalysis& analysis) {
  Table table{
      .id = "lengths",
      .title = "Correlation lengths",
      .caption =
          "r_{c}: the first r at which C_{4} is below three errors, or below six where it rises (none: L/2 ends "
          "the sums); tail: what the function fitted before r_{c} adds beyond it to ξ_{12}. Diagonal and k_{min} are "
          "checks: of isotropy, "
          "and of the sums.",
      .rows = {{"L", "T", "t", "ξ_{12}", "ξ_{12}, C_{4} ≥ 0.001", "ξ_{23}/ξ_{12}", "ξ_{12} diagonal", "ξ from k_{min}",
                "r_{c}", "tail", "realizations"}},
      .csv_heading = {"L", "T", "t", "xi_12", "xi_12_cut", "xi_ratio", "xi_12_diagonal", "xi_kmin", "cut", "tail",
                      "realizations"}};
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    if (slot.find("xi_12") == nullptr) return;
    const auto cell = [&](const char* name, std::size_t k) {
      const TimeCurve* const curve = slot.find(name);
      return curve == nullptr || std::isnan(curve->value[k]) ? "-" : format_value(curve->value[k], curve->error[k]);
    };
    for (const std::size_t k : thinned_times(size.series->times, times_of_table)) {
      table.rows.push_back(
          {fmt::format("{}", size.series->L), fmt::format("{}", size.series->temperature[k][slot.slot]),
           fmt::format("{}", size.series->times[k]), cell("xi_12", k), cell("xi_12_cut", k), cell("xi_ratio", k),
           cell("xi_12_diagonal", k), cell("xi_kmin", k), slot.cuts[k].found ? fmt::format("{}", slot.cuts[k].at) : "-",
           std::isnan(slot.tails[k]) ? "hidden" : fmt::format("{:.2g} %", 100.0 * slot.tails[k]),
           fmt::format("{}", size.series->count(k))});
    }
  });
  return table;
}

Section growth_section(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references) {
  Section section{.id = "growth", .title = "Growth of correlations", .paragraphs = {}, .items = {}};
  append_figure(growth_figure(analysis, references), section.items);
  Figure cut = figure_against_time(analysis,
                                   {.id = "xi_12_cut",
                                    .title = "Correlation length of plain sums",
                                    .caption = "ξ_{12} from sums over integer r that end at the first r with C_{4} < "
                                               "0.001, without a tail, whatever the noise is.",
                                    .y = {"ξ_{12}", true}},
                                   "xi_12_cut");
  add_references(analysis, references, "xi_12_cut", cut);
  append_figure(std::move(cut), section.items);
  append_figure(exponent_figure(analysis, "z", "z", "xi_12", "ξ_{12}", "Local exponent of growth"), section.items);
  append_figure(
      figure_against_time(analysis,
                          {.id = "xi_ratio",
                           .title = "Control: ξ_{23}/ξ_{12}",
                           .caption = "A constant ratio: C_{4} keeps its shape. Typical values are 1.25 to 1.4.",
                           .y = {"ξ_{23}/ξ_{12}"}},
                          "xi_ratio"),
      section.items);
  if (section.items.empty()) {  // a graph with positions that are no grid
    append_figure(figure_against_time(analysis,
                                      {.id = "xi_kmin",
                                       .title = "Growth of the correlation length",
                                       .caption = "ξ from k_{min}, the second-moment length.",
                                       .y = {"ξ", true}},
                                      "xi_kmin"),
                  section.items);
  }
  if (Table table = length_table(analysis); table.rows.size() > 1) section.items.emplace_back(std::move(table));
  return section;
}

Section energy_section(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references) {
  Section section{.id = "energy", .title = "Energy and magnetization", .paragraphs = {}, .items = {}};
  Figure energy = figure_against_time(analysis, {.id = "energy", .title = "Energy per site", .y = {"e [J]"}}, "energy");
  add_references(analysis, references, "energy", energy);
  append_figure(std::move(energy), section.items);
  append_figure(temperature_figure(analysis), section.items);
  append_figure(
      figure_against_time(analysis,
                          {.id = "overlap_2",
                           .title = "Overlap of copies",
                           .caption = "[q^{2}]: the sum of C_{4} over all r, per site, where there is a C_{4}(r).",
                           .y = {"[q^{2}]", true}},
                          "overlap_2"),
      section.items);
  append_figure(
      figure_against_time(analysis, {.id = "link_overlap", .title = "Link overlap", .y = {"q_{link}"}}, "link_overlap"),
      section.items);
  append_figure(figure_against_time(analysis,
                                    {.id = "response",
                                     .title = "Response to the field",
                                     .caption = "Magnetization along the field, per field_strength.",
                                     .y = {"M/h"}},
                                    "response"),
                section.items);
  append_figure(figure_against_time(analysis,
                                    {.id = "relaxation_rate",
                                     .title = "Relaxation rate",
                                     .caption = "S = d(M/h)/d ln t, t since the field changed, by straight lines over "
                                                "[t/2, 2t].",
                                     .y = {"S"}},
                                    "relaxation_rate"),
                section.items);
  for (Figure& figure : response_figures(analysis)) append_figure(std::move(figure), section.items);
  return section;
}

Section chirality_section(const CourseAnalysis& analysis) {
  Section section{.id = "chirality", .title = "Chirality", .paragraphs = {}, .items = {}};
  append_figure(figure_against_time(analysis,
                                    {.id = "xi_c12",
                                     .title = "Growth of chiral correlations",
                                     .caption = "ξ_{c,12} from the correlations of the chirality, r parallel (∥) and "
                                                "perpendicular (⊥) to its direction.",
                                     .y = {"ξ_{c,12}", true}},
                                    "", {{"xi_c12_parallel", "∥"}, {"xi_c12_perpendicular", "⊥"}}),
                section.items);
  append_figure(exponent_figure(analysis, "z_c", "z_c_perpendicular", "xi_c12_perpendicular", "ξ_{c,12} ⊥",
                                "Local exponent of chiral growth"),
                section.items);
  return section;
}

using SlotFigure = std::function<Figure(const SizeAnalysisInTime&, const SlotAnalysis&)>;

/// A figure of each slot: those of the largest size stay open up to `open`, the others are folded.
void add_by_slot(const CourseAnalysis& analysis, const std::string& id, const std::string& title,
                 const SlotFigure& make, std::vector<Section>& sections) {
  Section shown{.id = id, .title = title, .paragraphs = {}, .items = {}};
  Section folded{.id = id + "_others",
                 .title = title + ", other sizes and temperatures",
                 .paragraphs = {},
                 .items = {},
                 .folded = true};
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    const bool is_open = &size == &analysis.sizes.back() && slot.slot < slots_shown_unfolded;
    append_figure(make(size, slot), is_open ? shown.items : folded.items);
  });
  if (!shown.items.empty()) sections.push_back(std::move(shown));
  if (!folded.items.empty()) sections.push_back(std::move(folded));
}

}  // namespace

std::vector<Section> series_sections(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references) {
  std::vector<Section> sections;
  if (Section growth = growth_section(analysis, references); !growth.items.empty())
    sections.push_back(std::move(growth));
  const auto profile = [&](const char* family, const char* id, const char* symbol) {
    return [=](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
      return profile_figure(size, slot, family, id, symbol);
    };
  };
  const auto aging = [&](const char* family, const char* symbol) {
    return [=](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
      return aging_figure(size, slot, family, symbol);
    };
  };
  add_by_slot(analysis, "profiles", "Correlation functions", profile("c4_axis", "c4", "C_{4}(r)"), sections);
  add_by_slot(analysis, "aging", "Aging", aging("correlation", "C(t_{w} + t, t_{w})"), sections);
  add_by_slot(analysis, "links", "Aging of links", aging("link_correlation", "C_{link}(t_{w} + t, t_{w})"), sections);
  sections.push_back(energy_section(analysis, references));
  if (Section chirality = chirality_section(analysis); !chirality.items.empty()) {
    sections.push_back(std::move(chirality));
    add_by_slot(analysis, "chiral_profiles", "Chiral correlation functions",
                profile("chiral_axis_perpendicular", "chiral", "C_{c}(r), ⊥"), sections);
  }
  return sections;
}

}}  // namespace glassworks::analysis
