#include "scheduler/campaign/stored_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "kernels/series/course_batch.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

using Names = std::vector<std::string>;

/// "a, b, c and 4 others".
std::string listed(const Names& names) {
  constexpr std::size_t most = 3;
  Names shown;
  for (const std::string& name : names) {
    if (shown.size() < most) shown.push_back(visible_line(name));
  }
  const std::size_t others = names.size() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     others > 0 ? fmt::format(" and {} other{}", others, others > 1 ? "s" : "") : "");
}

Names without(const Names& names, const Names& known) {
  Names left;
  std::ranges::copy_if(names, std::back_inserter(left),
                       [&](const std::string& name) { return std::ranges::find(known, name) == known.end(); });
  return left;
}

std::string column_difference(const char* what, int L, const Names& stored, const Names& written) {
  if (stored == written) return {};
  const Names missing = without(written, stored), unknown = without(stored, written);
  std::string text = fmt::format("the {} of L = {} ", what, L);
  if (missing.empty() && unknown.empty()) {
    const auto [ours, theirs] = std::ranges::mismatch(written, stored);
    const auto name = [](const Names& names, auto place) { return place == names.end() ? "nothing" : *place; };
    return text + fmt::format("are in another order, {} in place of {}", name(stored, theirs), name(written, ours));
  }
  if (!missing.empty()) text += "lack " + listed(missing);
  if (!missing.empty() && !unknown.empty()) text += " and ";
  if (!unknown.empty()) text += fmt::format("hold {}, unknown to this version", listed(unknown));
  return text;
}

/// The version that wrote the first round, for people.
std::string first_version(const Database& database) {
  const std::vector<Provenance> provenances = database.provenances();
  if (provenances.empty()) return "the version that began it";
  return visible_line(fmt::format("version {} ({})", provenances.front().version, provenances.front().commit));
}

}  // namespace

WrittenColumns written_columns(const Config& config, std::size_t size_index) {
  if (config.course.exists()) return {series_layout(make_chain(config, size_index)).names(), {}};
  const BinLayout layout = config.bins();
  return {layout.names(), config.round.samples() > 0 ? layout.sample_names() : Names()};
}

ChainObservables stored_observables(const Config& config, const SizeRow& size) {
  return {config.bins(), size.observables};
}

std::map<int, std::string> column_differences(const Config& config, const std::vector<SizeRow>& sizes) {
  std::map<int, std::string> differences;
  for (const SizeRow& size : sizes) {
    const auto place = std::ranges::find(config.model.L, size.L);
    if (place == config.model.L.end()) continue;
    const WrittenColumns written = written_columns(config, static_cast<std::size_t>(place - config.model.L.begin()));
    std::string text = column_difference("bins", size.L, size.observables, written.observables);
    if (text.empty()) text = column_difference("samples", size.L, size.samples, written.samples);
    if (!text.empty()) differences.emplace(size.L, std::move(text));
  }
  return differences;
}

void require_written_columns(const Database& database, const Config& config) {
  const std::map<int, std::string> differences = column_differences(config, database.sizes());
  if (differences.empty()) return;
  throw std::runtime_error(
      fmt::format("The campaign in {} cannot be continued by this version ({}). Continue it with {}; `status`, `why`, "
                  "`analyze`, `report` and `export` find columns by name.",
                  database.file().parent_path().string(), differences.begin()->second, first_version(database)));
}

}}  // namespace glassworks::scheduler
