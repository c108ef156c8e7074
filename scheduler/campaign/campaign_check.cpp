#include "scheduler/campaign/campaign_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "base/text.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// Machines may round a ladder differently; two temperatures of one differ by much more.
bool same_ladder(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) <= 1e-14 * std::abs(y); });
}

void add_ladder_faults(const Config& config, std::size_t index, const SizeRow& size, std::vector<std::string>& faults) {
  const bool adapts = config.ladder.adapt != LadderAdaptation::none;
  if (!adapts && size.adapting) {
    faults.push_back(
        fmt::format("the ladder of L = {} is being adapted, but the configuration has no adaptation", size.L));
  }
  if (!adapts && !same_ladder(size.temperatures, ladder_temperatures(config, index))) {
    faults.push_back(fmt::format("the temperatures of L = {} are not those of the configuration", size.L));
  }
}

/// Columns are found by name.
void add_name_faults(const SizeRow& size, std::vector<std::string>& faults) {
  for (const std::vector<std::string>& names : {size.observables, size.samples}) {
    std::set<std::string> found;
    for (const std::string& name : names) {
      if (found.insert(name).second) continue;
      faults.push_back(fmt::format("L = {} has two columns of the name {}", size.L, visible_line(name)));
    }
  }
}

void add_size_faults(const Database& database, const Config& config, std::size_t index, const SizeRow& size,
                     std::vector<std::string>& faults) {
  if (config.ladder.adapt != LadderAdaptation::none && !size.adapting &&
      database.ladder_stages(size.L).size() < static_cast<std::size_t>(config.ladder.adapt_rounds)) {
    faults.push_back(fmt::format("stages in which the ladder of L = {} was adapted are missing", size.L));
  }
  const std::size_t realizations = database.realizations(size.L).size();
  if (const int wanted = realizations_of(config, index); realizations != static_cast<std::size_t>(wanted)) {
    faults.push_back(fmt::format("L = {} has {} realizations, and the configuration {}", size.L, realizations, wanted));
  }
}

std::vector<std::string> faults_of(const Database& database, const std::string& text, CheckedUse use) {
  const Config config = parse_config(text);
  const std::vector<SizeRow> sizes = database.sizes();
  std::vector<std::string> faults;
  for (const int L : config.model.L) {
    if (std::ranges::find(sizes, L, &SizeRow::L) != sizes.end()) continue;
    faults.push_back(fmt::format("it has no L = {}, which is in the configuration", L));
  }
  for (const SizeRow& size : sizes) {
    const auto place = std::ranges::find(config.model.L, size.L);
    if (place == config.model.L.end()) {
      faults.push_back(fmt::format("it has L = {}, which is not in the configuration", size.L));
      continue;
    }
    add_name_faults(size, faults);
    const auto index = static_cast<std::size_t>(place - config.model.L.begin());
    add_ladder_faults(config, index, size, faults);
    if (use == CheckedUse::writing) add_size_faults(database, config, index, size, faults);
  }
  return faults;
}

}  // namespace

/// Read again where the campaign was amended meanwhile.
std::vector<std::string> configuration_faults(const Database& database, CheckedUse use) {
  for (;;) {
    const std::string text = database.config_text();
    std::vector<std::string> faults = faults_of(database, text, use);
    if (faults.empty() || database.config_text() == text) return faults;
  }
}

void require_readable(const Database& database) {
  const std::vector<std::string> faults = configuration_faults(database, CheckedUse::reading);
  if (faults.empty()) return;
  throw std::runtime_error(
      fmt::format("Database {} is damaged ({}). Restore it from a copy.", database.file().string(), faults.front()));
}

void require_whole(const Database& database) {
  std::vector<std::string> faults = database.faults(CheckDepth::for_writing);
  if (faults.empty()) faults = configuration_faults(database, CheckedUse::writing);
  if (faults.empty()) return;
  throw std::runtime_error(fmt::format(
      "The campaign in {0} cannot be continued ({1}: {2}). Continue it with the version that began it, or restore "
      "that file from a copy; `glassworks verify {0}` lists all that is wrong.",
      database.file().parent_path().string(), database_file_name, faults.front()));
}

}}  // namespace glassworks::scheduler
