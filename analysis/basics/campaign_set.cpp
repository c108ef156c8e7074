#include "analysis/basics/campaign_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/paths.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string place_of(const Database& database) { return database.file().parent_path().string(); }

/// A campaign with what is compared.
struct Member {
  std::string name;
  Config config;
  std::vector<SizeRow> sizes;
  std::uint32_t first = 0;

  [[nodiscard]] const SizeRow* size(int L) const {
    const auto place = std::ranges::find(sizes, L, &SizeRow::L);
    return place == sizes.end() ? nullptr : &*place;
  }
  /// Number behind the last realization of a size.
  [[nodiscard]] std::uint32_t end(int L) const {
    const auto place = std::ranges::find(config.model.L, L);
    if (place == config.model.L.end()) return first;
    const auto index = static_cast<std::size_t>(place - config.model.L.begin());
    return first + static_cast<std::uint32_t>(realizations_of(config, index));
  }
};

Member member_of(const Database& database) {
  Member member{.name = place_of(database), .config = parse_config(database.config_text()), .sizes = database.sizes()};
  member.first = static_cast<std::uint32_t>(member.config.disorder.first_realization);
  return member;
}

void compare_size(const Member& a, const Member& b, int L, std::vector<std::string>& lines) {
  const SizeRow &one = *a.size(L), &other = *b.size(L);
  const auto differ = [&](const std::string& what) {
    lines.push_back(fmt::format("{} of L = {}, which {} and {} have", what, L, a.name, b.name));
  };
  if (one.adapting || other.adapting) {
    lines.push_back(fmt::format("the ladder of L = {} in {}, which is being adapted: go on with that campaign first", L,
                                one.adapting ? a.name : b.name));
  } else if (one.temperatures != other.temperatures) {
    differ("the temperatures");
  }
  if (one.observables != other.observables) differ("the observables");
  if (one.samples != other.samples) differ("the quantities of single measurements");
  const int here = measurements_of_L(a.config, L), there = measurements_of_L(b.config, L);
  if (here != there) differ(fmt::format("round.measurements ({} and {})", here, there));
  const std::uint32_t first = std::max(a.first, b.first), end = std::min(a.end(L), b.end(L));
  if (first >= end) return;
  const std::string numbers =
      end - first == 1 ? fmt::format("realization {}", first) : fmt::format("realizations {} to {}", first, end - 1);
  lines.push_back(
      fmt::format("{} of L = {}, which both {} and {} have (disorder.first says where the numbers of a "
                  "campaign begin)",
                  numbers, L, a.name, b.name));
}

std::vector<std::string> differences(const Member& a, const Member& b) {
  std::vector<std::string> lines;
  for (const ConfigChange& change : ensemble_differences(a.config, b.config)) {
    lines.push_back(fmt::format("{}: {} in {}, {} in {}", change.key, change.before, a.name, change.after, b.name));
  }
  for (const SizeRow& size : a.sizes) {
    if (b.size(size.L) != nullptr) compare_size(a, b, size.L, lines);
  }
  return lines;
}

}  // namespace

CampaignSet::CampaignSet(std::vector<const Database*> members) : members_(std::move(members)) {
  std::vector<Member> all;
  for (const Database* database : members_) all.push_back(member_of(*database));
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      for (std::string& line : differences(all[i], all[j])) {
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
      }
    }
  }
  if (lines.empty()) return;
  std::string text =
      "these campaigns cannot be analysed together (model, disorder and protocol must agree, and no realization may "
      "count twice). Analyse them one by one, or leave out those that differ in:";
  for (const std::string& line : lines) text += "\n  " + line;
  std::vector<std::string> names;
  for (const Member& member : all) names.push_back(member.name);
  throw InputError(InputFault::conflict, fmt::format("{}", fmt::join(names, ", ")), text);
}

Config CampaignSet::config() const {
  std::vector<Config> all;
  for (const Database* database : members_) all.push_back(parse_config(database->config_text()));
  return all.size() == 1 ? all.front() : united(all);
}

