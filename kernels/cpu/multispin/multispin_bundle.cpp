#include "kernels/cpu/multispin/multispin_bundle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/core/lattice_table.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace cpu {

MultispinLattice::MultispinLattice(const Lattice& lattice, const SiteGraph* graph)
    : blocks_(graph != nullptr ? static_cast<std::uint32_t>((lattice.sites() + 3) / 4) : multispin_blocks(lattice)) {
  if (graph != nullptr) {
    add_graph(lattice, *graph);
    return;
  }
  plane_sites_.assign(static_cast<std::size_t>(lattice.planes()), lattice.sites() / lattice.L);
  const LatticeTable table(lattice);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    for (int axis = 0; axis < lattice.dim; ++axis) {
      neighbour_.push_back(static_cast<std::int32_t>(table.forward(i, axis)));
      neighbour_.push_back(static_cast<std::int32_t>(table.backward(i, axis)));
    }
    const WordAddress address = multispin_address(lattice, lattice.coordinates(i));
    random_word_.push_back(static_cast<std::int32_t>(multispin_word_place(address.block, address.word)));
  }
  for (const int parity : {0, 1}) {
    of_colour_.insert(of_colour_.end(), table.sites_of(parity).begin(), table.sites_of(parity).end());
  }
  geometry_ = {lattice.dim, lattice.L, lattice.sites(), neighbour_.data(), of_colour_.data(), random_word_.data()};
}

void MultispinLattice::add_graph(const Lattice& lattice, const SiteGraph& graph) {
  const LatticeTable table(lattice, &graph);
  for (int colour = 0; colour < table.colours(); ++colour) {
    for (const std::int32_t i : table.sites_of(colour)) {
      of_colour_.push_back(i);
      begin_.push_back(static_cast<std::int64_t>(links_.size()));
      for (const LatticeTable::Link& link : table.links(i)) links_.push_back({link.site, link.place});
    }
  }
  begin_.push_back(static_cast<std::int64_t>(links_.size()));
  std::vector<std::vector<std::int32_t>> of_plane(static_cast<std::size_t>(lattice.planes()));
  const BondView view(lattice, &graph);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const WordAddress address = graph_multispin_address(i);
    random_word_.push_back(static_cast<std::int32_t>(multispin_word_place(address.block, address.word)));
    view.for_planes(i, [&](int, int, int plane) {
      of_plane[static_cast<std::size_t>(plane)].push_back(static_cast<std::int32_t>(i));
    });
  }
  for (const std::vector<std::int32_t>& sites : of_plane) {
    plane_begin_.push_back(static_cast<std::int64_t>(in_plane_.size()));
    plane_sites_.push_back(std::ssize(sites));
    in_plane_.insert(in_plane_.end(), sites.begin(), sites.end());
  }
  plane_begin_.push_back(static_cast<std::int64_t>(in_plane_.size()));
  graph_ = {of_colour_.data(), begin_.data(),       links_.data(),    graph.bonds().data(),
            lattice.bonds(),   plane_begin_.data(), in_plane_.data(), lattice.planes()};
  geometry_ = {lattice.dim, lattice.L, lattice.sites(), nullptr, nullptr, random_word_.data(), &graph_};
}

