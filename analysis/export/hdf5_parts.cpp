#include "analysis/export/hdf5_parts.hpp"

#include <fmt/format.h>

#include "analysis/export/hdf5_parameters.hpp"
#include "analysis/observables/observable.hpp"
#include "base/digest.hpp"
#include "glassworks/version.hpp"

namespace glassworks { inline namespace analysis {
namespace {

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

}  // namespace

void write_texts(Hdf5Group& group, const std::string& name, const Texts& texts, const std::string& order,
                 const std::string& description) {
  group.array<std::string>(name, texts, {texts.size()}, {order, description, {}});
}

void write_root(Hdf5Group& root, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
                const std::string& created) {
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
}

void write_size(Hdf5Group& group, const Config& config, const SizeRow& size) {
  group.attribute("L", std::int64_t{size.L});
  group.attribute("dim", std::int64_t{config.model.dim});
  group.attribute("sites", config.lattice(size.L).sites());
  group.attribute("copies", std::int64_t{config.replicas.copies});
  group.attribute("measurements_per_round", std::int64_t{measurements_of_L(config, size.L)});
  group.array<double>("temperatures", size.temperatures, {size.temperatures.size()},
                      {"[slot]", "temperature of each slot, ascending", "J/k_B"});
  write_texts(group, "bin_columns", size.observables, "[observable]", "last index of `means` of the realizations");
  write_texts(group, "sample_columns", size.samples, "[quantity]", "last index of `samples` of the realizations");
}

void write_realizations(Hdf5Group& group, const ExportedSize& size) {
  group.attribute("realizations", std::int64_t{size.counts.total});
  group.attribute("realizations_used", std::int64_t{size.counts.used});
  group.attribute("realizations_converged", std::int64_t{size.counts.converged});
  group.attribute("realizations_used_unconverged", std::int64_t{size.counts.unconverged_used});
  write_table(group.group("table"), size);
}

}}  // namespace glassworks::analysis
