#include "kernels/cpu/pairs/spin_bits.hpp"

#include <bit>
#include <cstring>

#include "kernels/cpu/pairs/site_bits.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// Whether each of 8 states is 0, as bits.
std::uint64_t zeros(const std::uint8_t* states) {
  std::uint64_t bytes;
  std::memcpy(&bytes, states, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return ((~bytes & 0x0101010101010101U) * 0x0102040810204080U) >> 56;
}

}  // namespace

SpinBits::SpinBits(const Chain& chain, const Disorder& disorder, InstructionSet isa)
    : kernels_(pairs_of(isa)),
      dim_(chain.lattice.dim),
      L_(chain.lattice.length(0)),
      rows_(chain.lattice.rows()),
      words_(words_of_sites(chain.lattice)),
      sites_of_plane_(static_cast<std::size_t>(chain.lattice.planes())),
      present_(present_sites(chain.lattice, disorder)),
      bits_(static_cast<std::size_t>(chain.replicas()) * words_) {
  find_planes(chain.lattice);
  if (chain.copies > 1) find_bonds(chain.lattice, disorder);
}

void SpinBits::read_states(int replica, const std::uint8_t* states, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    std::uint64_t word = 0;
    for (int k = 0; k < block_sites; k += 8) word |= zeros(states + i * block_sites + k) << k;
    bits(replica)[i] = word;
  }
}

double SpinBits::site_bytes(const Chain& chain) {
  const Lattice& lattice = chain.lattice;
  const double of_rows = 4.0 * (lattice.dim - 1) / lattice.length(0);
  return (chain.replicas() + 2.0 * lattice.dim + 1.0) / 8.0 + of_rows;
}

void SpinBits::find_planes(const Lattice& lattice) {
  for (std::int64_t row = 0; row < rows_; ++row) {
    const Lattice::Coordinates c = lattice.coordinates(row * L_);
    for (int axis = 1; axis < dim_; ++axis) {
      row_planes_.push_back(lattice.plane(axis, c[static_cast<std::size_t>(axis)]));
    }
  }
  std::vector<std::uint64_t> sites = present_;
  if (sites.empty()) sites.assign(words_, ~std::uint64_t{0});
  sites.push_back(0);
  kernels_.count_planes(geometry(), sites.data(), sites_of_plane_.data());
}

/// Two shifts an axis: to the next site, and from the first one to the last one, which owns that bond; whose it is does
/// not matter.
void SpinBits::find_bonds(const Lattice& lattice, const Disorder& disorder) {
  owners_.resize(2 * static_cast<std::size_t>(dim_) * words_);
  std::int64_t step = 1;
  std::uint64_t* owners = owners_.data();
  for (int axis = 0; axis < dim_; ++axis, owners += 2 * words_) {
    const int length = lattice.length(axis);
    const std::int64_t around = (length - 1) * step, next_step = length * step;
    const auto join = [&](std::uint64_t* of, std::int64_t i, std::int64_t distance) {
      if (disorder.is_absent(i) || disorder.is_absent(i + distance)) return;
      of[i / block_sites] |= std::uint64_t{1} << (i % block_sites);
      ++bonds_;
    };
    for (std::int64_t first = 0; first < lattice.sites(); first += next_step) {
      for (std::int64_t i = first; i < first + around; ++i) join(owners, i, step);
      for (std::int64_t i = first; i < first + step && !lattice.is_open(axis); ++i) join(owners + words_, i, around);
    }
    const auto words = [&](std::int64_t distance) {
      return (lattice.sites() - distance + block_sites - 1) / block_sites;
    };
    shifts_.push_back({step, words(step), owners});
    if (!lattice.is_open(axis)) shifts_.push_back({around, words(around), owners + words_});
    step = next_step;
  }
}

CountGeometry SpinBits::geometry() const {
  return {dim_, L_, rows_, row_planes_.data(), static_cast<int>(shifts_.size()), shifts_.data()};
}

void SpinBits::add_planes(const std::uint64_t* field, std::vector<std::int64_t>& planes) const {
  std::vector<std::int64_t> count(planes.size());
  kernels_.count_planes(geometry(), field, count.data());
  for (std::size_t k = 0; k < planes.size(); ++k) planes[k] += sites_of_plane_[k] - 2 * count[k];
}

void SpinBits::add_sites(int replica, SiteSums& sums) const {
  std::vector<std::uint64_t> field(bits(replica), bits(replica) + words_);
  for (std::size_t i = 0; i < present_.size(); ++i) field[i] &= present_[i];
  field.push_back(0);
  add_planes(field.data(), sums.planes);
}

void SpinBits::add_overlap(int a, int b, OverlapSums& sums) const {
  std::vector<std::uint64_t> field(words_ + 1);
  for (std::size_t i = 0; i < words_; ++i) field[i] = bits(a)[i] ^ bits(b)[i];
  for (std::size_t i = 0; i < present_.size(); ++i) field[i] &= present_[i];
  add_planes(field.data(), sums.planes);
  sums.link += bonds_ - 2 * kernels_.count_bonds(geometry(), field.data());
}

AddOverlap SpinBits::overlaps() const {
  return [this](std::size_t a, std::size_t b, OverlapSums& sums) {
    add_overlap(static_cast<int>(a), static_cast<int>(b), sums);
  };
}

}}  // namespace glassworks::cpu
