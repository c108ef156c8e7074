#include "analysis/campaign/campaign_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <variant>

#include "analysis/basics/value_format.hpp"
#include "analysis/campaign/headline.hpp"
#include "analysis/campaign/known_values.hpp"
#include "analysis/campaign/main_sections.hpp"
#include "analysis/campaign/observable_section.hpp"
#include "analysis/campaign/referee_section.hpp"
#include "analysis/campaign/statistics_section.hpp"
#include "analysis/campaign/verdict_words.hpp"
#include "analysis/histories/history_sections.hpp"
#include "analysis/observables/observable.hpp"
#include "analysis/report/series_look.hpp"
#include "base/digest.hpp"
#include "glassworks/version.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// "2 at the maximum of rounds, 1 failed"; "–" if there are none.
std::string unconverged_words(const RealizationCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](int n, const char* what) {
    if (n > 0) parts.push_back(fmt::format("{} {}", n, what));
  };
  add(counts.reached_maximum, "at the maximum of rounds");
  add(counts.failed, "failed");
  return parts.empty() ? "–" : fmt::format("{}", fmt::join(parts, ", "));
}

Section verdict_section(const OfflineAnalysis& analysis) {
  Section section{.id = "verdict", .title = "Verdict on equilibration", .paragraphs = {}, .items = {}};
  Table table{.id = "realizations",
              .title = "Realizations",
              .caption = "Every realization is run until its own history meets the convergence criteria.",
              .rows = {{"L", "used", "not converged", "rounds", "round trips"}}};
  for (const SizeResult& size : analysis.averages.sizes) {
    const RealizationCounts& c = size.counts;
    for (const std::string& line : size.verdict.lines) {
      section.paragraphs.push_back(fmt::format("L = {}: {}.", size.L, line));
    }
    table.rows.push_back({fmt::format("{}", size.L), fmt::format("{}", c.used), unconverged_words(c),
                          fmt::format("{} to {}", size.fewest_rounds, size.most_rounds),
                          format_value(size.round_trips.mean, size.round_trips.error)});
  }
  section.items.emplace_back(std::move(table));
  return section;
}

Section effect_section(const OfflineAnalysis& analysis) {
  std::vector<ConvergenceEffects> effects;
  for (const SizeAnalysis& size : analysis.sizes) effects.push_back(size.convergence);
  std::vector<std::pair<std::string, std::string>> figures;
  for (const char* name : {"xi_over_L", "xi_chiral_over_L", "xi_m_over_L", "energy"})
    figures.emplace_back(name, observable_label(name));
  return convergence_section(effects, figures);
}

/// Names of observables in tables become symbols on the page.
void show_symbols(std::vector<Section>& sections) {
  for (Section& section : sections) {
    for (Item& item : section.items) {
      auto* table = std::get_if<Table>(&item);
      if (table == nullptr || table->rows.empty()) continue;
      const auto column =
          std::find(table->rows[0].begin(), table->rows[0].end(), "observable") - table->rows[0].begin();
      for (const std::vector<std::string>& row : table->rows) {
        const auto place = static_cast<std::size_t>(column);
        if (place >= row.size()) continue;
        if (const std::string label = observable_label(row[place]); label != row[place])
          table->shown[row[place]] = label;
      }
    }
  }
}

/// If two sections hold an item of the same id (in a field, for example), the id of the later one gets the id of its
/// section appended.
void make_ids_unique(std::vector<Section>& sections) {
  std::set<std::string> taken;
  for (Section& section : sections) {
    for (Item& item : section.items) {
      std::visit(
          [&](auto& shown) {
            while (!taken.insert(shown.id).second) shown.id += "_" + section.id;
          },
          item);
    }
  }
}

