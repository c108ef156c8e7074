#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/multispin/copy_table.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cpu {

/// Rows of a lattice with their neighbours, for all realizations.
class CopyLattice {
 public:
  explicit CopyLattice(const Lattice& lattice);
  CopyLattice(const CopyLattice&) = delete;
  CopyLattice& operator=(const CopyLattice&) = delete;

  [[nodiscard]] const CopyGeometry& geometry() const { return geometry_; }
  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }

 private:
  Lattice lattice_;
  std::vector<std::int32_t> row_neighbour_;
  std::vector<std::uint8_t> row_parity_;
  CopyGeometry geometry_;
  std::uint32_t blocks_;
};

/// Spins and couplings of a realization whose copies are lanes.
class CopyWords {
 public:
  /// table: one that has a bit for every copy
  CopyWords(const Chain& chain, const Disorder& disorder, std::uint32_t realization, const CopyLattice& lattice,
            const CopyTable& table);

  /// Half-sweep number `half` (half_sweep) of a slot, at pairs begin .. end - 1.
  void half_sweep(const Chain& chain, const CopyLevels& levels, int slot, std::uint64_t half, std::int64_t begin,
                  std::int64_t end, std::uint32_t* scratch);
  /// Both colours of a sweep of a slot. A lattice too large for the cache [bytes] passes through it once: the odd sites
  /// of a layer follow the even ones of the next.
  void sweep(const Chain& chain, const CopyLevels& levels, int slot, std::uint64_t sweep, std::uint32_t* scratch,
             std::int64_t cache = second_level_cache_bytes());

  /// Spins of all replicas, by copy and slot.
  void load(const Chain& chain, const ChainState& state);
  void store(const Chain& chain, ChainState& state) const;

  [[nodiscard]] std::int64_t scratch_words() const { return table_->scratch_words(lattice_->geometry().L); }
  /// The spins as they are, to be put back if a round is abandoned.
  [[nodiscard]] AlignedBuffer<std::uint32_t> copy_of_spins() const;
  void swap_spins(AlignedBuffer<std::uint32_t>& other) { std::swap(spins_, other); }
  [[nodiscard]] float modulus() const { return modulus_; }

 private:
  /// visit(bytes of a row of a replica, words of its even sites, words of its odd sites, parity, bit) for all rows.
  template <class State, class Words, class Visit>
  static void for_each_row(const CopyWords& self, const Chain& chain, State& state, Words* words, const Visit& visit);
  [[nodiscard]] std::size_t words_of_colour() const {
    return static_cast<std::size_t>(lattice_->lattice().sites() / 2) * static_cast<std::size_t>(table_->words) +
           copy_gap;
  }

  const CopyLattice* lattice_;
  const CopyTable* table_;
  std::uint32_t realization_;
  float modulus_;
  AlignedBuffer<std::uint32_t> spins_;     ///< [slot][colour][row][x / 2][word]
  std::vector<std::uint8_t> negative_[2];  ///< CopyHalfSweep::negative [colour]
};

/// The table with the fewest words that have a bit for each copy.
[[nodiscard]] const CopyTable& copy_table_for(InstructionSet isa, int copies);

}}  // namespace glassworks::cpu
