#include <fmt/format.h>

#include <limits>
#include <type_traits>

#include "engine/config_table.hpp"

namespace glassworks::inline engine {
namespace {

/// `member` maps a Config to a reference to one of its members. The default shown is that of Config itself.
template <class Member>
KeyBinding bind_key(std::string name, std::string values, Member member, std::string meaning,
                    KeyScope scope = KeyScope::campaign) {
  return {{std::move(name), std::move(values), write_value(member(Config{})), std::move(meaning)},
          scope,
          [member](Config& config, const ConfigEntry& entry) { read_value(entry, member(config)); },
          [member](const Config& config) { return write_value(member(config)); }};
}

std::vector<double> as_numbers(double value) { return {value}; }
std::vector<double> as_numbers(const std::vector<int>& values) { return {values.begin(), values.end()}; }

/// A number, or a list of numbers, with its range.
template <class Member>
KeyBinding bind_number(std::string name, KeyRange range, Member member, std::string meaning,
                       KeyScope scope = KeyScope::campaign) {
  constexpr bool is_list = std::is_same_v<decltype(member(Config{})), std::vector<int>&>;
  KeyBinding binding =
      bind_key(std::move(name), (is_list ? "list, " : "") + range.text(), member, std::move(meaning), scope);
  binding.numbers = [member](const Config& config) { return as_numbers(member(config)); };
  binding.range = range;
  return binding;
}

/// A number that may be raised later.
template <class Member>
KeyBinding bind_threshold(std::string name, KeyRange range, Member member, std::string meaning) {
  return bind_number(std::move(name), range, member, std::move(meaning) + "; may be raised later", KeyScope::threshold);
}

KeyBinding bind_slots(std::string name, std::string meaning) {
  const auto read = [](Config& config, const ConfigEntry& entry) {
    config.ladder.slots.clear();
    if (entry.value == "auto") return;
    read_value(entry, config.ladder.slots);
    if (config.ladder.slots.empty()) {
      throw InputError(
          fmt::format("{} has no value ({}). Give a number of slots, one per size, or auto.", entry.key, entry.where));
    }
  };
  const auto write = [](const Config& config) {
    return config.ladder.slots.empty() ? "auto" : write_value(config.ladder.slots);
  };
  return {
      {std::move(name), "auto, a number, or one per L", "auto", std::move(meaning)}, KeyScope::campaign, read, write};
}

KeyBinding bind_samples(std::string name, std::string meaning) {
  const auto read = [](Config& config, const ConfigEntry& entry) {
    read_value(entry, config.samples_per_round.emplace());
  };
  return {{std::move(name), "0 to round.measurements", "5; all if there are less", std::move(meaning)},
          KeyScope::campaign,
          read,
          [](const Config& config) { return write_value(config.samples()); }};
}

/// A number, or inf.
KeyBinding bind_lambda(std::string name, std::string meaning) {
  const auto read = [](Config& config, const ConfigEntry& entry) {
    double& lambda = config.model.spins.lambda;
    if (entry.value == "inf") {
      lambda = std::numeric_limits<double>::infinity();
    } else {
      read_value(entry, lambda);
    }
  };
  return {{std::move(name), "0 to 1e6, or inf", "inf", std::move(meaning)},
          KeyScope::campaign,
          read,
          [](const Config& config) { return write_value(config.model.spins.lambda); }};
}

KeyBinding with_default(KeyBinding binding, std::string shown) {
  binding.key.default_value = std::move(shown);
  return binding;
}

KeyBinding with_limit(KeyBinding binding, const std::string& limit) {
  binding.key.values += ", " + limit;
  return binding;
}

KeyBinding only_of(bool (*exists)(const Config&), KeyBinding binding) {
  binding.exists = exists;
  return binding;
}

bool may_have_clusters(const Config& config) { return config.rules().cluster_updates; }
bool has_open_ends(const Config& config) { return !config.model.boundary.empty(); }
bool has_q(const Config& config) { return config.rules().has_q; }
bool has_n(const Config& config) { return config.rules().has_n; }
bool has_lambda(const Config& config) { return config.rules().has_lambda; }
bool is_few_cluster(const Config& config) { return config.protocol.kind == ProtocolKind::few_cluster; }
bool has_cluster_updates(const Config& config) {
  return may_have_clusters(config) && config.protocol.kind != ProtocolKind::local;
}
bool has_drawn_field(const Config& config) { return config.has_drawn_field(); }
bool never(const Config&) { return false; }

constexpr double largest_count = 1e6, largest_number = 1e7;

#define MEMBER(path) \
  [](auto&& config) -> auto& { return config.path; }

std::vector<KeyBinding> make_bindings() {
  using enum KeyScope;
  const std::string digest = "32 hexadecimal digits";
  return {
      bind_key("campaign.seed", "0 to 2^64 - 1", MEMBER(seed), "seed of every random number of the campaign"),
      with_default(bind_key("campaign.directory", "path", MEMBER(directory),
                            "where the campaign is kept; NAME: the configuration file without its suffix", run),
                   "campaigns/NAME"),
      only_of(may_have_clusters,
              bind_key("model.type", value_names<ModelKind>(), MEMBER(model.spins.kind),
                       "what a site carries: vectors of three components, +-1, q states, vectors of n components, or "
                       "four-component fields")),
      only_of(has_q, bind_number("model.q", {2, 20}, MEMBER(model.spins.states), "states q of potts")),
      only_of(has_n, bind_number("model.n", {2, 4}, MEMBER(model.spins.components), "components n of on")),
      only_of(has_lambda, bind_lambda("model.lambda", "lambda of phi4; inf: vectors of length 1")),
      bind_number("model.dim", {1, Lattice::max_dim}, MEMBER(model.dim), "dimension d of the hypercubic lattice"),
      with_default(bind_key("model.L", "list of even numbers from 4", MEMBER(model.L),
                            "edge lengths; at most 4096, 1024, 128, 32 in 1, 2, 3, 4 dimensions; of models other than "
                            "heisenberg 1048576, 16384, 512, 96"),
                   "required"),
      only_of(
          has_open_ends,
          with_default(bind_key("model.boundary", "periodic | open; one for each axis, or one for all",
                                MEMBER(model.boundary), "whether the lattice closes along an axis or has open ends"),
                       "periodic")),
      with_default(bind_key("model.couplings", value_names<CouplingKind>(), MEMBER(model.couplings),
                            "couplings J: N(0,1), +-1, all 1, or read from a file"),
                   "gaussian; ferromagnet of potts and phi4"),
      bind_key("model.couplings_file", "path", MEMBER(model.couplings_file),
               "lines `site axis J`, site = x + L (y + L (z + ...)); bonds not listed are 0", file_path),
      bind_key("model.couplings_digest", digest, MEMBER(model.couplings_digest), "content of the couplings file",
               file_content),
      bind_key(
          "model.field", value_names<FieldKind>(), MEMBER(model.field),
          "site fields H of heisenberg, ising and on (local updates): fixed length, normal or uniform components, or "
          "read from a file"),
      bind_number("model.field_strength", {1e-6, 1e6, has_drawn_field}, MEMBER(model.field_strength),
                  "|H| (sphere), standard deviation (gaussian) or half width (uniform) of each component"),
      bind_key("model.field_file", "path", MEMBER(model.field_file),
               "lines `site Hx Hy Hz`, as many components as a spin has; sites not listed have none", file_path),
      bind_key("model.field_digest", digest, MEMBER(model.field_digest), "content of the field file", file_content),
      with_default(bind_threshold("disorder.realizations", {1, largest_number}, MEMBER(realizations),
                                  "disorder realizations of each size, or independent runs where all J are 1"),
                   "required"),
      with_default(bind_key("replicas.copies", "2 | 4; 1 too of models other than heisenberg", MEMBER(copies),
                            "copies R_O with the same disorder; 4 in a field"),
                   "2; 1 of a ferromagnet other than heisenberg"),
      with_default(
          bind_key("ladder.kind", value_names<LadderKind>(), MEMBER(ladder.kind), "spacing of the temperatures"),
          "geometric; list if temperatures are given"),
      with_default(bind_key("ladder.T_min", "0.001 to 1000", MEMBER(ladder.T_min), "lowest temperature"),
                   "required unless list"),
      with_default(bind_key("ladder.T_max", "0.001 to 1000", MEMBER(ladder.T_max), "highest temperature"),
                   "required unless list"),
      bind_slots("ladder.slots",
                 "temperatures between T_min and T_max, 2 to 1024; auto (geometric only): expected acceptance 0.3"),
      bind_key("ladder.temperatures", "list, ascending", MEMBER(ladder.temperatures), "all temperatures of kind list"),
      only_of(never, bind_key("ladder.kappas", "list", MEMBER(ladder.kappas),
                              "of phi4, instead of temperatures: T = 1/(2 kappa)")),
      bind_key("ladder.adapt", value_names<LadderAdaptation>(), MEMBER(ladder.adapt),
               "places the temperatures between T_min and T_max by pilot rounds: equal rejection, or feedback"),
      bind_number("ladder.pilots", {1, 4096}, MEMBER(ladder.pilots), "realizations of each size that adapt its ladder"),
      bind_number("ladder.adapt_rounds", {2, 1000}, MEMBER(ladder.adapt_rounds),
                  "rounds of the pilots before the ladder is frozen"),
      only_of(may_have_clusters,
              bind_key("protocol.kind", value_names<ProtocolKind>(), MEMBER(protocol.kind),
                       "local sweeps alone, or cluster updates of this kind before them; heisenberg has local ones")),
      only_of(may_have_clusters,
              with_default(bind_number("protocol.cluster_sweeps", {1, largest_count, has_cluster_updates},
                                       MEMBER(protocol.cluster_sweeps), "cluster updates before the local sweeps"),
                           "1; 0 if kind is local")),
      with_default(bind_number("protocol.overrelaxation", {0, largest_count}, MEMBER(protocol.overrelaxation),
                               "over-relaxation sweeps n_M of vectors: heisenberg, on, phi4"),
                   "10; 0 of other models"),
      with_default(bind_number("protocol.heatbath", {0, largest_count}, MEMBER(protocol.heatbath),
                               "heat-bath (local) sweeps n_B that follow them"),
                   "1; 0 with cluster updates, but 1 of phi4 with finite lambda"),
      only_of(may_have_clusters, bind_number("protocol.isoenergetic", {0, largest_count}, MEMBER(protocol.isoenergetic),
                                             "cluster moves between copies of ising that follow them (Houdayer)")),
      only_of(is_few_cluster, bind_key("protocol.p_flip", "between 0 and 1", MEMBER(protocol.p_flip),
                                       "probability of few-cluster that a cluster moves")),
      only_of(is_few_cluster,
              with_default(bind_key("protocol.seed_tile", "2 or more, dividing L", MEMBER(protocol.seed_tile),
                                    "edge of the tiles of few-cluster, each of which has a seed"),
                           "required by few-cluster")),
      bind_number("protocol.sweeps_per_exchange", {1, largest_count}, MEMBER(protocol.sweeps_per_exchange),
                  "n_T: times all these before an exchange"),
      bind_number("protocol.exchanges_per_measurement", {1, largest_count}, MEMBER(protocol.exchanges_per_measurement),
                  "n_A: steps between measurements"),
      bind_key(
          "protocol.exchange", value_names<ExchangeSchedule>(), MEMBER(protocol.exchange),
          "order in which neighbouring temperatures are exchanged; none: slots are independent, not of heisenberg"),
      bind_key("protocol.tile", "0, or even with 2 tile dividing L", MEMBER(protocol.tile),
               "edge of the tiles of the double checkerboard (heisenberg, on); 0: the whole lattice is one tile"),
      bind_number("round.measurements", {1, largest_count}, MEMBER(measurements_per_round),
                  "measurements of a round, the unit that is committed"),
      bind_samples("round.samples",
                   "measurements of a round, evenly spaced, whose values are also stored singly; 0: none"),
      bind_number("convergence.min_rounds", {1, largest_number}, MEMBER(convergence.min_rounds),
                  "rounds before convergence is judged; the criterion itself needs 8"),
      with_limit(bind_threshold("convergence.max_rounds", {1, largest_number}, MEMBER(convergence.max_rounds),
                                "rounds after which a realization is given up as not converged"),
                 "at least min_rounds"),
      bind_threshold("convergence.min_round_trips", {0, largest_number}, MEMBER(convergence.min_round_trips),
                     "round trips through the ladder that the replicas of a realization must make, all together; none "
                     "without exchanges"),
      bind_threshold("convergence.n_tau", {0, largest_count}, MEMBER(convergence.n_tau),
                     "length of a converged history in units of the largest autocorrelation time of its temperature "
                     "walks, or of its observables without exchanges; 0: any"),
      with_limit(bind_number("convergence.equilibration_tau", {0, largest_count}, MEMBER(convergence.equilibration_tau),
                             "what averages leave out at the start of a history, in the same units"),
                 "below n_tau"),
      bind_key("backend.kind", value_names<BackendKind>(), MEMBER(backend.kind), "what simulates; same bits from all",
               run),
      bind_key("backend.isa", value_names<InstructionSet>(), MEMBER(backend.isa), "instruction set of the cpu backend",
               run),
      bind_number("backend.threads", {0, 4096}, MEMBER(backend.threads), "threads; 0: one per hardware thread", run),
      bind_number("backend.devices", {0, 1023}, MEMBER(devices), "CUDA devices to use, counted from 0; none given: all",
                  run),
      bind_number("backend.batch", {0, largest_count}, MEMBER(batch),
                  "realizations simulated together; 0: chosen by backend and memory", run),
      bind_number("workers.lease_seconds", {5, 86400}, MEMBER(lease_seconds),
                  "a process that gives no sign of life for so long loses its realizations to others", run),
      bind_number("workers.max_attempts", {1, largest_count}, MEMBER(max_attempts),
                  "failed attempts at one round before its realization is quarantined", run),
  };
}

#undef MEMBER

}  // namespace

std::string KeyRange::text() const { return fmt::format("{} to {}", low, high); }

const std::vector<KeyBinding>& key_bindings() {
  static const std::vector<KeyBinding> bindings = make_bindings();
  return bindings;
}

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> list;
    for (const KeyBinding& binding : key_bindings()) {
      if (binding.scope != KeyScope::file_content) list.push_back(binding.key);
    }
    return list;
  }();
  return keys;
}

}  // namespace glassworks::inline engine
