#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/series/lag_directions.hpp"
#include "kernels/series/lag_kernels.hpp"
#include "kernels/series/line_buffer.hpp"

namespace glassworks { inline namespace series {

/// Fields of 16-bit numbers in rows, each field twice: `here` as it is, and `there` continued by half a row around a
/// periodic axis x, so that there(x + r) stands r places on. Past an open end there is 0. The absent are 0 too.
class FieldRows {
 public:
  FieldRows(const Lattice& lattice, int fields);

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  /// Row of a field, to be written [x].
  [[nodiscard]] std::int16_t* row(int field, std::int64_t row) {
    return here_.data() + field * here_field_ + row * here_row_;
  }
  [[nodiscard]] const std::int16_t* row(int field, std::int64_t row) const {
    return here_.data() + field * here_field_ + row * here_row_;
  }
  /// After rows of a field have been written.
  void continue_row(int field, std::int64_t row);

  /// Of the fields from `field` on, between rows that a displacement along x by dx joins.
  [[nodiscard]] FieldRun run(int field, const RowRun& rows, int dx) const;
  /// The same of fields in one place.
  [[nodiscard]] FieldRun product(int field, int other, std::int64_t row, int rows) const;

 private:
  Lattice lattice_;
  std::ptrdiff_t here_row_, there_row_, here_field_, there_field_;
  LineBuffer<std::int16_t> here_, there_;
};

/// Plane sums of products of fields, with room for the work.
class PlaneSums {
 public:
  explicit PlaneSums(const Lattice& lattice);
  /// Sums of rounded_product(field, other) over the planes of equal coordinate [Lattice::plane].
  const std::vector<std::int64_t>& of(const FieldRows& fields, int field, int other, const LagKernels& kernels);
  /// The same of any field given by rows: row(r)[x].
  template <class Row>
  const std::vector<std::int64_t>& of_rows(const Row& row);

 private:
  void add_row(std::int64_t row, std::int64_t sum);

  Lattice lattice_;
  std::vector<std::int64_t> sums_, row_sums_;
  std::vector<std::int32_t> columns_;
};

template <class Row>
const std::vector<std::int64_t>& PlaneSums::of_rows(const Row& row) {
  std::fill(sums_.begin(), sums_.end(), 0);
  for (std::int64_t r = 0; r < lattice_.rows(); ++r) {
    const auto* f = row(r);
    std::int64_t sum = 0;
    for (int x = 0; x < lattice_.length(0); ++x) {
      sum += f[x];
      sums_[static_cast<std::size_t>(x)] += f[x];
    }
    add_row(r, sum);
  }
  return sums_;
}

}}  // namespace glassworks::series
