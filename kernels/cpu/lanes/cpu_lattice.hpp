#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/lanes/kernel_table.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cpu {

/// Row tables of a lattice, shared by all realizations of a batch. Its rows come in pairs that share their random
/// words, and have an even length: cubes, and prisms with even lengths along x and y (Need::odd_rows are others).
class CpuLattice {
 public:
  explicit CpuLattice(const Lattice& lattice);

  [[nodiscard]] SweepGeometry geometry(const Disorder& disorder) const;
  /// Rows [first, first + count) of the whole lattice at one parity.
  [[nodiscard]] SweepRegion rows(std::int64_t first, std::int64_t count, int parity) const;
  [[nodiscard]] const Lattice& lattice() const { return lattice_; }

 private:
  Lattice lattice_;
  std::vector<std::int32_t> identity_, neighbour_rows_;
  std::vector<std::uint8_t> row_parity_, no_forward_, no_backward_;
  std::vector<std::uint32_t> first_cell_;
};

/// Tiles of the double-checkerboard schedule, in the order in which they are updated: even tiles, then odd ones.
class CpuTiles {
 public:
  CpuTiles(const Lattice& lattice, int edge);

  [[nodiscard]] std::size_t size() const { return x_begin_.size(); }
  [[nodiscard]] SweepRegion region(std::size_t tile, int parity) const;

 private:
  int edge_, rows_per_tile_ = 0;
  std::vector<std::int32_t> rows_;
  std::vector<int> x_begin_;
};

}}  // namespace glassworks::cpu
