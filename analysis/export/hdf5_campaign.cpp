#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "analysis/export/hdf5.hpp"
#include "analysis/export/hdf5_alps.hpp"
#include "analysis/export/hdf5_bins.hpp"
#include "analysis/export/hdf5_file.hpp"
#include "analysis/export/hdf5_parameters.hpp"
#include "analysis/export/observable_info.hpp"
#include "base/digest.hpp"
#include "glassworks/version.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr const char* campaign_file = "campaign.h5";

using Texts = std::vector<std::string>;

void write_texts(Hdf5Group& group, const std::string& name, const Texts& texts, const std::string& order,
                 const std::string& description) {
  group.array<std::string>(name, texts, {texts.size()}, {order, description, {}});
}

void write_provenances(Hdf5Group group, const std::vector<Provenance>& all) {
  group.attribute("description", "programs that computed rounds; a round names one by its place here, from 1");
  const auto column = [&](const char* name, std::string Provenance::*member) {
    Texts texts;
    for (const Provenance& p : all) texts.push_back(p.*member);
    write_texts(group, name, texts, "[provenance - 1]", {});
  };
  column("version", &Provenance::version);
  column("commit", &Provenance::commit);
  column("compiler", &Provenance::compiler);
  column("backend", &Provenance::backend);
  column("host", &Provenance::host);
}

void write_table(Hdf5Group group, const ExportedSize& size) {
  std::vector<std::uint32_t> ids, rounds, left_out, expected, first, last;
  std::vector<std::uint64_t> round_trips;
  std::vector<double> tau;
  Texts status, reason, bins, state;
  const auto add = [&](const RealizationRow& row, RoundRange averaged, const std::string& digest) {
    ids.push_back(row.key.realization);
    rounds.push_back(row.rounds);
    left_out.push_back(row.judgement.equilibration_rounds);
    expected.push_back(row.judgement.expected_rounds);
    first.push_back(averaged.first);
    last.push_back(averaged.last);
    round_trips.push_back(row.round_trips);
    tau.push_back(row.judgement.tau);
    status.emplace_back(to_string(row.status));
    reason.push_back(row.reason);
    bins.push_back(digest);
    state.push_back(row.state_digest);
  };
  for (const ExportedRealization& r : size.realizations) add(r.row, r.averaged, r.bins_digest);
  for (const RealizationRow& row : size.unstarted) add(row, {}, {});

  group.attribute("description",
                  "one entry for each realization: first those with data, in the order of `averages`, then those "
                  "without a round");
  const std::vector<std::size_t> shape{ids.size()};
  const auto numbers = [&]<typename T>(const char* name, const std::vector<T>& values, const char* what,
                                       const char* units = "1") {
    group.array<T>(name, values, shape, {"[entry]", what, units});
  };
  numbers("realization", ids, "number of the realization");
  numbers("rounds", rounds, "committed rounds in this export");
  numbers("equilibration_rounds", left_out, "rounds at the start that averages leave out, as judged; 0: not judged");
  numbers("expected_rounds", expected, "estimate of all the rounds it needs; 0: not judged");
  numbers("averaged_first", first, "first round of the averages");
  numbers("averaged_last", last, "end of the rounds of the averages (not in them)");
  numbers("round_trips", round_trips, "through the ladder, of all replicas");
  numbers("tau", tau, "longest integrated autocorrelation time of its temperature walks; 0: not judged",
          "measurements");
  write_texts(group, "status", status, "[entry]", "state in the campaign");
  write_texts(group, "reason", reason, "[entry]", "of the status");
  write_texts(group, "bins_digest", bins, "[entry]", "XXH3-128 of its rounds, as `glassworks inspect --digest` prints");
  write_texts(group, "state_digest", state, "[entry]", "XXH3-128 of the state after the last round");
}

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
  root.attribute("format", "Glassworks export");
  root.attribute("format_version", std::int64_t{1});
  root.attribute("created", created);
  root.attribute("program_version", version::kVersion);
  root.attribute("program_commit", version::kCommit);
  root.attribute("program_compiler", version::kCompiler);
  root.attribute("units",
                 "J = 1, k_B = 1: energies in units of J, temperatures in units of J/k_B, lengths in lattice "
                 "constants");
  root.attribute("notation", notation());
  root.attribute("seed", snapshot.config.campaign.seed);
  root.attribute("random_numbers",
                 "disorder and chain of a realization are functions of (seed, L, number of the realization)");
  Digest digest;
  digest.bytes(std::as_bytes(std::span(snapshot.config_text)));
  root.attribute("configuration_digest", digest.hex());
  root.scalar("configuration", snapshot.config_text, {{}, "canonical text", {}});
  Hdf5Group parameters = root.group("parameters");
  write_parameters(parameters, snapshot.parameters_text);
  write_provenances(root.group("provenance"), provenances);
  sizes_ = root.group("sizes");
}

void Hdf5Writer::begin_size(const CampaignSnapshot::Size& snapshot) {
  const SizeRow& size = snapshot.size;
  const Config& config = snapshot_.config;
  size_ = sizes_->group(fmt::format("L{}", size.L));
  size_->attribute("L", std::int64_t{size.L});
  size_->attribute("dim", std::int64_t{config.model.dim});
  size_->attribute("sites", config.lattice(size.L).sites());
  size_->attribute("copies", std::int64_t{config.replicas.copies});
  size_->attribute("measurements_per_round", std::int64_t{measurements_of_L(config, size.L)});
  size_->array<double>("temperatures", size.temperatures, {size.temperatures.size()},
                       {"[slot]", "temperature of each slot, ascending", "J/k_B"});
  write_texts(*size_, "bin_columns", size.observables, "[observable]", "last index of `means` of the realizations");
  write_texts(*size_, "sample_columns", size.samples, "[quantity]", "last index of `samples` of the realizations");
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
  size_->attribute("realizations", std::int64_t{size.counts.total});
  size_->attribute("realizations_used", std::int64_t{size.counts.used});
  size_->attribute("realizations_converged", std::int64_t{size.counts.converged});
  size_->attribute("realizations_used_unconverged", std::int64_t{size.counts.unconverged_used});
  write_table(size_->group("table"), size);
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
