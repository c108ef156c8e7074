#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "analysis/export/hdf5.hpp"
#include "analysis/export/hdf5_alps.hpp"
#include "analysis/export/hdf5_bins.hpp"
#include "analysis/export/hdf5_file.hpp"
#include "analysis/export/hdf5_parts.hpp"
#include "analysis/export/observable_info.hpp"

namespace glassworks { inline namespace analysis {
namespace {

void write_curve(Hdf5Group group, const Curve& curve) {
  const ObservableInfo info = describe_observable(curve.observable);
  group.attribute("units", info.units);
  group.attribute("description", info.equation);
  const std::size_t T = curve.temperatures.size(), blocks = curve.sampled.size();
  std::vector<double> errors, samples, covariance;
  for (std::size_t t = 0; t < T; ++t) {
    errors.push_back(curve.error(t));
    for (std::size_t u = 0; u < T; ++u) covariance.push_back(curve.covariance(t, curve, u));
  }
  for (const std::vector<double>& sample : curve.sampled) {
    samples.insert(samples.end(), sample.begin(), sample.end());
  }
  group.array<double>("temperatures", curve.temperatures, {T},
                      {"[temperature]", "of an observable of pairs of slots: the lower of each", "J/k_B"});
  const std::string squared = info.units == "1" ? "1" : fmt::format("({})^2", info.units);
  group.array<double>("value", curve.value, {T}, {"[temperature]", "disorder average", info.units});
  group.array<double>("error", errors, {T}, {"[temperature]", "standard error (jackknife)", info.units});
  group.array<double>("jackknife", samples, {blocks, T},
                      {"[block][temperature]", "without the realizations of a block", info.units});
  group.array<double>("covariance", covariance, {T, T},
                      {"[temperature][temperature]", "between temperatures, from the jackknife", squared});
}

class Hdf5Writer : public ExportWriter {
 public:
  Hdf5Writer(Staging& staging, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
             const std::string& created, RawBins raw);

  void begin_size(const CampaignSnapshot::Size& snapshot) override;
  void add(const ExportedRealization& realization, std::span<const RoundRow> rounds) override;
  void end_size(const ExportedSize& size) override;
  void finish() override;

 private:
  void write_alps_files(const ExportedSize& size);

  Staging& staging_;
  const CampaignSnapshot& snapshot_;
  RawBins raw_;
  Hdf5File file_;
  std::optional<Hdf5Group> sizes_, size_, realizations_;  ///< open ones
};

Hdf5Writer::Hdf5Writer(Staging& staging, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
                       const std::string& created, RawBins raw)
    : staging_(staging), snapshot_(snapshot), raw_(raw), file_(staging.path_of(campaign_file), campaign_file) {
  Hdf5Group root = file_.root();
  write_root(root, snapshot, provenances, created);
  sizes_ = root.group("sizes");
}

void Hdf5Writer::begin_size(const CampaignSnapshot::Size& snapshot) {
  const SizeRow& size = snapshot.size;
  size_ = sizes_->group(fmt::format("L{}", size.L));
  write_size(*size_, snapshot_.config, size);
  realizations_.reset();
  if (raw_ == RawBins::without) return;
  realizations_ = size_->group("realizations");
  realizations_->attribute("description", "raw bins of each realization with data, by its number");
}

void Hdf5Writer::add(const ExportedRealization& realization, std::span<const RoundRow> rounds) {
  if (!realizations_) return;
  Hdf5Group group = realizations_->group(std::to_string(realization.row.key.realization));
  write_bins(group, realization, rounds);
}

void Hdf5Writer::end_size(const ExportedSize& size) {
  write_realizations(*size_, size);
  if (!size.realizations.empty()) {
    Hdf5Group averages = size_->group("averages");
    write_texts(averages, "columns", size.averages.columns, "[column]", "averaged quantities");
    averages.array<std::uint32_t>("realizations", size.averages.realizations, {size.averages.realizations.size()},
                                  {"[realization]", "their numbers", "1"});
    averages.array<double>(
        "values", size.averages.values,
        {size.averages.realizations.size(), size.averages.temperatures.size(), size.averages.columns.size()},
        {"[realization][temperature][column]",
         "thermal averages of each realization over its equilibrated rounds",
         {}});
    Hdf5Group observables = size_->group("observables");
    const Curve& any = size.curves.front();
    observables.attribute("jackknife_blocks", static_cast<std::int64_t>(any.sampled.size()));
    observables.attribute("jackknife_spread", any.spread);
    if (size.groups.state != GroupState::none) {
      observables.attribute("errors_over", size.groups.unit());
      observables.attribute("errors", size.groups.sentence());
    }
    observables.attribute("covariance_rule",
                          "cov(x, y) = jackknife_spread / blocks sum_block (x - mean x)(y - mean y), for any two "
                          "observables and temperatures of this size; sizes are independent");
    for (const Curve& curve : size.curves) write_curve(observables.group(curve.observable), curve);
  }
  realizations_.reset();
  size_.reset();
  write_alps_files(size);
}

void Hdf5Writer::write_alps_files(const ExportedSize& size) {
  if (size.realizations.empty()) return;
  for (std::size_t slot = 0; slot < size.size.temperatures.size(); ++slot) {
    const std::string name = alps_file_name(size.size.L, slot);
    write_alps_file(staging_.path_of(name), name, snapshot_.parameters_text, size, slot);
    staging_.finished(name);
  }
}

void Hdf5Writer::finish() {
  sizes_.reset();
  file_.close();
  staging_.finished(campaign_file);
}

}  // namespace

std::unique_ptr<ExportWriter> make_hdf5_writer(Staging& staging, const CampaignSnapshot& snapshot,
                                               const std::vector<Provenance>& provenances, const std::string& created,
                                               RawBins raw) {
  return std::make_unique<Hdf5Writer>(staging, snapshot, provenances, created, raw);
}

}}  // namespace glassworks::analysis
