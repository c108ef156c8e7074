#include "kernels/cpu/multispin/copy_words.hpp"

#include <algorithm>

#include "kernels/core/addresses.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cpu {

CopyLattice::CopyLattice(const Lattice& lattice) : lattice_(lattice), blocks_(multispin_blocks(lattice)) {
  const std::int64_t L = lattice.L, rows = lattice.sites() / L;
  for (std::int64_t row = 0; row < rows; ++row) {
    const Lattice::Coordinates c = lattice.coordinates(row * L);
    int sum = 0;
    for (int axis = 1; axis < lattice.dim; ++axis) {
      sum += c[static_cast<std::size_t>(axis)];
      for (const int step : {+1, -1}) {
        row_neighbour_.push_back(static_cast<std::int32_t>(lattice.neighbour(row * L, axis, step) / L));
      }
    }
    row_parity_.push_back(static_cast<std::uint8_t>(sum % 2));
  }
  geometry_ = {lattice.dim, lattice.L, rows, row_neighbour_.data(), row_parity_.data()};
}

CopyWords::CopyWords(const Chain& chain, const Disorder& disorder, std::uint32_t realization,
                     const CopyLattice& lattice, const CopyTable& table)
    : lattice_(&lattice),
      table_(&table),
      realization_(realization),
      modulus_(single_modulus(disorder.couplings).value_or(0.0F)) {
  spins_ = AlignedBuffer<std::uint32_t>(2 * words_of_colour() * static_cast<std::size_t>(chain.slots()));
  const Lattice& all = lattice.lattice();
  const std::int64_t L = all.L;
  const auto dim = static_cast<std::size_t>(all.dim);
  for (std::vector<std::uint8_t>& of_colour : negative_) of_colour.resize(static_cast<std::size_t>(all.sites() / 2));
  for (std::int64_t i = 0; i < all.sites(); ++i) {
    unsigned bits = 0;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const auto back = static_cast<std::size_t>(all.neighbour(i, static_cast<int>(axis), -1));
      if (disorder.couplings[static_cast<std::size_t>(i) * dim + axis] < 0.0F) bits |= 1U << (2 * axis);
      if (disorder.couplings[back * dim + axis] < 0.0F) bits |= 2U << (2 * axis);
    }
    const std::int64_t row = i / L, x = i % L;
    const std::int64_t colour = (x + lattice.geometry().row_parity[row]) & 1;
    negative_[colour][static_cast<std::size_t>(row * (L / 2) + x / 2)] = static_cast<std::uint8_t>(bits);
  }
}

void CopyWords::half_sweep(const Chain& chain, const CopyLevels& levels, int slot, std::uint64_t half,
                           std::int64_t begin, std::int64_t end, std::uint32_t* scratch) {
  constexpr int group = static_cast<int>(CopyAddress::group);
  const int colour = static_cast<int>(half % 2);
  std::uint32_t* const spins = spins_.data() + static_cast<std::size_t>(2 * slot) * words_of_colour();
  CopyHalfSweep job{&lattice_->geometry(),
                    colour,
                    chain.protocol.multispin,
                    &levels,
                    {chain.key.k0, chain.key.k1},
                    (chain.copies + group - 1) / group,
                    {},
                    lattice_->blocks(),
                    negative_[colour].data(),
                    spins + (colour == 0 ? words_of_colour() : 0),
                    spins + (colour == 0 ? 0 : words_of_colour()),
                    begin,
                    end,
                    scratch};
  for (int g = 0; g < job.groups; ++g) {
    job.rest[g][0] = static_cast<std::uint32_t>(half);
    job.rest[g][1] = realization_;
    job.rest[g][2] = counter_word3(Stream::multispin, static_cast<std::uint32_t>(g * chain.slots() + slot), half);
  }
  table_->half_sweep(job);
}

