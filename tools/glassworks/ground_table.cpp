#include "tools/glassworks/ground_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "analysis/basics/value_format.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* head = "L,realization,rounds,slots,descents,met,unsettled,energy,energy_per_site";
constexpr const char* earlier_head = "L,realization,rounds,slots,descents,met,unsettled,energy_per_site";
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 32;

fs::path table_file(const fs::path& campaign) { return ground_folder(campaign) / "energies.csv"; }

template <class Number>
Number number_in_table(const std::string& text, const fs::path& file) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw InputError(InputFault::unusable_file, file.string(),
                   fmt::format("{} is not a table of `glassworks ground` ({} is no number). Move it away.",
                               file.string(), in_quotes(text)));
}

}  // namespace

fs::path ground_folder(const fs::path& campaign) { return campaign / "ground"; }

GroundTable read_ground_table(const fs::path& campaign) {
  const fs::path file = table_file(campaign);
  GroundTable table;
  if (std::error_code error; !fs::exists(file, error)) return table;
  std::vector<std::string> lines = split(read_text_file(file, "table of lowest energies", most_bytes), '\n');
  const bool has_energy = lines.front() == head;
  if (!has_energy && lines.front() != earlier_head) {
    throw InputError(InputFault::unusable_file, file.string(),
                     fmt::format("{} is not a table of `glassworks ground` (its first line is not '{}'). Move it away.",
                                 file.string(), head));
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::vector<std::string> field = split(lines[i], ',');
    const std::size_t fields = has_energy ? 9 : 8;
    if (field.size() != fields) {
      throw InputError(InputFault::unusable_file, file.string(),
                       fmt::format("{} is damaged (line {} has {} fields, not {}). Move it away; `glassworks ground` "
                                   "makes it again.",
                                   file.string(), i + 1, field.size(), fields));
    }
    LowestEnergy& lowest =
        table[{number_in_table<int>(field[0], file), number_in_table<std::uint32_t>(field[1], file)}];
    lowest = {number_in_table<std::uint32_t>(field[2], file),
              number_in_table<int>(field[3], file),
              number_in_table<std::int64_t>(field[4], file),
              number_in_table<std::int64_t>(field[5], file),
              number_in_table<std::int64_t>(field[6], file),
              has_energy ? number_in_table<double>(field[7], file) : std::nan(""),
              number_in_table<double>(field.back(), file)};
  }
  return table;
}

void write_ground_table(const fs::path& campaign, const GroundTable& table) {
  std::string text = std::string(head) + '\n';
  for (const auto& [key, lowest] : table) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", key.first, key.second, lowest.rounds, lowest.slots,
                        lowest.descents, lowest.met, lowest.unsettled, lowest.energy, lowest.energy_per_site);
  }
  fs::create_directories(ground_folder(campaign));
  write_output(table_file(campaign), text, Existing::replace);
}

namespace {

/// Mean with its error; of one system the lowest value alone, to the last digit.
std::string energy_text(const std::vector<double>& energies, bool one_system) {
  const auto [lowest, highest] = std::ranges::minmax(energies);
  if (std::ranges::any_of(energies, [](double e) { return std::isnan(e); })) return "-";
  if (one_system || lowest == highest) return fmt::to_string(lowest);
  const auto n = static_cast<double>(energies.size());
  double sum = 0.0, squares = 0.0;
  for (const double e : energies) sum += e;
  for (const double e : energies) squares += (e - sum / n) * (e - sum / n);
  return format_value(sum / n, std::sqrt(squares / (n * (n - 1.0))));
}

}  // namespace

std::string ground_text(const GroundTable& table, bool one_system) {
  if (table.empty()) return {};
  std::map<int, std::vector<const LowestEnergy*>> sizes;
  for (const auto& [key, lowest] : table) sizes[key.first].push_back(&lowest);
  std::vector<std::vector<std::string>> rows{
      {"L", "realizations", "descents", "met once", "unsettled", "energy per site", "energy"}};
  for (const auto& [L, all] : sizes) {
    std::vector<double> per_site, total;
    std::int64_t descents = 0, unsettled = 0;
    for (const LowestEnergy* lowest : all) {
      per_site.push_back(lowest->energy_per_site);
      total.push_back(lowest->energy);
      descents += lowest->descents;
      unsettled += lowest->unsettled;
    }
    const auto once = std::ranges::count_if(all, [](const LowestEnergy* lowest) { return lowest->met == 1; });
    rows.push_back({fmt::to_string(L), fmt::to_string(all.size()), fmt::to_string(descents), fmt::to_string(once),
                    fmt::to_string(unsettled), energy_text(per_site, one_system), energy_text(total, one_system)});
  }
  const char* const of = one_system ? "lowest of all realizations, which are one system" : "means over realizations";
  return fmt::format(
             "Lowest energies found by descents from the coldest slots, upper bounds of ground-state energies: {}.\n"
             "met once: realizations whose lowest energy only one descent met, so that a lower one is likely.\n",
             of) +
         format_table(rows);
}

}}  // namespace glassworks::tools
