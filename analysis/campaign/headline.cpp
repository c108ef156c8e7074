#include "analysis/campaign/headline.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "analysis/campaign/system_words.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// The day of an ISO time, or nothing if it is none.
std::string day_of(const std::string& time) {
  constexpr std::string_view pattern = "0000-00-00";
  if (time.size() < pattern.size()) return {};
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool fits = pattern[i] == '-' ? time[i] == '-' : std::isdigit(static_cast<unsigned char>(time[i])) != 0;
    if (!fits) return {};
  }
  return time.substr(0, pattern.size());
}

/// Of the file or of its write-ahead log, whichever is later.
std::string last_change(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::string day;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    const fs::path part = file.string() + suffix;
    const auto time = fs::last_write_time(part, error);
    if (error || (*suffix != '\0' && fs::file_size(part, error) == 0)) continue;
    const auto system = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
    day = std::max(day, fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(system))));
  }
  return day;
}

template <class Value>
std::string range_of(const std::set<Value>& values) {
  if (values.size() == 1) return fmt::format("{}", *values.begin());
  return fmt::format("{} to {}", *values.begin(), *values.rbegin());
}

std::string temperatures(const AnalysisResult& averages) {
  std::set<std::size_t> slots;
  std::set<double> all;
  for (const SizeResult& size : averages.sizes) {
    slots.insert(size.temperatures.size());
    all.insert(size.temperatures.begin(), size.temperatures.end());
  }
  if (all.empty()) return {};
  if (all.size() == 1) return fmt::format("T = {:.5g}", *all.begin());
  return fmt::format("{} temperatures from {:.5g} to {:.5g}", range_of(slots), *all.begin(), *all.rbegin());
}

std::string realizations(const AnalysisResult& averages) {
  std::vector<int> totals;
  for (const SizeResult& size : averages.sizes) totals.push_back(size.counts.total);
  const bool equal = std::adjacent_find(totals.begin(), totals.end(), std::not_equal_to<>()) == totals.end();
  if (equal && !totals.empty()) totals.resize(1);
  return fmt::format("{} {}{}", fmt::join(totals, ", "),
                     is_one_system(averages.config) ? "independent runs" : "realizations",
                     equal && averages.sizes.size() > 1 ? " of each size" : "");
}

std::string amount(double count) {
  if (count < 1e4) return fmt::format("{:.0f}", count);
  const int power = static_cast<int>(std::floor(std::log10(count * (1.0 + 5e-3))));
  return fmt::format("{:.1f} × 10^{{{}}}", count / std::pow(10.0, power), power);
}

}  // namespace

CampaignFacts campaign_facts(const CampaignSet& campaigns) {
  const Config config = campaigns.config();
  CampaignFacts facts;
  for (const Database* database : campaigns.members()) {
    const CampaignCost cost = database->cost();
    const std::string begun = day_of(cost.created);
    if (facts.begun.empty() || begun < facts.begun) facts.begun = begun;
    facts.ended = std::max(facts.ended, last_change(database->file()));
    facts.seconds += cost.seconds;
  }
  for (const SizeRow& size : campaigns.sizes()) {
    const auto place = std::find(config.model.L.begin(), config.model.L.end(), size.L);
    if (place == config.model.L.end()) continue;
    const auto index = static_cast<std::size_t>(place - config.model.L.begin());
    const Chain chain = make_chain(config, index, size.temperatures);
    for (const RealizationRow& row : campaigns.realizations(size.L)) {
      facts.updates += updates_of_rounds(chain, 0, row.rounds);
    }
  }
  return facts;
}

std::string headline(const AnalysisResult& averages, const CampaignFacts& facts) {
  const Config& config = averages.config;
  std::vector<std::string> parts = {system_words(config)};
  if (const std::string ladder = temperatures(averages); !ladder.empty()) parts.push_back(ladder);
  if (config.replicas.copies > 1) parts.push_back(fmt::format("{} copies", config.replicas.copies));
  parts.push_back(realizations(averages));
  if (!facts.begun.empty()) {
    const bool days = facts.ended > facts.begun;
    parts.push_back(days ? facts.begun + " to " + facts.ended : facts.begun);
  }
  if (facts.updates > 0.0) {
    parts.push_back(fmt::format("{} spin updates in {} of computing", amount(facts.updates),
                                facts.seconds < 0.5 ? "less than a second" : duration_text(facts.seconds)));
  }
  return fmt::format("{}.", fmt::join(parts, "; "));
}

}}  // namespace glassworks::analysis
