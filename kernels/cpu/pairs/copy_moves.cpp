#include "kernels/cpu/pairs/copy_moves.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/rounds/copy_pairs.hpp"

namespace glassworks { inline namespace cpu {

const PairTable& pairs_of(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return avx512_pairs();
  if (isa == InstructionSet::avx2) return avx2_pairs();
#endif
  (void)isa;
  return portable_pairs();
}

CopyMoves::CopyMoves(const Chain& chain, const Disorder& disorder, std::uint32_t realization, InstructionSet isa,
                     int members)
    : chain_(chain),
      step_(chain),
      realization_(realization),
      kernels_(pairs_of(isa)),
      lattice_(chain.lattice, disorder),
      bits_(static_cast<std::size_t>(chain.replicas()) * lattice_.words()),
      scratch_(static_cast<std::size_t>(std::min(members, groups(chain)))) {
  const PairGeometry g = lattice_.geometry();
  for (Scratch& scratch : scratch_) {
    const std::size_t sites = lattice_.words() * block_sites;
    scratch.differing.resize(sites);
    scratch.reached.resize(std::max(sites, static_cast<std::size_t>(chain.lattice.sites() + g.L)));
    scratch.waiting.resize(static_cast<std::size_t>(g.rows) + 1);
  }
}

int CopyMoves::groups(const Chain& chain) {
  return (chain.isoenergetic_slots() + slots_of_group(chain) - 1) / slots_of_group(chain);
}

double CopyMoves::site_bytes(const Chain& chain, int members) {
  return chain.replicas() / 8.0 + 16.0 * std::min(members, groups(chain)) + 1.0;
}

void CopyMoves::make(std::span<const PlacedMove> moves, std::uint64_t repetition,
                     const std::vector<std::uint16_t>& slot_of, int member) {
  const auto members = static_cast<int>(scratch_.size());
  if (member >= members) return;
  Scratch& scratch = scratch_[static_cast<std::size_t>(member)];
  const std::vector<std::size_t> replica_at = replicas_at(chain_, slot_of);
  for (int group = member; group < groups(chain_); group += members) {
    step_.for_each(moves, repetition, [&](const NumberedMove& move) {
      find_pairs(group, move.number, replica_at, scratch.pairs);
      std::ranges::fill(scratch.reached, 0);
      std::array<std::uint32_t, word_pairs> count{};
      compare(scratch, count);
      for (std::size_t k = 0; k < scratch.pairs.size(); ++k) {
        if (count[k] > 0) set_seed(k, count[k], scratch);
      }
      kernels_.grow(lattice_.geometry(), {scratch.differing.data(), scratch.reached.data(), scratch.waiting.data()});
      swap(scratch);
    });
  }
}

void CopyMoves::find_pairs(int group, std::uint64_t move, const std::vector<std::size_t>& replica_at,
                           std::vector<Pair>& pairs) {
  pairs.clear();
  const int slots = slots_of_group(chain_), first = group * slots;
  for (int slot = first; slot < std::min(first + slots, chain_.isoenergetic_slots()); ++slot) {
    for_moved_pairs(chain_, realization_, move, slot, replica_at,
                    [&](std::size_t a, std::size_t b, std::uint32_t word) {
                      pairs.push_back({bits(static_cast<int>(a)), bits(static_cast<int>(b)), word});
                    });
  }
}

/// The sites where the copies of each pair differ, and how many they are.
void CopyMoves::compare(Scratch& scratch, std::span<std::uint32_t> count) const {
  std::uint64_t* words = scratch.differing.data();
  for (std::size_t i = 0; i < lattice_.words(); ++i, words += block_sites) {
    std::fill_n(words, block_sites, 0);
    for (std::size_t k = 0; k < scratch.pairs.size(); ++k) {
      words[k] = (scratch.pairs[k].a[i] ^ scratch.pairs[k].b[i]) & lattice_.present(i);
      count[k] += static_cast<std::uint32_t>(std::popcount(words[k]));
    }
    kernels_.transpose(words);
  }
}

/// Finds the site of pair k that its word chooses among those that differ, in ascending order.
void CopyMoves::set_seed(std::size_t k, std::uint32_t count, Scratch& scratch) const {
  const Pair& pair = scratch.pairs[k];
  const auto differing = [&](std::size_t i) { return (pair.a[i] ^ pair.b[i]) & lattice_.present(i); };
  auto rank = static_cast<int>(uniform_below(pair.word, count));
  std::size_t i = 0;
  for (int n = 0; (n = std::popcount(differing(i))) <= rank; ++i) rank -= n;
  std::uint64_t sites = differing(i);
  for (; rank > 0; --rank) sites &= sites - 1;
  const std::size_t seed = i * block_sites + static_cast<std::size_t>(std::countr_zero(sites));
  scratch.reached[seed] |= std::uint64_t{1} << k;
  scratch.waiting[seed / static_cast<std::size_t>(lattice_.geometry().L)] = 2;
}

void CopyMoves::swap(const Scratch& scratch) const {
  const auto sites = static_cast<std::size_t>(chain_.lattice.sites());
  std::uint64_t words[block_sites];
  for (std::size_t i = 0; i < lattice_.words(); ++i) {
    const std::size_t first = i * block_sites, n = std::min<std::size_t>(block_sites, sites - first);
    std::fill(std::copy_n(scratch.reached.data() + first, n, words), std::end(words), 0);
    kernels_.transpose(words);
    for (std::size_t k = 0; k < scratch.pairs.size(); ++k) {
      scratch.pairs[k].a[i] ^= words[k];
      scratch.pairs[k].b[i] ^= words[k];
    }
  }
}

}}  // namespace glassworks::cpu
