#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "analysis/analysis.hpp"
#include "analysis/csv.hpp"
#include "analysis/report_text.hpp"
#include "engine/config.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks {
namespace {

namespace fs = std::filesystem;

/// Splits arguments into one directory, flags, and options with a value ("--name value" or "--name=value").
struct ParsedArguments {
  fs::path directory;
  std::map<std::string, std::string> options;

  [[nodiscard]] bool has(const std::string& name) const { return options.contains(name); }
};

ParsedArguments parse(const std::string& verb, const Arguments& arguments, const std::vector<std::string>& flags,
                      const std::vector<std::string>& values) {
  const auto known = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  ParsedArguments parsed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (!parsed.directory.empty()) {
        throw InputError(fmt::format("`glassworks {}` takes one campaign directory ('{}' and '{}' given). Name one.",
                                     verb, parsed.directory.string(), argument));
      }
      parsed.directory = argument;
      continue;
    }
    const auto equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (known(flags, name) && equals == std::string::npos) {
      parsed.options[name] = "";
    } else if (known(values, name) && equals != std::string::npos) {
      parsed.options[name] = argument.substr(equals + 1);
    } else if (known(values, name) && i + 1 < arguments.size()) {
      parsed.options[name] = arguments[++i];
    } else {
      throw InputError(fmt::format("`glassworks {}` cannot use '{}' ({}). See `glassworks --help`.", verb, argument,
                                   known(values, name) ? "its value is missing" : "there is no such option"));
    }
  }
  if (parsed.directory.empty()) {
    throw InputError(
        fmt::format("`glassworks {}` needs a campaign directory. For example: glassworks {} "
                    "campaigns/quickstart",
                    verb, verb));
  }
  return parsed;
}

std::optional<int> number(const ParsedArguments& parsed, const std::string& name) {
  const auto found = parsed.options.find(name);
  if (found == parsed.options.end()) return std::nullopt;
  const std::string& text = found->second;
  int value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 0) {
    throw InputError(fmt::format("--{} = '{}' cannot be used (it is no number). Give a whole number.", name, text));
  }
  return value;
}

}  // namespace

Database open_campaign(const fs::path& directory) {
  const fs::path file = directory / database_file_name;
  std::error_code error;
  if (!fs::exists(file, error)) {
    throw InputError(
        fmt::format("there is no campaign in {} (it holds no {}). Give the campaign.directory of a "
                    "configuration that was run.",
                    directory.string(), database_file_name));
  }
  return Database::open(file, DatabaseAccess::read_only);
}

int show_status(const Arguments& arguments) {
  const ParsedArguments parsed = parse("status", arguments, {}, {});
  const Database database = open_campaign(parsed.directory);
  struct Count {
    int realizations = 0;
    std::map<RealizationStatus, int> by_status;
    std::uint64_t rounds = 0, round_trips = 0;
    std::uint32_t most = 0;
  };
  std::map<int, Count> sizes;
  for (const RealizationRow& row : database.realizations()) {
    Count& c = sizes[row.key.L];
    ++c.realizations;
    ++c.by_status[row.status];
    c.rounds += row.rounds;
    c.round_trips += row.round_trips;
    c.most = std::max(c.most, row.rounds);
  }
  fmt::print("{:>5} {:>12} {:>8} {:>14} {:>10} {:>10} {:>8} {:>9} {:>11} {:>12}\n", "L", "realizations", "queued",
             "equilibrating", "producing", "converged", "failed", "rounds", "most rounds", "round trips");
  bool complete = true;
  for (auto& [L, c] : sizes) {
    using S = RealizationStatus;
    fmt::print("{:>5} {:>12} {:>8} {:>14} {:>10} {:>10} {:>8} {:>9} {:>11} {:>12}\n", L, c.realizations,
               c.by_status[S::queued], c.by_status[S::equilibrating], c.by_status[S::producing],
               c.by_status[S::converged], c.by_status[S::failed], c.rounds, c.most, c.round_trips);
    complete = complete && c.by_status[S::converged] + c.by_status[S::failed] == c.realizations;
  }
  fmt::print("{}\n", complete ? "The campaign is finished."
                              : "The campaign is not finished: `glassworks run` with its configuration continues it.");
  return 0;
}

int analyze_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse("analyze", arguments, {"converged-only"}, {"csv"});
  const Database database = open_campaign(parsed.directory);
  AnalysisOptions options;
  if (parsed.has("converged-only")) options.selection = Selection::converged_only;
  const AnalysisResult result = analyze(database, options);
  fmt::print("{}", report_text(result));
  if (parsed.has("csv")) {
    const fs::path file = parsed.options.at("csv");
    write_csv(file, result);
    fmt::print("\nEvery observable with its error: {}\n", file.string());
  }
  return 0;
}

int inspect_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse("inspect", arguments, {"digest"}, {"L", "realization"});
  const auto L = number(parsed, "L"), realization = number(parsed, "realization");
  const Database database = open_campaign(parsed.directory);
  int shown = 0;
  for (const RealizationRow& row : database.realizations(L)) {
    if (realization && row.key.realization != static_cast<std::uint32_t>(*realization)) continue;
    ++shown;
    if (parsed.has("digest")) {
      fmt::print("{} {} {} {} {}\n", row.key.L, row.key.realization, row.rounds, database.bins_digest(row.key),
                 row.state_digest.empty() ? "-" : row.state_digest);
    } else {
      fmt::print("L = {}, realization {}: {}, {} rounds, {} round trips{}{}\n", row.key.L, row.key.realization,
                 to_string(row.status), row.rounds, row.round_trips, row.reason.empty() ? "" : "; ", row.reason);
    }
  }
  if (shown == 0) {
    throw InputError(fmt::format("no realization in {} fits --L and --realization. `glassworks inspect {}` lists all.",
                                 parsed.directory.string(), parsed.directory.string()));
  }
  return 0;
}

}  // namespace glassworks
