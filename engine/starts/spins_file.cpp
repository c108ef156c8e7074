#include "engine/starts/spins_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text_file.hpp"
#include "engine/disorder/file_lines.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 32;
constexpr std::int64_t most_slots = 1 << 16, most_copies = 1 << 12;

constexpr std::array<const char*, 1 + max_components> formats = {"slot copy site s",
                                                                 "slot copy site s1",
                                                                 "slot copy site s1 s2",
                                                                 "slot copy site s1 s2 s3",
                                                                 "slot copy site s1 s2 s3 s4",
                                                                 "slot copy site s1 s2 s3 s4 s5",
                                                                 "slot copy site s1 s2 s3 s4 s5 s6",
                                                                 "slot copy site s1 s2 s3 s4 s5 s6 s7",
                                                                 "slot copy site s1 s2 s3 s4 s5 s6 s7 s8"};

/// Components of a vector; 0 of discrete spins.
std::size_t components(const Chain& chain) {
  return chain.model.is_discrete() ? 0 : static_cast<std::size_t>(components_of(chain.model));
}

/// Appends the spin of a site of a replica; 0 of an absent one.
void append_spin(const Chain& chain, const ChainState& state, std::size_t replica, std::size_t site,
                 std::string& text) {
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  if (chain.model.is_discrete()) {
    text += fmt::format(" {}", spin_value(chain.model, state.states[replica * sites + site]));
    return;
  }
  for (std::size_t c = 0; c < components(chain); ++c) {
    text += fmt::format(" {}", state.spins[(replica * components(chain) + c) * sites + site]);
  }
}

/// The states of discrete spins by their values; empty for vectors.
std::map<double, std::uint8_t> states_by_value(const SpinModel& model) {
  std::map<double, std::uint8_t> states;
  const ModelFacts facts = facts_of(model);
  for (int state = 0; state < std::max(facts.states, facts.absent + 1); ++state) {
    const auto s = static_cast<std::uint8_t>(state);
    if (state < facts.states || state == facts.absent) states.emplace(spin_value(model, s), s);
  }
  return states;
}

/// The state that a line gives.
std::uint8_t state_of(const std::map<double, std::uint8_t>& states, const FileLine& line) {
  const auto state = states.find(line.value(3, "s"));
  if (state != states.end()) return state->second;
  throw line.error(InputFault::out_of_range,
                   fmt::format("s = {} is no spin of this model. Correct the line.", line.text(3)));
}

}  // namespace

std::string spins_text(const Chain& chain, const ChainState& state, const std::vector<double>& temperatures,
                       std::uint32_t realization, std::uint32_t rounds) {
  std::string text =
      fmt::format("# spins of realization {} at L = {} after {} rounds\n", realization, chain.lattice.L, rounds);
  for (std::size_t t = 0; t < temperatures.size(); ++t) text += fmt::format("# T of slot {}: {}\n", t, temperatures[t]);
  text += "# slot copy site s\n";
  const auto slots = static_cast<std::size_t>(chain.slots());
  std::vector<std::size_t> replicas(state.slot.size());
  for (std::size_t k = 0; k < replicas.size(); ++k) replicas[k] = k;
  std::ranges::sort(replicas, {}, [&](std::size_t k) { return state.slot[k] * replicas.size() + k; });
  for (const std::size_t k : replicas) {
    for (std::size_t site = 0; site < static_cast<std::size_t>(chain.lattice.sites()); ++site) {
      text += fmt::format("{} {} {}", state.slot[k], k / slots, site);
      append_spin(chain, state, k, site, text);
      text += '\n';
    }
  }
  return text;
}

std::string spins_file_digest(const std::filesystem::path& file) {
  return text_digest(read_text_file(file, "file of spins", most_bytes));
}

void read_spins_file(const std::filesystem::path& file, const std::string& digest, const Chain& chain,
                     ChainState& state) {
  const std::string text = read_text_file(file, "file of spins", most_bytes);
  if (const std::string found = text_digest(text); !digest.empty() && found != digest) {
    throw InputError(InputFault::changed, file.string(),
                     fmt::format("The file '{}' has changed since the campaign began (its digest is {}, not {}). "
                                 "Restore it, or start another campaign.",
                                 file.string(), found, digest));
  }
  const auto sites = static_cast<std::size_t>(chain.lattice.sites()), n = components(chain);
  const std::map<double, std::uint8_t> states = states_by_value(chain.model);
  std::vector<bool> seen(static_cast<std::size_t>(chain.replicas()) * sites);
  for_each_line(file, text, 3 + std::max<std::size_t>(n, 1), formats.at(n), "it holds no spin",
                [&](const FileLine& line) {
                  const std::int64_t slot = line.index(0, "slot", most_slots);
                  const std::int64_t copy = line.index(1, "copy", most_copies);
                  const auto site = static_cast<std::size_t>(line.index(2, "site", chain.lattice.sites()));
                  if (slot >= chain.slots() || copy >= chain.copies) return;
                  const auto replica = static_cast<std::size_t>(copy * chain.slots() + slot);
                  claim(seen, replica * sites + site, line,
                        [&] { return fmt::format("the spin of slot {}, copy {}, site {}", slot, copy, site); });
                  if (n == 0) state.states[replica * sites + site] = state_of(states, line);
                  for (std::size_t c = 0; c < n; ++c) {
                    state.spins[(replica * n + c) * sites + site] = line.single(3 + c, "s");
                  }
                });
  const auto missing = static_cast<std::size_t>(std::ranges::find(seen, false) - seen.begin());
  if (missing == seen.size()) return;
  const std::size_t replica = missing / sites, slots = static_cast<std::size_t>(chain.slots());
  throw InputError(
      InputFault::missing, file.string(),
      fmt::format("The file '{}' cannot be used (it has no spin of slot {}, copy {}, site {}, and the "
                  "campaign has {} slots, {} copies and {} sites). Add it, or use fewer slots or copies.",
                  file.string(), replica % slots, replica / slots, missing % sites, slots, chain.copies, sites));
}

}}  // namespace glassworks::engine
