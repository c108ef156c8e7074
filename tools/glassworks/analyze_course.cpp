#include "tools/glassworks/analyze_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "analysis/averages/result_selection.hpp"
#include "analysis/series/series_tables.hpp"
#include "analysis/series/series_text.hpp"
#include "analysis/series/superposition.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/open_campaign.hpp"
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

/// Those of --L, if it is given.
void keep_sizes(const ParsedArguments& parsed, CampaignSeries& series) {
  const std::vector<int> wanted = chosen_sizes(parsed);
  std::vector<int> there;
  for (const SizeSeries& size : series.sizes) there.push_back(size.L);
  require_sizes(wanted, there);
  if (wanted.empty()) return;
  std::erase_if(series.sizes,
                [&](const SizeSeries& size) { return std::ranges::find(wanted, size.L) == wanted.end(); });
}

}  // namespace

std::vector<int> chosen_sizes(const ParsedArguments& parsed) {
  const auto text = text_of(parsed, "L");
  if (!text) return {};
  std::vector<int> sizes;
  for (const std::string& part : split(*text, ',')) {
    int L = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), L);
    if (error != std::errc() || end != part.data() + part.size() || L < 1) {
      throw InputError(InputFault::malformed, "--L",
                       fmt::format("--L cannot be '{}' (it is a size, or sizes with commas between them). Write "
                                   "--L=8 or --L=6,8.",
                                   *text));
    }
    sizes.push_back(L);
  }
  return sizes;
}

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
  CampaignSeries series = read_series(campaigns);
  keep_sizes(parsed, series);
  const CourseAnalysis analysis = analyze_course(std::move(series));
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

int superpose_courses(const ParsedArguments& parsed) {
  for (const char* other : {"converged-only", "covariance", "realizations", "observables", "L"}) {
    if (!parsed.has(other)) continue;
    throw InputError(
        InputFault::conflict, "--superpose",
        fmt::format("--superpose and --{} exclude each other (one compares three campaigns). Leave one out.", other));
  }
  if (parsed.operands.size() != 3) {
    throw InputError(
        InputFault::conflict, "--superpose",
        fmt::format("--superpose needs three campaigns, not {} (the field switched on, switched off, and on "
                    "throughout). Write `glassworks analyze ZFC TRM FC --superpose`.",
                    parsed.operands.size()));
  }
  if (parsed.has("csv")) require_writable(parsed, parsed.options.at("csv"), "csv");
  std::vector<CourseAnalysis> analyses;
  for (const std::string& directory : parsed.operands) {
    const OpenCampaigns campaign({directory});
    if (!has_course(campaign.set())) {
      throw InputError(
          InputFault::conflict, directory,
          fmt::format("--superpose cannot be used with {} (it has no course, and no history in time). Name "
                      "campaigns with a course.",
                      directory));
    }
    analyses.push_back(analyze_course(read_series(campaign.set())));
  }
  const std::vector<Superposition> checks = superpose(analyses[0], analyses[1], analyses[2]);
  show(superposition_text(checks));
  if (parsed.has("csv")) {
    write_output(parsed, parsed.options.at("csv"), "csv", superposition_csv(checks));
    print("\nEvery time: {}\n", parsed.options.at("csv"));
  }
  return 0;
}

}}  // namespace glassworks::tools