MultispinBundle::MultispinBundle(const Chain& chain, std::span<const RoundTask> batch,
                                 std::span<const MultispinGroup> groups, const MultispinLattice& lattice,
                                 const MultispinTable& table)
    : chain_(chain),
      lattice_(lattice),
      table_(table),
      groups_(groups.begin(), groups.end()),
      spins_of_place_(static_cast<std::size_t>(lattice.geometry().sites) * static_cast<std::size_t>(table.words)) {
  const auto words = static_cast<std::size_t>(table.words);
  float modulus = 0.0F, field = 0.0F;
  bool diluted = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const std::size_t t : groups_[g].tasks) {
      const std::uint32_t in_group = batch[t].realization % multispin_group;
      task_.push_back(t);
      word_.push_back(4 * g + in_group / 32);
      bit_.push_back(in_group % 32);
      realization_.push_back(batch[t].realization);
      lane_.push_back(bit_.back() * words + word_.back());
      couplings_.push_back(count_couplings(batch[t].disorder->couplings));
      diluted = diluted || couplings_.back().absent > 0;
      modulus = std::max(modulus, couplings_.back().modulus.value_or(0.0F));
      field = single_field(batch[t].disorder->fields).value_or(0.0F);
    }
  }
  in_field_ = field != 0.0F;
  for (const float beta : chain.beta) {
    std::vector<std::uint32_t>& of_slot = thresholds_.emplace_back();
    const bool graph = chain.lattice.is_graph();
    for (int z = graph ? 0 : 2 * chain.lattice.dim; z <= (graph ? MultispinGraph::most_bonds : 2 * chain.lattice.dim);
         ++z) {
      const auto of_degree = multispin_thresholds_in_field(chain.protocol.multispin, beta, modulus, z, field);
      of_slot.insert(of_slot.end(), of_degree.begin(), of_degree.end());
    }
  }
  const auto bonds = static_cast<std::size_t>(chain.lattice.bond_places());
  negative_ = AlignedBuffer<std::uint32_t>(bonds * words);
  if (diluted) absent_ = AlignedBuffer<std::uint32_t>(bonds * words);
  const auto couplings = [&](std::size_t m) { return batch[task_[m]].disorder->couplings.data(); };
  gather(bonds, negative_.data(), couplings, [](float J) { return J < 0.0F; });
  if (diluted) gather(bonds, absent_.data(), couplings, [](float J) { return J == 0.0F; });
  if (chain.lattice.open != 0) {
    past_ends_ = AlignedBuffer<std::uint32_t>(bonds * words);
    for (std::int64_t i = 0; i < chain.lattice.sites(); ++i) {
      const Lattice::Coordinates c = chain.lattice.coordinates(i);
      for (int axis = 0; axis < chain.lattice.dim; ++axis) {
        const auto place = static_cast<std::size_t>(i * chain.lattice.dim + axis) * words;
        std::fill_n(past_ends_.data() + place, words, chain.lattice.has_bond(c, axis, +1) ? 0U : ~0U);
      }
    }
  }
  spins_ = AlignedBuffer<std::uint32_t>(spins_of_place_ * static_cast<std::size_t>(chain.replicas()));
  const auto sites = static_cast<std::size_t>(lattice.geometry().sites);
  std::vector<std::vector<std::size_t>> replica_at(task_.size());  // [member][place]
  for (std::size_t m = 0; m < task_.size(); ++m) {
    const auto& slot = batch[task_[m]].state->slot;
    replica_at[m].resize(slot.size());
    for (std::size_t r = 0; r < slot.size(); ++r) replica_at[m][chain.place_of(r, slot[r])] = r;
  }
  for (int place = 0; place < chain.replicas(); ++place) {
    const auto states = [&](std::size_t m) {
      return batch[task_[m]].state->states.data() + replica_at[m][static_cast<std::size_t>(place)] * sites;
    };
    gather(sites, spins(place), states, [](std::uint8_t s) { return s == 0; });
  }
}

template <class Values, class Condition>
void MultispinBundle::gather(std::size_t count, std::uint32_t* to, const Values& values, const Condition& condition) {
  constexpr std::size_t at_once = 1024;  // whose words stay in the cache while all realizations set their bits
  const auto words = static_cast<std::size_t>(table_.words);
  std::vector<std::vector<std::size_t>> of_word(words);
  for (std::size_t m = 0; m < task_.size(); ++m) of_word[word_[m]].push_back(m);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t n = std::min(at_once, count - first);
    for (std::size_t word = 0; word < words; ++word) {
      std::array<std::uint32_t, at_once> bits{};
      for (const std::size_t m : of_word[word]) {
        const auto* const from = values(m) + first;
        const std::uint32_t bit = bit_[m];
        const auto add = [&](auto all) {
          for (std::size_t i = 0; i < all; ++i) bits[i] |= static_cast<std::uint32_t>(condition(from[i])) << bit;
        };
        if (n == at_once) {
          add(std::integral_constant<std::size_t, at_once>());  // in vectors
        } else {
          add(n);
        }
      }
      for (std::size_t i = 0; i < n; ++i) to[(first + i) * words + word] = bits[i];
    }
  }
}

