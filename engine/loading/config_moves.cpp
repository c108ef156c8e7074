#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "engine/config/config_value.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr int most_of_a_move = 1'000'000;

/// "protocol.moves with wolff"
std::string with(const Move& move) { return "protocol.moves with " + write_value(move.rule); }

std::string_view without_blanks(std::string_view text) { return trimmed(text, " \t\r\n"); }

/// "over-relaxation 5"
Move read_move(const ConfigEntry& entry, std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view name = text.substr(0, end), count = without_blanks(text.substr(end));
  Move move;
  if (!name.empty()) read_value({entry.key, std::string(name), entry.where}, move.rule);
  if (count.empty() || count.find_first_of(" \t") != count.npos) {
    throw InputError(InputFault::malformed, entry.key,
                     fmt::format("{}: {} is not a move with its count ({}). Write NAME COUNT with commas between the "
                                 "moves, such as over-relaxation 5, heat-bath 1.",
                                 entry.key, in_quotes(text), entry.where));
  }
  read_value({entry.key, std::string(count), entry.where}, move.count);
  if (move.count >= 1 && move.count <= most_of_a_move) return move;
  throw InputError(InputFault::out_of_range, entry.key,
                   fmt::format("{}: {} is out of range ({}: a count is 1 to {}). Choose a value in this range.",
                               entry.key, in_quotes(text), entry.where, most_of_a_move));
}

/// Moves of one kind share random numbers, names of columns and kernels: a list has one rule for each kind.
void validate_rules(const MoveList& moves) {
  for (const Move& move : moves) {
    for (const Move& other : moves) {
      if (other.kind() != move.kind() || other.rule == move.rule) continue;
      refuse_pair(with(move), write_value(other.rule),
                  move.kind() == MoveKind::cluster ? "a list has cluster updates of one kind"
                                                   : "a list has local updates of one kind",
                  "Leave one of them out");
    }
  }
}

/// Why the model, or the copies, cannot make a move.
void validate_move(const Config& config, const Move& move) {
  const SpinModel& spins = config.model.spins;
  const std::string type = "model.type = " + write_value(spins.kind);
  if (move.rule == MoveRule::over_relaxation && spins.is_discrete()) {
    refuse_pair(with(move), type, "over-relaxation is for vectors: heisenberg, on and phi4", "Leave it out");
  }
  if (move.kind() == MoveKind::cluster && !config.rules().cluster_updates) {
    const bool is_heisenberg = spins.kind == ModelKind::heisenberg;
    refuse_pair(with(move), type, "its spins have local updates only",
                is_heisenberg ? "Use model.type = on with model.n = 3" : "Leave it out");
  }
  const bool multispin = move.rule == MoveRule::multispin_metropolis || move.rule == MoveRule::multispin_heat_bath;
  if (multispin && spins.kind != ModelKind::ising) {
    refuse_pair(with(move), type, "multi-spin coding is for spins +-1", "Use heat-bath");
  }
  if (move.rule != MoveRule::isoenergetic) return;
  if (!config.rules().cluster_updates || !facts_of(spins).isoenergetic) {
    refuse_pair(with(move), type, "these moves swap spins +-1 of two copies",
                "Use model.type = ising, or leave it out");
  }
  if (config.replicas.copies < 2) {
    refuse_pair(with(move), fmt::format("replicas.copies = {}", config.replicas.copies),
                "it moves clusters between two copies", "Set replicas.copies = 2 or 4, or leave it out");
  }
}

/// Why a list needs local updates; empty if it does not.
const char* need_of_local_updates(const Config& config) {
  if (!config.rules().cluster_updates || config.protocol.kind == ProtocolKind::local) {
    return "over-relaxation and moves between copies keep the energy, so that nothing comes to equilibrium";
  }
  return has_free_modulus(config.model.spins) ? "reflections of clusters leave every |phi| as it is" : nullptr;
}

}  // namespace

void read_value(const ConfigEntry& entry, MoveList& value) {
  if (without_blanks(entry.value).empty()) {
    throw InputError(InputFault::missing, entry.key,
                     fmt::format("{} has no value ({}). Give moves such as over-relaxation 5, heat-bath 1, or leave it "
                                 "out.",
                                 entry.key, entry.where));
  }
  value = {};
  std::string_view rest = entry.value;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != rest.npos;
    const Move move = read_move(entry, without_blanks(rest.substr(0, comma)));
    if (more) rest.remove_prefix(comma + 1);
    if (value.size() == MoveList::most && (value.end() - 1)->rule != move.rule) {
      throw InputError(InputFault::too_large, entry.key,
                       fmt::format("{} has more than {} moves ({}). Write what it repeats once, with a higher "
                                   "protocol.sweeps_per_exchange.",
                                   entry.key, MoveList::most, entry.where));
    }
    value.add(move);
  }
}

std::string write_value(const MoveList& value) {
  std::string text;
  for (const Move& move : value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", write_value(move.rule), move.count);
  }
  return text;
}

