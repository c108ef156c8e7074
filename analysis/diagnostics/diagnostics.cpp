#include "analysis/diagnostics/diagnostics.hpp"

#include <utility>

#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Sizes = std::vector<const SizeDiagnostics*>;

template <typename Part>
std::vector<const Part*> parts(const Sizes& sizes, const Part& (SizeDiagnostics::*part)() const) {
  std::vector<const Part*> all;
  for (const SizeDiagnostics* size : sizes) all.push_back(&(size->*part)());
  return all;
}

void append(Section& section, std::vector<Item> items) {
  for (Item& item : items) section.items.push_back(std::move(item));
}

Section equilibration_section(const Sizes& sizes) {
  Section section{"equilibration_history",
                  "Equilibration against Monte Carlo time",
                  {"Whether histories are long enough, seen from two sides: the identity of Gaussian couplings "
                   "compares two different averages that agree in equilibrium only, and logarithmic bins compare each "
                   "history with its own last half."},
                  {}};
  if (!sizes.front()->size().config.measures(BinQuantity::q_s)) {
    section.paragraphs = {
        "Whether histories are long enough: logarithmic bins compare each history with its own last half."};
  } else if (!sizes.front()->identity().exists()) {
    section.paragraphs.emplace_back(
        "The identity is that of Gaussian couplings (integration by parts), which this campaign does not have; only "
        "logarithmic bins are shown.");
  }
  for (const SizeDiagnostics* size : sizes) {
    if (!size->identity().exists()) continue;
    section.items.emplace_back(size->identity().sides_figure());
    section.items.emplace_back(size->identity().difference_figure());
  }
  bool binned = false;
  for (const SizeDiagnostics* size : sizes) binned = binned || size->log_bins().bins() > 1;
  if (binned) {
    append(section, log_bin_items(parts(sizes, &SizeDiagnostics::log_bins)));
  } else {
    section.paragraphs.emplace_back("Logarithmic bins need two rounds of a realization, which none has yet.");
  }
  return section;
}

Section walk_section(const Sizes& sizes) {
  const auto walks = parts(sizes, &SizeDiagnostics::walk);
  Section section{"temperature_walk",
                  "Walk through temperatures",
                  {"A replica decorrelates at the hot end. How often replicas travel between the ends of the "
                   "ladder decides how fast a realization equilibrates, and realizations differ a lot in it."},
                  {}};
  append(section, walk_items(walks));
  if (section.items.empty()) {
    section.paragraphs = {
        "With one temperature there are no exchanges and no walk; only the length of histories is shown."};
    if (sizes.front()->size().slots() > 1) {
      section.title = "Length of histories";
      section.paragraphs = {
          "This campaign makes no exchanges: every temperature is a chain of its own, and the length of histories is "
          "judged by the autocorrelation times of observables."};
    }
  }
  if (!section.items.empty() && sizes.front()->size().config.protocol.exchange == ExchangeSchedule::sequential) {
    section.paragraphs.emplace_back(
        "This campaign exchanges sequentially, so that a replica can move by several temperatures in one step: the "
        "bound 1/(2 + 2Λ) of the even-odd schedule is shown for comparison only.");
  }
  append(section, walk_distribution_items(walks));
  return section;
}

Section fluctuation_section(const Sizes& sizes) {
  Section section{"fluctuations", "Fluctuations from realization to realization", {}, {}};
  const Config& config = sizes.front()->size().config;
  if (is_one_system(config)) {
    section.paragraphs.emplace_back("Realizations are independent runs of one system, so they differ by chance only.");
    return section;
  }
  if (config.replicas.copies == 1) {
    section.paragraphs.emplace_back("The spin-glass susceptibility of a realization needs two copies of it.");
    return section;
  }
  append(section, fluctuation_items(parts(sizes, &SizeDiagnostics::fluctuations)));
  if (section.items.empty()) {
    section.paragraphs.emplace_back("One realization of each size shows no fluctuations between realizations.");
  } else {
    section.paragraphs.emplace_back(
        "How much the spin-glass susceptibility depends on the disorder: the reason why many realizations are needed, "
        "and why the hard ones must not be left out.");
    if (sizes.front()->size().config.model.field != FieldKind::none) {
      section.paragraphs.emplace_back(
          "In a field χ = N⟨|q|^{2}⟩ is not the connected susceptibility: it holds the square of the mean overlap.");
    }
  }
  return section;
}

}  // namespace

SizeDiagnostics::SizeDiagnostics(const Config& config, const SizeRow& size, const DistributionOptions& distributions)
    : size_(std::make_shared<const DiagnosedSize>(config, size)),
      identity_(size_),
      log_bins_(size_),
      walk_(size_),
      fluctuations_(size_),
      overlaps_(size_, distributions) {}

void SizeDiagnostics::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  if (rounds.empty()) return;
  size_->check(row.key, rounds);
  identity_.add(row, rounds);
  log_bins_.add(row, rounds);
  walk_.add(row, rounds);
  fluctuations_.add(row, rounds);
  overlaps_.add(row, rounds);
}

void SizeDiagnostics::merge(SizeDiagnostics&& other) {
  identity_.merge(std::move(other.identity_));
  log_bins_.merge(std::move(other.log_bins_));
  walk_.merge(std::move(other.walk_));
  fluctuations_.merge(std::move(other.fluctuations_));
  overlaps_.merge(std::move(other.overlaps_));
}

std::vector<Section> diagnostics_sections(std::span<const SizeDiagnostics> all) {
  Sizes sizes;
  for (const SizeDiagnostics& size : all) {
    if (size.realizations() > 0) sizes.push_back(&size);
  }
  if (sizes.empty()) {
    return {{"equilibration_history",
             "Equilibration against Monte Carlo time",
             {"No realization has a finished round yet, so there is nothing to diagnose."},
             {}}};
  }
  std::vector<Section> sections = {equilibration_section(sizes), walk_section(sizes)};
  if (sizes.front()->size().config.replicas.copies > 1) {
    sections.push_back(overlap_section(parts(sizes, &SizeDiagnostics::overlaps)));
  }
  sections.push_back(fluctuation_section(sizes));
  return sections;
}

}}  // namespace glassworks::analysis