void MultispinBundle::sweep(std::uint64_t done, int begin, int end, int first, int count,
                            std::vector<std::uint32_t>& random) {
  const auto of_step = static_cast<std::uint64_t>(chain_.protocol.sweeps_per_exchange) *
                       static_cast<std::uint64_t>(chain_.protocol.heatbath);
  const std::uint32_t key[2] = {chain_.key.k0, chain_.key.k1};
  const std::size_t of_place = 4 * lattice_.made_blocks() * static_cast<std::size_t>(table_.words / 4);
  random.resize(of_place * static_cast<std::size_t>(count));
  MultispinHalfSweep job{&lattice_.geometry(), couplings(), chain_.protocol.multispin, in_field_, 0, count, {}, {}, {}};
  for (int r = 0; r < count; ++r) {
    job.threshold[r] = thresholds_[static_cast<std::size_t>((first + r) % chain_.slots())].data();
    job.random[r] = random.data() + of_place * static_cast<std::size_t>(r);
    job.spins[r] = spins(first + r);
  }
  const bool graph = chain_.lattice.is_graph();
  for (auto n = static_cast<std::uint64_t>(begin); n < static_cast<std::uint64_t>(end); ++n) {
    for (job.colour = 0; job.colour < (graph ? 1 : 2); ++job.colour) {
      for (int r = 0; r < count; ++r) {
        std::uint32_t rest[4][3] = {};
        for (std::size_t g = 0; g < groups_.size(); ++g) {
          const std::uint64_t sweep = colour_sweep(chain_.lattice, (groups_[g].steps + done) * of_step + n, job.colour);
          rest[g][0] = static_cast<std::uint32_t>(sweep);
          rest[g][1] = groups_[g].number;
          rest[g][2] = counter_word3(Stream::multispin, static_cast<std::uint32_t>(first + r), sweep);
        }
        table_.random(key, rest, lattice_.blocks(), random.data() + of_place * static_cast<std::size_t>(r));
      }
      table_.half_sweep(job);
    }
  }
}

std::uint64_t MultispinBundle::move_of(std::size_t group, std::uint64_t done, std::uint64_t move_of_step) const {
  const auto of_step = static_cast<std::uint64_t>(chain_.protocol.sweeps_per_exchange) *
                       static_cast<std::uint64_t>(chain_.protocol.isoenergetic);
  return (groups_[group].steps + done) * of_step + move_of_step;
}

void MultispinBundle::swap_clusters(std::uint64_t done, int begin, int end, int slot,
                                    std::vector<std::uint32_t>& scratch) {
  for (auto move = static_cast<std::uint64_t>(begin); move < static_cast<std::uint64_t>(end); ++move) {
    // Groups at different steps may be at different pairs of copies.
    std::array<bool, 4> has_partner{};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      has_partner[static_cast<std::size_t>(isoenergetic_pair(chain_.copies, move_of(g, done, move), 0).second)] = true;
    }
    for (int partner = 1; partner < chain_.copies; ++partner) {
      if (has_partner[static_cast<std::size_t>(partner)]) swap_pairs(done, move, slot, partner, scratch);
    }
  }
}

