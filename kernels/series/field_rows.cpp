#include "kernels/series/field_rows.hpp"

#include <cstdlib>

namespace glassworks { inline namespace series {
namespace {

std::ptrdiff_t whole_units(std::ptrdiff_t n) { return (n + row_unit - 1) / row_unit * row_unit; }

}  // namespace

// Loops read whole units of `there` from x + r on: a unit is added beyond the last one.
FieldRows::FieldRows(const Lattice& lattice, int fields)
    : lattice_(lattice),
      here_row_(whole_units(lattice.length(0))),
      there_row_(here_row_ + whole_units(lattice.length(0) / 2 + 1)),
      here_field_(here_row_ * lattice.rows()),
      there_field_(there_row_ * lattice.rows()),
      here_(static_cast<std::size_t>(fields * here_field_)),
      there_(static_cast<std::size_t>(fields * there_field_)) {}

void FieldRows::continue_row(int field, std::int64_t row) {
  const std::int16_t* from = this->row(field, row);
  std::int16_t* to = there_.data() + field * there_field_ + row * there_row_;
  const int length = lattice_.length(0);
  std::copy_n(from, length, to);
  if (!lattice_.is_open(0)) {
    for (int x = 0; x < length / 2 + 1; ++x) to[length + x] = from[x % length];
  }
}

FieldRun FieldRows::run(int field, const RowRun& rows, int dx) const {
  const std::int64_t from = dx < 0 ? rows.other : rows.row, to = dx < 0 ? rows.row : rows.other;
  return {here_.data() + field * here_field_ + from * here_row_,
          there_.data() + field * there_field_ + to * there_row_ + std::abs(dx),
          here_field_,
          here_row_,
          there_field_,
          there_row_,
          rows.rows,
          static_cast<int>(here_row_)};
}

FieldRun FieldRows::product(int field, int other, std::int64_t row, int rows) const {
  return {here_.data() + field * here_field_ + row * here_row_,
          here_.data() + other * here_field_ + row * here_row_,
          here_field_,
          here_row_,
          here_field_,
          here_row_,
          rows,
          static_cast<int>(here_row_)};
}

PlaneSums::PlaneSums(const Lattice& lattice)
    : lattice_(lattice),
      sums_(static_cast<std::size_t>(lattice.planes())),
      row_sums_(static_cast<std::size_t>(lattice.rows())),
      columns_(static_cast<std::size_t>(whole_units(lattice.length(0)))) {}

void PlaneSums::add_row(std::int64_t row, std::int64_t sum) {
  for (int axis = 1; axis < lattice_.dim; ++axis) {
    sums_[static_cast<std::size_t>(lattice_.plane(axis, static_cast<int>(row % lattice_.length(axis))))] += sum;
    row /= lattice_.length(axis);
  }
}

const std::vector<std::int64_t>& PlaneSums::of(const FieldRows& fields, int field, int other,
                                               const LagKernels& kernels) {
  constexpr std::int64_t rows_at_once = 1 << 16;  // |p| < 2^14: the columns stay below 2^30
  std::fill(sums_.begin(), sums_.end(), 0);
  std::fill(row_sums_.begin(), row_sums_.end(), 0);
  for (std::int64_t row = 0; row < lattice_.rows(); row += rows_at_once) {
    const auto rows = static_cast<int>(std::min(rows_at_once, lattice_.rows() - row));
    std::fill(columns_.begin(), columns_.end(), 0);
    kernels.plane_sums(fields.product(field, other, row, rows), columns_.data(), row_sums_.data() + row);
    for (int x = 0; x < lattice_.length(0); ++x) {
      sums_[static_cast<std::size_t>(x)] += columns_[static_cast<std::size_t>(x)];
    }
  }
  for (std::int64_t row = 0; row < lattice_.rows(); ++row) add_row(row, row_sums_[static_cast<std::size_t>(row)]);
  return sums_;
}

}}  // namespace glassworks::series