void CopyWords::sweep(const Chain& chain, const CopyLevels& levels, int slot, std::uint64_t sweep,
                      std::uint32_t* scratch, std::int64_t cache) {
  const std::int64_t layer = lattice_->geometry().pairs_of_layer(), layers = lattice_->geometry().pairs() / layer;
  const auto half = [&](int colour, std::int64_t first, std::int64_t count) {
    half_sweep(chain, levels, slot, core::half_sweep(sweep, colour), first * layer, (first + count) * layer, scratch);
  };
  if (static_cast<std::int64_t>(2 * sizeof(std::uint32_t) * words_of_colour()) <= cache / 2) {
    for (const int colour : {0, 1}) half(colour, 0, layers);
    return;
  }
  for (std::int64_t k = 0; k < layers; ++k) {
    half(0, k, 1);
    if (k > 1) half(1, k - 1, 1);
  }
  if (layers > 1) half(1, layers - 1, 1);
  half(1, 0, 1);  // beside the last layer
}

template <class State, class Words, class Visit>
void CopyWords::for_each_row(const CopyWords& self, const Chain& chain, State& state, Words* words,
                             const Visit& visit) {
  const CopyGeometry& g = self.lattice_->geometry();
  const auto sites = static_cast<std::size_t>(self.lattice_->lattice().sites()), L = static_cast<std::size_t>(g.L);
  const auto slots = static_cast<std::size_t>(chain.slots()), of_site = static_cast<std::size_t>(self.table_->words);
  const std::size_t of_colour = self.words_of_colour();
  for (std::size_t row = 0; row < static_cast<std::size_t>(g.rows); ++row) {  // a row of all copies stays in the cache
    for (std::size_t r = 0; r < state.slot.size(); ++r) {
      const std::size_t copy = r / slots;
      Words* const even = words + 2 * state.slot[r] * of_colour + row * (L / 2) * of_site + copy / 32;
      visit(state.states.data() + r * sites + row * L, even, even + of_colour, g.row_parity[row], copy % 32);
    }
  }
}

void CopyWords::load(const Chain& chain, const ChainState& state) {
  const auto L = static_cast<std::size_t>(lattice_->geometry().L), of_site = static_cast<std::size_t>(table_->words);
  std::fill_n(spins_.data(), spins_.size(), 0U);
  for_each_row(
      *this, chain, state, spins_.data(),
      [&](const std::uint8_t* byte, std::uint32_t* even, std::uint32_t* odd, unsigned parity, std::size_t bit) {
        if (parity != 0) std::swap(even, odd);
        for (std::size_t x = 0; x < L; x += 2) {
          even[x / 2 * of_site] |= std::uint32_t{byte[x] == 0} << bit;
          odd[x / 2 * of_site] |= std::uint32_t{byte[x + 1] == 0} << bit;
        }
      });
}

void CopyWords::store(const Chain& chain, ChainState& state) const {
  const auto L = static_cast<std::size_t>(lattice_->geometry().L), of_site = static_cast<std::size_t>(table_->words);
  state.states.resize(static_cast<std::size_t>(chain.replicas()) * static_cast<std::size_t>(chain.lattice.sites()));
  for_each_row(
      *this, chain, state, spins_.data(),
      [&](std::uint8_t* byte, const std::uint32_t* even, const std::uint32_t* odd, unsigned parity, std::size_t bit) {
        if (parity != 0) std::swap(even, odd);
        for (std::size_t x = 0; x < L; x += 2) {
          byte[x] = static_cast<std::uint8_t>(~(even[x / 2 * of_site] >> bit) & 1U);
          byte[x + 1] = static_cast<std::uint8_t>(~(odd[x / 2 * of_site] >> bit) & 1U);
        }
      });
}

AlignedBuffer<std::uint32_t> CopyWords::copy_of_spins() const {
  AlignedBuffer<std::uint32_t> copy(spins_.size());
  std::copy_n(spins_.data(), spins_.size(), copy.data());
  return copy;
}

const CopyTable* copy_tables_of(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return avx512_copies();
  if (isa == InstructionSet::avx2) return avx2_copies();
#endif
  (void)isa;
  return portable_copies();
}

const CopyTable& copy_table_for(InstructionSet isa, int copies) {
  return copy_tables_of(isa)[copies <= 128 ? 0 : copies <= 256 ? 1 : 2];
}

}}  // namespace glassworks::cpu