void MultispinBundle::swap_pairs(std::uint64_t done, std::uint64_t move_of_step, int slot, int partner,
                                 std::vector<std::uint32_t>& scratch) {
  const MultispinGeometry& geometry = lattice_.geometry();
  const auto words = static_cast<std::size_t>(table_.words);
  const int bits = std::bit_width(static_cast<std::uint64_t>(geometry.sites));
  std::vector<std::uint32_t> count(lanes());
  std::vector<std::optional<std::uint64_t>> move_of_group(groups_.size());  // of the groups with this partner
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::uint64_t move = move_of(g, done, move_of_step);
    if (isoenergetic_pair(chain_.copies, move, 0).second == partner) move_of_group[g] = move;
  }
  scratch.resize(2 * spins_of_place_);
  for (int pair = 0; pair < chain_.copies / 2; ++pair) {
    // Any move with this partner has the same copies.
    const CopyPair copies = isoenergetic_pair(chain_.copies, static_cast<std::uint64_t>(partner - 1), pair);
    const int a = copies.first * chain_.slots() + slot, b = copies.second * chain_.slots() + slot;
    table_.differing(geometry.sites, spins(a), spins(b), count.data());
    std::vector<std::uint32_t> countdown(static_cast<std::size_t>(bits) * words);
    for (std::size_t m = 0; m < members(); ++m) {
      const std::optional<std::uint64_t>& move = move_of_group[word_[m] / 4];
      if (!move || count[lane_[m]] == 0) continue;
      const RandomBlock random =
          random_block(chain_.key, Stream::isoenergetic, realization_[m], static_cast<std::uint32_t>(a), *move, 0);
      const std::uint32_t start = ~uniform_below(random.word[0], count[lane_[m]]);
      for (int k = 0; k < bits; ++k) {
        countdown[static_cast<std::size_t>(k) * words + word_[m]] |= (start >> k & 1U) << bit_[m];
      }
    }
    table_.swap_clusters({&geometry, couplings().absent, countdown.data(), bits, scratch.data(),
                          scratch.data() + spins_of_place_, spins(a), spins(b)});
  }
}

void MultispinBundle::count_unsatisfied(int place, std::vector<std::uint32_t>& count) const {
  count.resize(lanes());
  table_.unsatisfied(lattice_.geometry(), couplings(), spins(place), nullptr, count.data());
}

void MultispinBundle::count_down(int place, std::vector<std::uint32_t>& count) const {
  count.resize(lanes());
  table_.differing(lattice_.geometry().sites, spins(place), nullptr, count.data());
}

void MultispinBundle::exchange(int place, const std::uint32_t* mask, int member, int members) {
  const std::int64_t sites = lattice_.geometry().sites;
  table_.exchange(mask, sites * member / members, sites * (member + 1) / members, spins(place), spins(place + 1));
}

void MultispinBundle::count_planes(int a, int b, std::vector<std::uint32_t>& count) const {
  const MultispinGeometry& g = lattice_.geometry();
  count.resize(lattice_.plane_sites().size() * lanes());
  table_.planes(g, spins(a), b < 0 ? nullptr : spins(b), count.data());
}

void MultispinBundle::count_links(int a, int b, std::vector<std::uint32_t>& count) const {
  count.resize(lanes());
  const std::uint32_t* const past_ends = past_ends_.size() == 0 ? nullptr : past_ends_.data();
  table_.unsatisfied(lattice_.geometry(), {nullptr, past_ends}, spins(a), spins(b), count.data());
}

void MultispinBundle::store(std::size_t member, ChainState& state) const {
  const auto sites = static_cast<std::size_t>(lattice_.geometry().sites);
  const auto words = static_cast<std::size_t>(table_.words);
  for (std::size_t r = 0; r < state.slot.size(); ++r) {
    const std::uint32_t* from = spins(static_cast<int>(chain_.place_of(r, state.slot[r]))) + word_[member];
    std::uint8_t* to = state.states.data() + r * sites;
    for (std::size_t i = 0; i < sites; ++i) to[i] = (from[i * words] >> bit_[member] & 1U) == 0 ? 1 : 0;
  }
}

}}  // namespace glassworks::cpu
