#include "kernels/series/lane_fields.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/core/bit_transpose.hpp"

namespace glassworks { inline namespace series {

LaneFields::LaneFields(const Lattice& lattice, int fields, bool masked)
    : lattice_(lattice),
      fields_(fields),
      words_(BitShape(lattice).words),
      bytes_(static_cast<std::ptrdiff_t>(std::bit_ceil(static_cast<unsigned>((fields + 7) / 8)))),
      bits_(static_cast<std::size_t>(lattice.sites() * bytes_)),
      mask_(masked ? bits_.size() : 0) {}

void LaneFields::put(std::uint64_t* words, int sites, std::uint8_t* to) const {
  transpose_bits(words);
  for (int x = 0; x < sites; ++x, to += bytes_) {
    std::uint64_t lanes = words[x];
    if constexpr (std::endian::native == std::endian::big) lanes = __builtin_bswap64(lanes);
    std::memcpy(to, &lanes, static_cast<std::size_t>(bytes_));
  }
}

BitCounts LaneFields::sum(const Displacement& d, const RowBlock& block, const LagKernels& kernels) const {
  const int length = lattice_.length(0), dx = d[0];
  BitCounts counts;
  const auto add = [&](const RowRun& run, int from, int to, int shift) {
    if (from >= to) return;
    const std::ptrdiff_t a = (run.row * length + from) * bytes_, b = (run.other * length + from + shift) * bytes_;
    BitRun bits{bits_.data() + a, bits_.data() + b, nullptr, nullptr, static_cast<std::size_t>((to - from) * bytes_),
                length * bytes_,  run.rows};
    if (to - from == length) {  // the rows follow each other
      bits.bytes *= static_cast<std::size_t>(run.rows);
      bits.rows = 1;
    }
    if (mask_.empty()) {
      counts.terms += std::int64_t{run.rows} * (to - from) * fields_;
      counts.different += kernels.count_different(bits);
    } else {
      bits.mask_a = mask_.data() + a;
      bits.mask_b = mask_.data() + b;
      counts.add(kernels.count_masked(bits));
    }
  };
  for_row_runs(lattice_, d, block, [&](const RowRun& run) {
    add(run, std::max(0, -dx), std::min(length, length - dx), dx);
    if (lattice_.is_open(0) || dx == 0) return;
    if (dx > 0) {
      add(run, length - dx, length, dx - length);
    } else {
      add(run, 0, -dx, dx + length);
    }
  });
  return counts;
}

}}  // namespace glassworks::series