/// Answers that further histories give to the questions of a referee.
RefereeFacts referee_facts(const std::vector<PartComparison>& comparisons) {
  RefereeFacts facts;
  for (const PartComparison& comparison : comparisons) {
    const std::string summary = summary_of(comparison) + ".";
    switch (comparison.part) {
      case CampaignPart::fivefold:
        facts.stopping_bias = summary;
        break;
      case CampaignPart::other_generator:
        facts.generator = "The campaign has its numbers from Philox4x32-10. " + summary;
        break;
      case CampaignPart::second_histories:
        facts.starts = summary;
        if (!comparison.moments.empty()) {
          facts.copies =
              "When a realization stops, the energies of its copies have been compared. Moments of P_{J}(q) at the "
              "lowest "
              "temperature are compared between the first and the second history of single realizations: see the "
              "section on second histories.";
        }
        break;
    }
  }
  return facts;
}

/// Adds a section for each comparison, and its summary to the verdict.
void add_further_histories(const std::vector<PartComparison>& comparisons, Document& document) {
  for (const PartComparison& comparison : comparisons) {
    Section section = history_section(comparison);
    section.folded = true;
    document.sections.push_back(std::move(section));
    document.verdict.push_back(summary_of(comparison) + ".");
  }
}

}  // namespace

Document make_document(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference) {
  Document document;
  document.verdict_table = equilibration_table(analysis.averages);
  document.verdict = verdict_words(analysis);
  std::vector<Section>& sections = document.sections;
  sections.push_back(observable_section(analysis, reference));
  sections.push_back(scaling_section(analysis.scaling));
  if (std::optional<Section> field =
          field_section(analysis.averages.config, analysis.field, analysis.field_comparisons)) {
    sections.push_back(std::move(*field));
  }
  sections.push_back(verdict_section(analysis));
  for (Section& section : diagnostics_sections(analysis.diagnostics)) sections.push_back(std::move(section));
  sections.push_back(effect_section(analysis));
  for (Section& section : statistics_sections(analysis)) sections.push_back(std::move(section));
  sections.push_back(referee_section(analysis, referee_facts(analysis.further)));
  for (Section& section : sections) section.folded = true;
  Section figures = main_figures(analysis, sections), parameters = critical_section(analysis.scaling);
  sections.insert(sections.begin(), {std::move(figures), std::move(parameters)});
  add_known_values(sections, analysis.averages.config);
  add_further_histories(analysis.further, document);
  make_ids_unique(sections);
  show_symbols(sections);
  share_sizes(document);
  return document;
}

std::vector<std::vector<std::string>> report_provenance(const std::string& name, const CampaignSet& campaigns) {
  Digest configuration;
  const std::string text = campaigns.config_text();
  configuration.bytes(std::as_bytes(std::span(text)));
  std::vector<std::vector<std::string>> rows = {
      {"campaign", name},
      {"report made", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)))},
      {"report by", fmt::format("Glassworks {} ({}, {})", version::kVersion, version::kCommit, version::kCompiler)},
      {"configuration", fmt::format("XXH3-128 {}", configuration.hex())}};
  for (const Provenance& p : campaigns.provenances()) {
    rows.push_back({"rounds computed by", fmt::format("Glassworks {} ({}), {}, backend {}, host {}", p.version,
                                                      p.commit, p.compiler, p.backend, p.host)});
  }
  for (const std::string& remark : campaigns.remarks()) rows.push_back({"different", remark});
  for (const std::string& change : campaigns.amendments()) rows.push_back({"raised", change});
  return rows;
}

Document campaign_report(const std::string& name, const CampaignSet& campaigns, const ReportOptions& options) {
  const OfflineAnalysis analysis = analyze_offline(campaigns, options.analysis);
  Document document = make_document(analysis, options.reference);
  document.title = fmt::format("Campaign{} {}", campaigns.members().size() == 1 ? "" : "s", name);
  document.headline = headline(analysis.averages, campaign_facts(campaigns));
  document.provenance = report_provenance(name, campaigns);
  document.configuration = campaigns.config_text();
  return document;
}

}}  // namespace glassworks::analysis
