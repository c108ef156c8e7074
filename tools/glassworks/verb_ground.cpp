#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>
#include <optional>
#include <stdexcept>

#include "analysis/observables/observable_formulas.hpp"
#include "base/output_file.hpp"
#include "base/threads.hpp"
#include "engine/config/config.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/given_disorder.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/ground/quench.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "tools/glassworks/ground_table.hpp"
#include "tools/glassworks/instances/ground_instances.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr int usual_slots = 4;

/// Largest difference of energies that are one: descents of vectors end near their minimum; sums of discrete spins are
/// those of the same numbers.
double margin_of(const SpinModel& model, double energy) {
  return (model.is_discrete() ? 1e-14 : 1e-9) * std::abs(energy);
}

StopFlag stopped;

/// Descents of one realization, and the spins in which the lowest of them ended.
struct Found {
  LowestEnergy lowest;
  std::string spins;
};

std::string ground_spins_text(const Chain& chain, const std::vector<double>& spins, std::uint32_t realization,
                              const LowestEnergy& lowest) {
  const auto components = static_cast<std::size_t>(components_of(chain.model));
  std::string text = fmt::format("# lowest state found of realization {} at L = {}, energy {}, per site {}\n# site s\n",
                                 realization, chain.lattice.L, lowest.energy, lowest.energy_per_site);
  for (std::size_t site = 0; site < spins.size() / components; ++site) {
    text += fmt::to_string(site);
    for (std::size_t k = 0; k < components; ++k) text += fmt::format(" {}", spins[site * components + k]);
    text += '\n';
  }
  return text;
}

/// Descents from the replicas in the coldest slots.
Found descend(const Chain& chain, Quench& quench, const Restoration& newest, int slots, std::uint32_t realization) {
  const ChainState& state = newest.state;
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  const std::size_t of_replica = sites * static_cast<std::size_t>(components_of(chain.model));
  Found found;
  LowestEnergy& lowest = found.lowest;
  lowest.rounds = newest.rounds;
  lowest.slots = slots;
  for (std::size_t replica = 0; replica < state.slot.size() && !stopped; ++replica) {
    if (state.slot[replica] >= slots) continue;
    const QuenchEnd end = chain.model.is_discrete()
                              ? quench.run({}, std::span(state.states).subspan(replica * sites, sites))
                              : quench.run(std::span(state.spins).subspan(replica * of_replica, of_replica), {});
    ++lowest.descents;
    if (!end.settled) ++lowest.unsettled;
    if (lowest.descents == 1 || end.energy < lowest.energy) {
      if (end.energy < lowest.energy - margin_of(chain.model, lowest.energy)) lowest.met = 0;
      lowest.energy = end.energy;
      lowest.energy_per_site = end.energy / static_cast<double>(sites);
      found.spins = ground_spins_text(chain, quench.spins(), realization, lowest);
    }
    if (end.energy <= lowest.energy + margin_of(chain.model, lowest.energy)) ++lowest.met;
  }
  return found;
}

/// Adds descents to those of earlier calls. Returns whether the spins are lower than theirs.
bool add(const SpinModel& model, LowestEnergy& known, const LowestEnergy& more) {
  const bool first = known.descents == 0, lower = first || more.energy < known.energy;
  const bool same = !first && std::abs(more.energy - known.energy) <= margin_of(model, known.energy);
  const bool same_start = known.rounds == more.rounds;  // more slots of the same states: the new descents hold the old
  LowestEnergy sum = more;
  if (!first && !same_start) {
    sum.descents += known.descents;
    sum.unsettled += known.unsettled;
  }
  if (!lower) {
    sum.energy = known.energy;
    sum.energy_per_site = known.energy_per_site;
    sum.met = known.met;
  }
  if (same) sum.met = same_start ? std::max(more.met, known.met) : known.met + more.met;
  known = sum;
  return lower;
}