void use_moves(Config& config, const std::function<bool(const char*)>& given) {
  const MoveList moves = config.protocol.moves;
  if (moves.empty()) return;
  for (const char* other : {"protocol.kind", "protocol.cluster_sweeps", "protocol.overrelaxation", "protocol.heatbath",
                            "protocol.multispin", "protocol.local", "protocol.isoenergetic"}) {
    if (!given(other)) continue;
    throw InputError(
        InputFault::conflict, "protocol.moves",
        fmt::format("protocol.moves and {} are both given (the list says which moves are made, and how often). Remove "
                    "one of them.",
                    other));
  }
  set_moves(config.protocol, moves);
}

void validate_moves(const Config& config) {
  const MoveList& moves = config.protocol.moves;
  if (moves.empty()) return;
  validate_rules(moves);
  for (const Move& move : moves) validate_move(config, move);
  const char* const need = need_of_local_updates(config);
  if (config.protocol.heatbath > 0 || need == nullptr) return;
  throw InputError(
      InputFault::conflict, "protocol.moves",
      fmt::format("protocol.moves = {} lacks local updates ({}). Add heat-bath 1.", write_value(moves), need));
}

void choose_adaptation(Config& config, const std::function<bool(const char*)>& given) {
  constexpr int usual = 50;
  Protocol& p = config.protocol;
  if (given("protocol.adaptation")) return;
  if (!traits_of(p.local).has_width || config.model.spins.is_discrete()) return;
  const std::vector<int>& rounds = config.round.measurements_per_round;
  p.adaptation = rounds.empty() ? usual : std::min(usual, *std::ranges::min_element(rounds));
}

void validate_site_update(const Config& config) {
  const Protocol& p = config.protocol;
  const UpdateTraits& traits = traits_of(p.local);
  const SpinModel& spins = config.model.spins;
  if (p.adaptation != 0 && (!traits.has_width || spins.is_discrete())) {
    throw InputError(InputFault::conflict, "protocol.adaptation",
                     "protocol.adaptation is given without use (no local update of this model has proposals with a "
                     "width). Remove it.");
  }
  if (p.local == SiteRule::heat_bath) return;
  const std::string key = p.moves.empty() ? "protocol.local = " + write_value(p.local) : with({move_of(p.local), 1});
  if (p.multispin != MultispinRule::off) {
    refuse_pair(key, multispin_setting(p), "multi-spin coding has rules of its own", "Leave one of them out");
  }
  if (has_free_modulus(spins)) {
    refuse_pair(key, "model.type = " + write_value(spins.kind), "at finite lambda |phi| has an update of its own",
                "Use heat-bath");
  }
  constexpr int fewest = 100;  // of round.measurements = auto
  const std::vector<int>& rounds = config.round.measurements_per_round;
  const int measurements = rounds.empty() ? fewest : *std::ranges::min_element(rounds);
  if (p.adaptation > measurements) {
    refuse_pair(fmt::format("protocol.adaptation = {}", p.adaptation),
                fmt::format("rounds of {} measurements", measurements),
                "widths are adapted in the first round, which averages leave out", "Use a smaller number");
  }
  if (!traits.has_reserve) return;
  if (config.model.spins.kind == ModelKind::heisenberg) {
    refuse_pair(key, "model.type = " + write_value(spins.kind), "it keeps no demons beside its spins",
                "Use model.type = on with model.n = 3");
  }
  const char* const why = "it changes the energy that a replica and its reserves conserve";
  if (p.exchange != ExchangeSchedule::none) {
    refuse_pair(key, "protocol.exchange = " + write_value(p.exchange), why, "Set protocol.exchange = none");
  }
  if (p.kind != ProtocolKind::local) refuse_pair(key, cluster_setting(p), why, "Leave one of them out");
  if (p.isoenergetic > 0) refuse_pair(key, "isoenergetic moves", why, "Leave one of them out");
  if (p.tile != 0) {
    refuse_pair(key, fmt::format("protocol.tile = {}", p.tile), "sites of several tiles share reserves",
                "Leave the tile out");
  }
  if (config.campaign.start == Start::annealed) {
    refuse_pair(key, "campaign.start = annealed", "energy that is conserved cannot be cooled away",
                "Leave one of them out");
  }
}

std::string cluster_setting(const Protocol& protocol) {
  for (const Move& move : protocol.moves) {
    if (move.kind() == MoveKind::cluster) return with(move);
  }
  return "protocol.kind = " + write_value(protocol.kind);
}

std::string local_moves_alone(const Protocol& protocol) {
  return protocol.moves.empty() ? "Use protocol.kind = local" : "Leave " + write_value(protocol.kind) + " out";
}

std::string multispin_setting(const Protocol& protocol) {
  for (const Move& move : protocol.moves) {
    if (move.kind() == MoveKind::local) return with(move);
  }
  return "protocol.multispin = " + write_value(protocol.multispin);
}

}}  // namespace glassworks::engine
