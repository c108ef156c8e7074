#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace glassworks { inline namespace tools {

/// The lowest energy found for a realization.
struct LowestEnergy {
  std::uint32_t rounds = 0;    ///< after which the descents began
  int slots = 0;               ///< coldest ones from which they began, of every copy
  std::int64_t descents = 0;   ///< of all calls
  std::int64_t met = 0;        ///< of them ended at the lowest energy, to 1e-9 of it
  std::int64_t unsettled = 0;  ///< of them ended before they settled in a minimum
  double energy = 0.0;         ///< of the whole lattice [J]; NaN: of an earlier version, which kept that per site alone
  double energy_per_site = 0.0;  ///< [J]
};

/// By L and realization.
using GroundTable = std::map<std::pair<int, std::uint32_t>, LowestEnergy>;

/// What `ground` keeps in the directory of a campaign: ground/energies.csv and ground/L008-r000012.txt with the spins.
[[nodiscard]] std::filesystem::path ground_folder(const std::filesystem::path& campaign);

/// Reads ground/energies.csv; empty if there is none. Throws InputError for another file of that name.
[[nodiscard]] GroundTable read_ground_table(const std::filesystem::path& campaign);

/// Replaces ground/energies.csv.
void write_ground_table(const std::filesystem::path& campaign, const GroundTable& table);

/// Mean over realizations with its error, for each size; empty for an empty table.
///
/// one_system  all realizations have the same couplings and fields: their lowest energy, which has no error
[[nodiscard]] std::string ground_text(const GroundTable& table, bool one_system);

}}  // namespace glassworks::tools