/// The number of threads whose descents fit into memory. Throws InputError if a single one does not fit.
int threads_that_fit(const Config& config, const Chain& chain, int threads) {
  const double one = descent_bytes(config.model, chain), there = physical_memory_bytes();
  require_memory(one, there, "--L", fmt::format("A descent at L = {}", chain.lattice.L),
                 "Use a machine with more memory, or a smaller size with --L.");
  return static_cast<int>(std::clamp(0.8 * there / one, 1.0, static_cast<double>(threads)));
}

/// One size of the campaign.
struct GroundSize {
  const Config& config;
  const Chain& chain;
  fs::path campaign;
  int slots, threads;
};

/// Descents of some realizations at once; the table is kept after each group of them.
void search(const Database& database, const GroundSize& size, GroundTable& table) {
  const fs::path checkpoints = size.campaign / "checkpoints";
  const int L = size.chain.lattice.L;
  std::vector<RealizationRow> rows;
  for (RealizationRow& row : database.realizations(L)) {
    if (!row.checkpoint.empty()) rows.push_back(std::move(row));
  }
  const auto group = static_cast<std::size_t>(4 * size.threads);
  TimeEstimate time;
  for (std::size_t begin = 0; begin < rows.size() && !stopped; begin += group) {
    const std::size_t count = std::min(group, rows.size() - begin);
    std::vector<std::optional<Found>> found(count);
    parallel_for(count, size.threads, [&](std::size_t i) {
      const RealizationRow& row = rows[begin + i];
      const auto known = table.find({L, row.key.realization});
      const Disorder not_needed;  // nothing is simulated
      const Restoration newest = newest_state({checkpoints, size.config, size.chain}, row, not_needed);
      if (newest.read_rounds == 0) return;  // the initial state
      if (known != table.end() && known->second.rounds == newest.rounds && known->second.slots >= size.slots) return;
      const Disorder disorder = make_disorder(size.config, size.chain.lattice, row.key.realization);
      Quench quench(size.chain.model, size.chain.lattice, disorder,
                    given_disorder(size.config, size.chain.lattice, row.key.realization, disorder));
      found[i] = descend(size.chain, quench, newest, size.slots, row.key.realization);
    });
    if (stopped) return;
    for (std::size_t i = 0; i < count; ++i) {
      if (!found[i]) continue;
      const std::uint32_t realization = rows[begin + i].key.realization;
      if (!add(size.chain.model, table[{L, realization}], found[i]->lowest)) continue;
      fs::create_directories(ground_folder(size.campaign));
      write_output(coupling_sample(ground_folder(size.campaign), L, realization), found[i]->spins, Existing::replace);
    }
    write_ground_table(size.campaign, table);
    time.show(fmt::format("descents of L = {}", L), begin + count, rows.size());
    if (isatty(STDERR_FILENO) == 1) {
      rewrite_line(Channel::error, fmt::format("L = {}: {} of {} realizations", L, begin + count, rows.size()));
    }
  }
  if (isatty(STDERR_FILENO) == 1 && !rows.empty()) show(Channel::error, "\n");
}

/// Energies of a table of an earlier version, which formed those of files from rounded couplings.
void convert_earlier_table(const Config& config, const fs::path& campaign, GroundTable& table) {
  for (auto& [key, lowest] : table) {
    if (!std::isnan(lowest.energy)) continue;
    const ModelConfig& model = config.model;
    if (model.reads_couplings() || model.field == FieldKind::file || model.field == FieldKind::constant ||
        model.anisotropy != 0.0) {
      throw InputError(
          InputFault::changed, ground_folder(campaign).string(),
          fmt::format("{} holds energies of rounded couplings (an earlier version wrote it). Move it away; "
                      "`glassworks ground` makes it again.",
                      ground_folder(campaign).string()));
    }
    lowest.energy = lowest.energy_per_site * static_cast<double>(config.lattice(key.first).sites());
  }
}

}  // namespace

