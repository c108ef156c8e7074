#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/core/host_device.hpp"

/// The loops of a series, one translation unit for each instruction set. All sums are integers, the same by any of
/// them.
namespace glassworks { inline namespace series {

/// Sums over pairs of bits a, b that both have a mask of 1.
struct BitCounts {
  std::int64_t terms = 0;      ///< masks
  std::int64_t different = 0;  ///< a != b
  std::int64_t both = 0;       ///< a and b

  void add(const BitCounts& other) {
    terms += other.terms;
    different += other.different;
    both += other.both;
  }
};

/// Rows of bytes a, b and, of fields that are not everywhere, of their masks; all rows are `stride` bytes apart.
struct BitRun {
  const std::uint8_t* a;
  const std::uint8_t* b;
  const std::uint8_t* mask_a;
  const std::uint8_t* mask_b;
  std::size_t bytes;
  std::ptrdiff_t stride;
  int rows;
};

/// Numbers of 16 bits are fractions of 2^14 or 2^13. Their product (a b + 2^14) >> 15 is one again: 2^14 times 2^14
/// gives 2^13.
[[nodiscard]] GLASSWORKS_HD constexpr std::int32_t rounded_product(std::int16_t a, std::int16_t b) {
  return (std::int32_t{a} * b + 0x4000) >> 15;
}
constexpr int spin_exponent = 14, product_exponent = 13;

/// Rows of two sets of fields. Field f of row y begins at here + f here_field + y here_row; rows of `here` are 0 from
/// the last site up to a multiple of row_unit, over which loops run.
struct FieldRun {
  const std::int16_t* here;
  const std::int16_t* there;
  std::ptrdiff_t here_field, here_row, there_field, there_row;
  int rows, width;
};
constexpr int row_unit = 32;

/// A copy and up to three others with which it makes pairs.
struct CopyGroup {
  static constexpr int most = 3;
  int copy = 0, count = 0, partner[most] = {};
};

/// Room for what pair_sum keeps of a vector of sites: one number for each of these copies.
constexpr int most_lag_copies = 1024;

struct LagKernels {
  const char* name;
  /// Number of bits that differ.
  std::int64_t (*count_different)(const BitRun& run);
  BitCounts (*count_masked)(const BitRun& run);
  /// sum over sites and pairs (a, b) of g_a g_b, g_a = sum over components k of rounded_product(here, there) of field
  /// a components + k. |g| <= 8200.
  std::int64_t (*pair_sum)(const FieldRun& run, int copies, int components, std::span<const CopyGroup> groups);
  /// sum over sites of here there, of one field with |f| <= 8200.
  std::int64_t (*product_sum)(const FieldRun& run);
  /// Adds p = rounded_product(here, there) of one field to columns [width] and row_sums [rows].
  void (*plane_sums)(const FieldRun& run, std::int32_t* columns, std::int64_t* row_sums);
};

/// Those that this processor can run, best last.
[[nodiscard]] std::span<const LagKernels* const> available_lag_kernels();

[[nodiscard]] const LagKernels& portable_lag_kernels();
[[nodiscard]] const LagKernels& avx2_lag_kernels();
[[nodiscard]] const LagKernels& avx512_lag_kernels();

}}  // namespace glassworks::series
