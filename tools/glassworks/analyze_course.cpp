#include "tools/glassworks/analyze_course.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/series/series_tables.hpp"
#include "analysis/series/series_text.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// A file of an analysis in time.
struct SeriesFile {
  const char *option, *what;
  std::string (*text)(const CourseAnalysis&, const SeriesSelection&);
};

constexpr SeriesFile files[] = {{"csv", "Every series with its errors", series_csv},
                                {"covariance", "Covariances between times", covariance_csv},
                                {"realizations", "The value of each realization", realizations_csv}};

}  // namespace

int analyze_course_of(const ParsedArguments& parsed, const CampaignSet& campaigns) {
  refuse_equilibrium_options(parsed, {"converged-only"});
  for (const SeriesFile& file : files) {
    if (parsed.has(file.option)) require_writable(parsed, parsed.options.at(file.option), file.option);
    for (const SeriesFile& other : files) {
      if (&other != &file) require_different(parsed, file.option, other.option);
    }
  }
  SeriesSelection selection;
  if (const auto names = text_of(parsed, "observables")) selection = parse_selection(*names);
  const CourseAnalysis analysis = analyze_course(read_series(campaigns));
  require_quantities(selection, analysis);
  show(series_text(analysis));
  if (std::ranges::any_of(files, [&](const SeriesFile& file) { return parsed.has(file.option); })) show("\n");
  for (const SeriesFile& file : files) {
    if (!parsed.has(file.option)) continue;
    const std::string& path = parsed.options.at(file.option);
    write_output(parsed, path, file.option, file.text(analysis, selection));
    print("{}: {}\n", file.what, path);
  }
  return 0;
}

}}  // namespace glassworks::tools
