#include "analysis/histories/history_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable.hpp"
#include "engine/config/config_value.hpp"
#include "engine/config/keys/campaign_keys.hpp"

namespace glassworks { inline namespace analysis {
namespace {

namespace fs = std::filesystem;

std::string title_of(const PartComparison& comparison) {
  switch (comparison.part) {
    case CampaignPart::second_histories:
      return fmt::format("Second histories with {} start", comparison.start);
    case CampaignPart::fivefold:
      return "Histories of five times the length";
    case CampaignPart::other_generator:
      break;
  }
  return "Histories with another random number generator";
}

const char* explanation_of(CampaignPart part) {
  switch (part) {
    case CampaignPart::second_histories:
      return "The same disorder was simulated again from another start with other random numbers, and each history "
             "stopped by itself. In equilibrium the averages of both agree in every realization.";
    case CampaignPart::fivefold:
      return "Realizations that had converged were simulated on, with the same random numbers, to five times the "
             "length "
             "at which they had stopped; the first half of the long history is left out. A difference is a bias of "
             "stopping when a history looks good, or of a start that is not forgotten.";
    case CampaignPart::other_generator:
      break;
  }
  return "Realizations were simulated again to the same length with the generator Threefry4x32-20 in place of "
         "Philox4x32-10, at the same addresses. The disorder is the same.";
}

const char* id_of(const PartComparison& comparison) {
  switch (comparison.part) {
    case CampaignPart::second_histories:
      return comparison.start == write_value(Start::ordered) ? "second_histories_ordered" : "second_histories";
    case CampaignPart::fivefold:
      return "validation_fivefold";
    case CampaignPart::other_generator:
      break;
  }
  return "validation_generator";
}

struct Largest {
  const PairedHistories* size = nullptr;
  const PairedObservable* observable = nullptr;
};

/// The observable whose difference over all temperatures comes closest to its limit, or lies farthest beyond.
Largest largest_of(const PartComparison& comparison) {
  Largest largest;
  for (const PairedHistories& size : comparison.sizes) {
    for (const PairedObservable& o : size.observables) {
      const auto ratio = [](const PairedObservable& of, double limit) { return std::abs(of.sigma) / limit; };
      if (largest.observable != nullptr && ratio(o, size.limit) <= ratio(*largest.observable, largest.size->limit)) {
        continue;
      }
      largest = {&size, &o};
    }
  }
  return largest;
}

}  // namespace

bool PartComparison::agrees() const {
  const Largest largest = largest_of(*this);
  if (largest.observable != nullptr && std::abs(largest.observable->sigma) > largest.size->limit) return false;
  return std::ranges::all_of(moments, [](const std::vector<MomentComparison>& of_size) {
    return std::ranges::all_of(of_size, [](const MomentComparison& m) { return std::abs(m.worst) <= m.limit; });
  });
}

std::optional<PartComparison> compare_part(const Database& campaign, const CampaignEnsembles& first,
                                           CampaignPart part) {
  const fs::path file = part_folder(campaign.file().parent_path(), part) / database_file_name;
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const Database database = Database::open(file, DatabaseAccess::read_only);
  const std::vector<RealizationRow> rows = database.realizations();
  if (std::ranges::none_of(rows, [](const RealizationRow& row) { return row.rounds > 0; })) return {};
  const CampaignEnsembles other = read_ensembles(database);
  PartComparison result{.part = part, .start = write_value(other.config.campaign.start), .sizes = {}, .moments = {}};
  for (const SizeEnsemble& size : other.sizes) {
    const auto here = std::ranges::find(first.sizes, size.size.L, [](const SizeEnsemble& s) { return s.size.L; });
    if (here == first.sizes.end()) continue;
    result.sizes.push_back(compare_histories(first.config, *here, size));
    if (part != CampaignPart::fivefold) result.moments.push_back(compare_moments(campaign, database, size.size.L));
  }
  return result;
}

std::vector<PartComparison> compare_parts(const Database& campaign, const CampaignEnsembles* read) {
  std::vector<PartComparison> comparisons;
  std::optional<CampaignEnsembles> first;
  for (const CampaignPart part :
       {CampaignPart::second_histories, CampaignPart::fivefold, CampaignPart::other_generator}) {
    std::error_code error;
    if (!fs::exists(part_folder(campaign.file().parent_path(), part), error)) continue;
    if (read == nullptr) read = &first.emplace(read_ensembles(campaign));
    if (auto comparison = compare_part(campaign, *read, part)) comparisons.push_back(std::move(*comparison));
  }
  return comparisons;
}

std::vector<PartComparison> compare_parts(const CampaignSet& campaigns, const CampaignEnsembles& read) {
  const bool is_member = campaigns.members().size() == 1 && read.selection == Selection::all_with_data;
  std::vector<PartComparison> all;
  for (const Database* member : campaigns.members()) {
    for (PartComparison& comparison : compare_parts(*member, is_member ? &read : nullptr)) {
      const auto same = std::ranges::find_if(all, [&](const PartComparison& other) {
        return other.part == comparison.part && other.start == comparison.start;
      });
      if (same == all.end()) {
        all.push_back(std::move(comparison));
      } else {
        std::ranges::move(comparison.sizes, std::back_inserter(same->sizes));
        std::ranges::move(comparison.moments, std::back_inserter(same->moments));
      }
    }
  }
  return all;
}

std::string summary_of(const PartComparison& comparison) {
  std::size_t pairs = 0, missing = 0;
  for (const PairedHistories& size : comparison.sizes) pairs += size.pairs, missing += size.missing;
  const Largest largest = largest_of(comparison);
  if (largest.observable == nullptr) {
    return fmt::format(
        "{}: too few realizations have converged in both ({}; {} of a size are needed) for a "
        "comparison",
        title_of(comparison), pairs, fewest_pairs);
  }
  std::string text = fmt::format(
      "{}: {} realizations; the largest difference over all temperatures is {:.1f} standard errors ({}, L = "
      "{}; more than {:.1f} are significant), {} errors of the campaign",
      title_of(comparison), pairs, std::abs(largest.observable->sigma), observable_label(largest.observable->name),
      largest.size->L, largest.size->limit,
      format_value(largest.observable->in_campaign_errors.mean, largest.observable->in_campaign_errors.error));
  if (!comparison.agrees()) text = "Histories differ. " + text;
  if (missing > 0) text += fmt::format("; {} further ones have not converged in one of both", missing);
  return text;
}

Table paired_table(const PartComparison& comparison) {
  Table table{
      .id = fmt::format("{}_differences", id_of(comparison)),
      .title = "Paired differences",
      .caption =
          "Other history minus that of the campaign, over the realizations that have converged in both. "
          "sigma: the mean over all temperatures of the difference in units of its error, in units of "
          "the error of this mean; beyond the limit it is significant. Mean and largest difference are in units "
          "of the error that the campaign states for its average over all its realizations. A size that several "
          "campaigns have stands once for each.",
      .rows = {{"L", "pairs", "observable", "sigma", "limit", "mean / error of campaign", "largest / error", "at T"}}};
  for (const PairedHistories& size : comparison.sizes) {
    for (const PairedObservable& o : size.observables) {
      table.rows.push_back({fmt::format("{}", size.L), fmt::format("{}", size.pairs), o.name,
                            fmt::format("{:.2f}", o.sigma), fmt::format("{:.1f}", size.limit),
                            format_value(o.in_campaign_errors.mean, o.in_campaign_errors.error),
                            fmt::format("{:.2f}", o.worst), fmt::format("{:.5g}", o.worst_T)});
    }
  }
  return table;
}

Table moments_table(const PartComparison& comparison) {
  Table table{.id = fmt::format("{}_moments", id_of(comparison)),
              .title = "P_{J}(q) of the copies",
              .caption =
                  "Moments of the overlap of the copies at the lowest temperature, compared in each realization. "
                  "scatter: mean square of the differences in units of their errors by its expectation, 1(error) "
                  "where both histories have one distribution; largest: of one realization, and the limit that "
                  "chance exceeds in 1 % of campaigns, all sizes together.",
              .rows = {{"L", "realizations", "moment", "scatter", "largest", "of realization", "limit"}}};
  for (std::size_t i = 0; i < comparison.moments.size(); ++i) {
    for (const MomentComparison& m : comparison.moments[i]) {
      table.rows.push_back({fmt::format("{}", comparison.sizes[i].L), fmt::format("{}", m.realizations), m.what,
                            format_value(m.scatter, m.scatter_error), fmt::format("{:.2f}", m.worst),
                            fmt::format("{}", m.worst_realization), fmt::format("{:.2f}", m.limit)});
    }
  }
  return table;
}

Section history_section(const PartComparison& comparison) {
  Section section{.id = id_of(comparison),
                  .title = title_of(comparison),
                  .paragraphs = {explanation_of(comparison.part), summary_of(comparison) + "."},
                  .items = {}};
  for (Table table : {paired_table(comparison), moments_table(comparison)}) {
    if (table.rows.size() > 1) section.items.emplace_back(std::move(table));
  }
  return section;
}

}}  // namespace glassworks::analysis
