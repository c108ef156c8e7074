#include "analysis/campaign/course_report.hpp"

#include <fmt/format.h>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/campaign/headline.hpp"
#include "analysis/report/series_look.hpp"
#include "analysis/series/series_figures.hpp"
#include "analysis/series/series_verdict.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// The line about what was simulated needs sizes, temperatures and states alone.
std::string headline_of(const CourseAnalysis& analysis, const CampaignSet& campaigns) {
  AnalysisResult result;
  result.config = analysis.series.config;
  for (const SizeSeries& series : analysis.series.sizes) {
    SizeResult& size = result.sizes.emplace_back();
    size.L = series.L;
    size.temperatures = series.temperatures;
    size.counts.total = series.total;
    size.counts.converged = series.complete;
    size.counts.failed = series.failed;
    size.counts.running = series.total - series.complete - series.failed;
  }
  return headline(result, campaign_facts(campaigns));
}

Section method_section(const CourseAnalysis& analysis) {
  const Config& config = analysis.series.config;
  const CourseConfig& course = config.course;
  Section section{.id = "method", .title = "How the numbers were made", .paragraphs = {}, .items = {}, .folded = true};
  section.paragraphs = {
      fmt::format(
          "Course: {} sweeps; segments: {}; measured {}{}. Time counts sweeps: one updates every spin once, by {}.",
          course.sweeps.count,
          course.segments.empty() ? "at the temperature of each slot" : write_value(course.segments),
          write_value(course.times),
          course.waiting_times.empty() ? "" : ", t_{w} = " + write_value(course.waiting_times),
          write_value(config.protocol.local)),
      "Each realization gives one series, means over its copies and pairs of copies. Averages at a time are over all "
      "realizations that have reached it, and errors come from their scatter (leave-one-out jackknife of whole "
      "formulas). "
      "Points of different times belong to the same histories, so their errors are correlated."};
  if (has_curve(analysis, "xi_12")) {
    section.paragraphs.emplace_back(
        "ξ_{12} = I_{2}/I_{1} and ξ_{23} = I_{3}/I_{2} with I_{k} = ∫ r^{k} C_{4}(r) dr along the axes: the trapezoid "
        "sum over all integer r with Gregory's correction at r = 0, C_{4}(1)/6 - 2^{k} C_{4}(2)/24. C_{4} is measured "
        "below r_{c}, the first r with C_{4} < 3 errors, or < 6 where it rises; from there on A r^{-a} exp(-(r/l)^{b}) "
        "goes on, with 0 ≤ a ≤ 2 and 1 ≤ b ≤ 2, fitted to the points from r_{c}/8 and 2 on (r_{c} < 8: a = 0 and b = "
        "1, from r_{c}/2 on). Where C_{4} stays above its noise up to L/2 the sum ends there. The jackknife repeats "
        "sums and fit with the same r_{c}. L ≥ 7 ξ_{12} is the usual demand on the lattice. xi_12_cut is the ratio of "
        "plain sums over r up to the first r with C_{4} < 0.001, without correction and tail. z is the slope of "
        "straight lines of ln t against ln ξ_{12} over [t/2, 2t].");
  }
  if (has_curve(analysis, "xi_kmin")) {
    section.paragraphs.emplace_back(
        "ξ from k_{min} is the second-moment length (C_{4}(k = 0)/C_{4}(k_{min}) - 1)^{1/2}/(2 sin(π/L)).");
  }
  return section;
}

}  // namespace

Document course_report(const std::string& name, const CampaignSet& campaigns, const CourseReportOptions& options) {
  const CourseAnalysis analysis = analyze_course(
      read_series(campaigns, {.L = {},
                              .progress =
                                  [&](int L, int done, int total) {
                                    if (options.progress)
                                      options.progress(fmt::format("realizations of L = {}", L), done, total);
                                  },
                              .visit = {}}));
  Document document;
  document.title = fmt::format("Campaign{} {}", campaigns.members().size() == 1 ? "" : "s", name);
  document.headline = headline_of(analysis, campaigns);
  document.verdict = course_verdict(analysis);
  for (const std::string& line : comparison_lines(analysis, options.reference)) document.verdict.push_back(line + ".");
  document.sections = series_sections(analysis, options.reference);
  document.sections.push_back(method_section(analysis));
  document.provenance = report_provenance(name, campaigns);
  document.configuration = campaigns.config_text();
  share_sizes(document);
  return document;
}

}}  // namespace glassworks::analysis
