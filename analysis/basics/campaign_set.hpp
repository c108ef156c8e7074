#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Campaigns that are analysed as one: sizes of all of them, and of one size the realizations of all, whose numbers
/// must not overlap (disorder.first). Reads like a Database. Campaigns may run meanwhile: everything is read anew.
/// The databases must outlive it.
class CampaignSet {
 public:
  /// One campaign, as it is.
  CampaignSet(const Database& database) : members_{&database} {}  // NOLINT(google-explicit-constructor)
  /// Throws InputError with a list of everything that differs where seed, model, disorder, copies or protocol do, where
  /// one size has different ladders, columns or lengths of rounds, or where realizations overlap.
  explicit CampaignSet(std::vector<const Database*> members);

  [[nodiscard]] const std::vector<const Database*>& members() const { return members_; }
  /// With all sizes; realizations of a size added up.
  [[nodiscard]] Config config() const;
  /// The canonical text; of several campaigns one after the other, each below a line "# directory".
  [[nodiscard]] std::string config_text() const;
  [[nodiscard]] std::vector<SizeRow> sizes() const;
  /// All realizations, or those of one size, ordered by (L, realization).
  [[nodiscard]] std::vector<RealizationRow> realizations(std::optional<int> L = std::nullopt) const;
  /// Campaigns that have a size, by the numbers of their realizations.
  [[nodiscard]] std::vector<const Database*> with_size(int L) const;
  /// Without repetition. Rounds that for_each_realization reads name them by their places here, from 1.
  [[nodiscard]] std::vector<Provenance> provenances() const;
  /// Places in provenances(), from 1, of those of a member.
  [[nodiscard]] std::vector<std::int64_t> provenance_places(const Database& member) const;
  /// "key: before -> after" lines of all amendments with their times; of several campaigns behind their directories.
  [[nodiscard]] std::vector<std::string> amendments() const;
  /// Sentences on what differs without harm: the criteria by which realizations stop.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  std::vector<const Database*> members_;
};

/// The name of the directory of a campaign, for people.
[[nodiscard]] std::string campaign_name(const Database& database);
/// Of all campaigns of a set, with commas between them.
[[nodiscard]] std::string campaign_names(const CampaignSet& campaigns);

}}  // namespace glassworks::analysis