const VerbSyntax& ground_syntax() {
  static const VerbSyntax syntax = [] {
    VerbSyntax with_files{
        .verb = "ground",
        .operand = "DIR|FILE",
        .meaning = "lowest energies: of a campaign, or of a graph in a file",
        .options = {{"L", "L", "of a campaign: only this size"},
                    {"slots", "N",
                     fmt::format("of a campaign: the coldest slots of every copy from which descents begin ({})",
                                 usual_slots)},
                    {"threads", "N", "threads (those of the machine)"}},
        .more =
            "Of a campaign: descents from the coldest slots. Keeps energies and spins in DIR/ground. Run it again "
            "after more rounds: descents add up, and the lowest energy of each realization stays.\n"
            "Of a file: lines `i j J` of H = - sum J s_i s_j (and other formats, manual page ground-states): runs of "
            "parallel tempering until all have met the same lowest energy and gone on for as long again. DIR may also "
            "be a folder of such files.\n"};
    for (Option& option : instance_options()) with_files.options.push_back(std::move(option));
    return with_files;
  }();
  return syntax;
}

namespace {

/// Options of the other kind of operand.
void refuse_unused(const ParsedArguments& parsed, bool of_files) {
  const auto refuse = [&](const std::string& name) {
    if (!parsed.has(name)) return;
    throw InputError(InputFault::conflict, "--" + name,
                     fmt::format("--{} does not fit '{}' (it is for {}). Leave it out.", name, parsed.operand,
                                 of_files ? "campaigns" : "files of graphs"));
  };
  if (of_files) {
    for (const char* name : {"L", "slots"}) refuse(name);
    return;
  }
  for (const Option& option : instance_options()) {
    if (option.name != force_option().name) refuse(option.name);  // what a campaign has found is replaced anyway
  }
}

}  // namespace

int search_ground_states(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(ground_syntax(), arguments);
  if (parsed.help) {
    show(ground_syntax().help());
    return 0;
  }
  const bool of_files = is_of_instances(parsed.operand);
  refuse_unused(parsed, of_files);
  if (of_files) return search_ground_states_of_files(parsed);
  const auto L = whole_number(parsed, "L");
  const int slots = whole_number(parsed, "slots", 1, 65535).value_or(usual_slots);
  const int threads = whole_number(parsed, "threads", 1, 4096).value_or(hardware_threads());
  const Database database = open_campaign(parsed.operand);
  Config config = parse_config(database.config_text());
  if (config.model.spins.kind == ModelKind::phi4) {
    throw InputError(InputFault::unsupported, "model.type",
                     "glassworks ground does not know phi4 (its fields have no fixed length, so their energy has no "
                     "lowest value of its own). Use it with other models.");
  }
  if (L && std::ranges::find(config.model.L, *L) == config.model.L.end()) {
    throw InputError(InputFault::unknown, "--L",
                     fmt::format("{} has no size L = {} (it has {}). Give one of these.", parsed.operand, *L,
                                 fmt::join(config.model.L, ", ")));
  }
  open_coupling_samples(config);
  const std::vector<SizeRow> sizes = database.sizes();
  std::map<int, Chain> chains;
  std::map<int, int> threads_of_size;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int size = config.model.L[i];
    if (L && size != *L) continue;
    chains[size] = make_chain(config, i, std::ranges::find(sizes, size, &SizeRow::L)->temperatures);
    threads_of_size[size] = threads_that_fit(config, chains[size], threads);
  }
  on_stop_signals([](int) { stopped = true; });
  const fs::path campaign = database.file().parent_path();
  GroundTable table = read_ground_table(campaign);
  convert_earlier_table(config, campaign, table);
  for (const int size : config.model.L) {
    if (stopped || !chains.contains(size)) continue;
    search(database, {config, chains.at(size), campaign, slots, threads_of_size.at(size)}, table);
  }
  if (stopped) {
    print(Channel::error, "Stopped: what was finished is kept. Run the same command again to go on.\n");
    return status_signal;
  }
  if (table.empty()) {
    throw InputError(
        InputFault::missing, parsed.operand,
        fmt::format("{} has no state to begin from (no realization has a checkpoint). Run it first.", parsed.operand));
  }
  show(ground_text(table, is_one_system(config)));
  return 0;
}

}}  // namespace glassworks::tools
