#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/campaign/compared_campaigns.hpp"
#include "analysis/report/safe_text.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t most_rows = 120;  ///< of the table of differences, unless observables are named
constexpr double shown_sigma = 2.0;     ///< of the rows that stay where there are more

std::string p_words(double p) { return p < 1e-10 ? "<1e-10" : fmt::format("{:.2g}", p); }

std::string sigma_words(double sigma) { return fmt::format("{:+.2f}", sigma); }

void add_test(const ChiSquare& test, std::vector<std::string>& row) {
  row.push_back(std::isfinite(test.chi2) ? fmt::format("{:.1f}", test.chi2) : "inf");
  row.push_back(fmt::format("{}", test.values));
  row.push_back(fmt::format("{}", test.rank));
  row.push_back(p_words(test.p_value));
}

std::string tests_table(const CampaignComparison& comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"L", "observable", "largest", "at T", "chi^2", "values", "modes", "p"}};
  for (const ComparedSize& size : comparison.sizes) {
    for (const ComparedCurve& curve : size.curves) {
      const ComparedPoint& worst =
          *std::ranges::max_element(curve.points, {}, [](const ComparedPoint& x) { return std::abs(x.sigma()); });
      std::vector<std::string>& row = rows.emplace_back();
      row = {std::to_string(size.L), curve.observable, sigma_words(worst.sigma()), fmt::format("{:.5g}", worst.T)};
      add_test(curve.test, row);
    }
    std::vector<std::string>& row = rows.emplace_back();
    row = {std::to_string(size.L), "all", "", ""};
    add_test(size.all, row);
  }
  return format_table(rows);
}

std::string differences_table(const CampaignComparison& comparison, bool all) {
  std::vector<std::vector<std::string>> rows = {{"L", "T", "observable", "first", "second", "difference", "sigmas"}};
  std::size_t values = 0;
  for (const ComparedSize& size : comparison.sizes) {
    for (const ComparedCurve& curve : size.curves) values += curve.points.size();
  }
  const bool whole = all || values <= most_rows;
  for (const ComparedSize& size : comparison.sizes) {
    for (const ComparedCurve& curve : size.curves) {
      for (const ComparedPoint& x : curve.points) {
        if (!whole && !(std::abs(x.sigma()) >= shown_sigma)) continue;
        rows.push_back({std::to_string(size.L), fmt::format("{:.5g}", x.T), curve.observable,
                        format_value(x.first.mean, x.first.error), format_value(x.second.mean, x.second.error),
                        format_value(x.difference, x.error), sigma_words(x.sigma())});
      }
    }
  }
  const std::string above = whole ? ""
                                  : fmt::format("{} of {} differences are 2 standard errors or more; --csv has all:\n",
                                                rows.size() - 1, values);
  return above + (rows.size() > 1 ? format_table(rows) : "");
}

}  // namespace

std::string comparison_text(const CampaignComparison& comparison, bool all) {
  std::string text;
  for (const std::string& remark : comparison.remarks) text += remark + '\n';
  text += '\n' + differences_table(comparison, all) + "\n" + tests_table(comparison) + '\n';
  return text + fmt::format(
                    "{} at the {:g} % level: p = {} over all sizes; the smallest of {} curves is {} (limits {:.2g} and "
                    "{:.2g}).\n",
                    comparison.agrees() ? "Compatible" : "Not compatible", 100.0 * comparison.level,
                    p_words(comparison.p_value()), comparison.curves(), p_words(comparison.smallest_p()),
                    0.5 * comparison.level, 0.5 * comparison.level / static_cast<double>(comparison.curves()));
}

std::string comparison_csv(const CampaignComparison& comparison) {
  std::string text = "L,T,observable,first,first_error,second,second_error,difference,error,sigma\n";
  for (const ComparedSize& size : comparison.sizes) {
    for (const ComparedCurve& curve : size.curves) {
      for (const ComparedPoint& x : curve.points) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", size.L, shortest(x.T), csv_cell(curve.observable),
                            shortest(x.first.mean), shortest(x.first.error), shortest(x.second.mean),
                            shortest(x.second.error), shortest(x.difference), shortest(x.error), shortest(x.sigma()));
      }
    }
  }
  return text;
}

std::string comparison_json(const CampaignComparison& comparison) {
  JsonWriter json;
  const auto write_test = [&](const ChiSquare& test) {
    json.begin_object().field("chi2", test.chi2).field("values", test.values).field("modes", test.rank);
    json.field("freedom", test.freedom).field("condition", test.condition).field("p", test.p_value).end_object();
  };
  json.begin_object().field("compatible", comparison.agrees()).field("level", comparison.level);
  json.field("p", comparison.p_value()).field("smallest_p", comparison.smallest_p());
  json.key("remarks").begin_array();
  for (const std::string& remark : comparison.remarks) json.value(remark);
  json.end_array().key("sizes").begin_array();
  for (const ComparedSize& size : comparison.sizes) {
    json.begin_object().field("L", size.L).field("paired", static_cast<std::uint64_t>(size.paired));
    json.key("all");
    write_test(size.all);
    json.key("observables").begin_array();
    for (const ComparedCurve& curve : size.curves) {
      json.begin_object().field("observable", curve.observable).key("test");
      write_test(curve.test);
      json.key("differences").begin_array();
      for (const ComparedPoint& x : curve.points) {
        json.begin_object().field("T", x.T).field("first", x.first.mean).field("first_error", x.first.error);
        json.field("second", x.second.mean).field("second_error", x.second.error);
        json.field("difference", x.difference).field("error", x.error).field("sigma", x.sigma()).end_object();
      }
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::analysis
