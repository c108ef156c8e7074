#include "analysis/diagnostics/overlap_distributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "analysis/statistics/figure_parts.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Distributions = std::span<const OverlapDistributions* const>;
constexpr std::size_t shown_bins[OverlapDistributions::kind_count] = {48, 40, 40};

struct KindText {
  const char *id, *symbol, *title, *caption;
};
constexpr KindText kind_texts[OverlapDistributions::kind_count] = {
    {"overlap", "q", "Distribution of the overlap",
     "P(q) of q = (1/N) Σ_{i} s_{i}^{(a)}·s_{i}^{(b)} of two copies at single measurements, averaged over realizations "
     "with standard errors. Without a field it is symmetric about zero, since spins rotate freely; lack of symmetry "
     "means that copies have not rotated often enough. In a field it is centred at a positive value."},
    {"overlap_modulus", "|q|", "Distribution of the modulus of the overlap",
     "P(|q|) of |q| = (Σ_{μν} (q^{μν})^{2})^{1/2}, which rotations of a copy do not change (with four copies the rms "
     "over pairs). At high temperature it is that of independent Gaussian components, as many as the tensor q^{μν} has "
     "(nine of Heisenberg spins, so that it begins with |q|^{8}), and moves to zero like N^{-1/2}; in a spin-glass "
     "phase it stays at a finite |q|. Weight near zero at low "
     "temperature is that of realizations with several valleys."},
    {"overlap_chiral", "q_{c}", "Distribution of the chiral overlap",
     "P(q_{c}) of the rms q_{c} of q_{c}^{a} over the axes a, of XY spins over the orientations of plaquettes (and "
     "over "
     "pairs of copies), so it is positive. At high temperature the q_{c}^{a} are independent Gaussian components and "
     "move to zero like N^{-1/2}; chiral order shows as a second maximum that stays away from zero as L grows."}};

std::vector<std::size_t> find(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return {};
    places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return places;
}

/// "overlap" of two copies; with more, the overlaps of all pairs: "overlap_12", "overlap_13", ...
std::vector<std::string> overlap_names(int copies) {
  if (copies == 2) return {"overlap"};
  std::vector<std::string> names;
  for (int a = 1; a <= copies; ++a) {
    for (int b = a + 1; b <= copies; ++b) names.push_back(fmt::format("overlap_{}{}", a, b));
  }
  return names;
}

std::size_t nearest_slot(const std::vector<double>& temperatures, double T) {
  const auto distance = [T](double one) { return std::abs(one - T); };
  return static_cast<std::size_t>(std::ranges::min_element(temperatures, {}, distance) - temperatures.begin());
}

Figure distribution_figure(Distributions sizes, OverlapDistributions::Kind kind, std::size_t place,
                           const std::string& where) {
  const KindText& label = kind_texts[kind];
  Figure f{fmt::format("distribution_{}_{}", label.id, place),
           fmt::format("{}, {}", label.title, where),
           label.caption,
           {label.symbol, false},
           {fmt::format("P({})", label.symbol), false}};
  for (const OverlapDistributions* size : sizes) {
    if (place >= size->slots().size() || !size->has(kind)) continue;
    Series s = make_series(
        size_label(size->size().L) + ", " + temperature_label(size->size().temperatures[size->slots()[place]]),
        SeriesStyle::points_and_line);
    const Density density = size->histogram(kind, place).density(shown_bins[kind], size->options().symmetry);
    for (std::size_t bin = 0; bin < density.value.size(); ++bin) add_point(s, density.centre(bin), density.value[bin]);
    f.series.push_back(std::move(s));
  }
  return f;
}

}  // namespace

OverlapDistributions::OverlapDistributions(std::shared_ptr<const DiagnosedSize> size, DistributionOptions options)
    : size_(std::move(size)), options_(std::move(options)) {
  for (const double T : options_.temperatures) slots_.push_back(nearest_slot(size_->temperatures, T));
  if (slots_.empty()) slots_ = shown_slots(size_->slots());
  const std::vector<std::string>& names = size_->samples;
  quantities_[overlap] = find(names, overlap_names(size_->config.replicas.copies));
  quantities_[modulus] = find(names, {"overlap_2"});
  quantities_[chiral] = find(names, {"chiral_zero"});
  histograms_.assign(slots_.size(), {OverlapHistogram(SampleSign::either), OverlapHistogram(SampleSign::positive),
                                     OverlapHistogram(SampleSign::positive)});
}

void OverlapDistributions::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  const RoundRange used =
      equilibrated_part(static_cast<std::uint32_t>(rounds.size()), row.judgement.equilibration_rounds);
  const std::size_t width = size_->samples.size();
  std::vector<double> values;
  for (std::size_t place = 0; place < slots_.size(); ++place) {
    for (int kind = 0; kind < kind_count; ++kind) {
      values.clear();
      for (const RoundRow& round : rounds.subspan(used.first, used.last - used.first)) {
        const std::vector<float>& samples = round.record.samples;
        const auto count = static_cast<std::size_t>(round.record.samples_per_slot);
        if (samples.empty()) continue;  // a round of a version that kept none, or read without
        if (samples.size() != size_->slots() * count * width) {
          throw std::runtime_error(
              fmt::format("Round {} of realization {} of L = {} has samples of another shape than its campaign "
                          "(damaged or foreign data). Check the campaign directory or restore it from a copy.",
                          round.round, row.key.realization, size_->L));
        }
        for (std::size_t sample = 0; sample < count; ++sample) {
          const auto first = (slots_[place] * count + sample) * width;
          for (const std::size_t quantity : quantities_[static_cast<std::size_t>(kind)]) {
            const double x = samples[first + quantity];
            values.push_back(kind == overlap ? x : std::sqrt(std::max(x, 0.0)));
          }
        }
      }
      histograms_[place][static_cast<std::size_t>(kind)].add(row.key.realization, values);
    }
  }
}

void OverlapDistributions::merge(OverlapDistributions&& other) {
  for (std::size_t place = 0; place < histograms_.size(); ++place) {
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
      histograms_[place][kind].merge(std::move(other.histograms_[place][kind]));
    }
  }
}

Section overlap_section(Distributions sizes) {
  Section section{"overlap_distributions", "Distributions of overlaps", {}, {}};
  std::vector<std::string> where = {"lowest temperature", "middle temperature", "highest temperature"};
  if (!sizes.empty() && !sizes.front()->options().temperatures.empty()) {
    where.clear();
    for (const double T : sizes.front()->options().temperatures) where.push_back("near " + temperature_label(T));
  }
  for (int k = 0; k < OverlapDistributions::kind_count; ++k) {
    const auto kind = static_cast<OverlapDistributions::Kind>(k);
    for (std::size_t place = 0; place < where.size(); ++place) {
      Figure f = distribution_figure(sizes, kind, place, where[place]);
      if (!f.series.empty()) section.items.emplace_back(std::move(f));
    }
  }
  section.paragraphs.emplace_back(
      section.items.empty()
          ? "Distributions of overlaps need values of single measurements, which this campaign did not keep "
            "(round.samples = 0, or an earlier version); its round means give moments only, in the Binder ratios."
          : "From the single measurements that rounds keep, after the equilibration of each realization; every "
            "realization has the same weight.");
  return section;
}

}}  // namespace glassworks::analysis