std::string CampaignSet::config_text() const {
  if (members_.size() == 1) return members_.front()->config_text();
  std::string text;
  for (const Database* database : members_) {
    text += fmt::format("{}# {}\n{}", text.empty() ? "" : "\n", campaign_name(*database), database->config_text());
  }
  return text;
}

std::vector<SizeRow> CampaignSet::sizes() const {
  std::vector<SizeRow> all;
  for (const Database* database : members_) {
    for (SizeRow& size : database->sizes()) {
      if (std::ranges::find(all, size.L, &SizeRow::L) == all.end()) all.push_back(std::move(size));
    }
  }
  std::ranges::sort(all, {}, &SizeRow::L);
  return all;
}

std::vector<RealizationRow> CampaignSet::realizations(std::optional<int> L) const {
  if (members_.size() == 1) return members_.front()->realizations(L);
  std::vector<RealizationRow> all;
  for (const Database* database : L ? with_size(*L) : members_) {
    std::vector<RealizationRow> rows = database->realizations(L);
    std::ranges::move(rows, std::back_inserter(all));
  }
  std::ranges::sort(all, {}, &RealizationRow::key);
  return all;
}

std::vector<const Database*> CampaignSet::with_size(int L) const {
  if (members_.size() == 1) return members_;
  std::vector<std::pair<std::uint32_t, const Database*>> found;
  for (const Database* database : members_) {
    const std::vector<SizeRow> sizes = database->sizes();
    if (std::ranges::find(sizes, L, &SizeRow::L) == sizes.end()) continue;
    found.emplace_back(stored_first_realization(database->config_text()), database);
  }
  if (found.empty()) {
    throw InputError(InputFault::unknown, "L",
                     fmt::format("none of these campaigns has a size L = {}. Choose one of their sizes.", L));
  }
  std::ranges::sort(found, {}, [](const auto& entry) { return entry.first; });
  std::vector<const Database*> sorted;
  for (const auto& [first, database] : found) sorted.push_back(database);
  return sorted;
}

std::vector<Provenance> CampaignSet::provenances() const {
  std::vector<Provenance> all;
  for (const Database* database : members_) {
    for (Provenance& provenance : database->provenances()) {
      if (std::ranges::find(all, provenance) == all.end()) all.push_back(std::move(provenance));
    }
  }
  return all;
}

std::vector<std::int64_t> CampaignSet::provenance_places(const Database& member) const {
  const std::vector<Provenance> of_member = member.provenances(), all = provenances();
  std::vector<std::int64_t> places;
  for (const Provenance& provenance : of_member) {
    places.push_back(std::ranges::find(all, provenance) - all.begin() + 1);
  }
  return places;
}

std::vector<std::string> CampaignSet::amendments() const {
  std::vector<std::string> all;
  for (const Database* database : members_) {
    for (const std::string& line : database->amendments()) {
      all.push_back(members_.size() == 1 ? line : campaign_name(*database) + ": " + line);
    }
  }
  return all;
}

std::vector<std::string> CampaignSet::remarks() const {
  std::vector<std::string> sentences;
  const Config first = parse_config(members_.front()->config_text());
  for (std::size_t i = 1; i < members_.size(); ++i) {
    const Config other = parse_config(members_[i]->config_text());
    for (const ConfigChange& change : stopping_differences(first, other)) {
      sentences.push_back(fmt::format("{} is {} in {} and {} in {}.", change.key, change.before,
                                      campaign_name(*members_.front()), change.after, campaign_name(*members_[i])));
    }
  }
  return sentences;
}

std::string campaign_name(const Database& database) {
  return absolute_path(database.file()).lexically_normal().parent_path().filename().string();
}

std::string campaign_names(const CampaignSet& campaigns) {
  std::string text;
  for (const Database* database : campaigns.members()) text += (text.empty() ? "" : ", ") + campaign_name(*database);
  return text;
}

}}  // namespace glassworks::analysis
