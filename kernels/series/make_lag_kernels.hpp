#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/series/lag_kernels.hpp"

/// LagKernels as templates over the vectors V of an instruction set. V has
///   Short           `width` numbers of 16 bits; load, store, add, rounded_product
///   Int             numbers of 32 bits; zero, multiply_add(Short, Short): sums of two products each, add
///   Long            sums of 64 bits; zero, add(Long, Int), total
///   add_columns     adds numbers of 16 bits to those of 32 bits
///   different, masked  the counts of bits
namespace glassworks { inline namespace series {

namespace {

/// Up to eight bytes as a word, of which those missing are 0.
inline std::uint64_t word_at(const std::uint8_t* p, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, bytes);
  return word;
}

/// Counts of a row from byte `from` on.
inline std::int64_t different_in_rest(const BitRun& run, std::ptrdiff_t row, std::size_t from) {
  std::int64_t count = 0;
  for (; from < run.bytes; from += 8) {
    const std::size_t n = run.bytes - from < 8 ? run.bytes - from : 8;
    count += __builtin_popcountll(word_at(run.a + row + from, n) ^ word_at(run.b + row + from, n));
  }
  return count;
}
inline BitCounts masked_in_rest(const BitRun& run, std::ptrdiff_t row, std::size_t from) {
  BitCounts counts;
  for (; from < run.bytes; from += 8) {
    const std::size_t n = run.bytes - from < 8 ? run.bytes - from : 8;
    const std::uint64_t mask = word_at(run.mask_a + row + from, n) & word_at(run.mask_b + row + from, n);
    const std::uint64_t a = word_at(run.a + row + from, n), b = word_at(run.b + row + from, n);
    counts.terms += __builtin_popcountll(mask);
    counts.different += __builtin_popcountll((a ^ b) & mask);
    counts.both += __builtin_popcountll(a & b & mask);
  }
  return counts;
}

}  // namespace

/// A multiply_add of g and a sum of three others is at most 2 8200 24600 = 4.04e8: five of them have room in 32 bits.
constexpr int pending_groups = 5;
/// One of two fields is at most 2 8200^2 = 1.35e8.
constexpr int pending_products = 15;

template <class V, int fixed_components>
std::int64_t pair_sum_of(const FieldRun& run, int copies, int components, std::span<const CopyGroup> groups) {
  if constexpr (fixed_components > 0) components = fixed_components;
  alignas(64) std::int16_t g[most_lag_copies * V::width];
  typename V::Long total = V::zero_long();
  for (int y = 0; y < run.rows; ++y) {
    for (int x = 0; x < run.width; x += V::width) {
      const std::int16_t* here = run.here + y * run.here_row + x;
      const std::int16_t* there = run.there + y * run.there_row + x;
      for (int copy = 0; copy < copies; ++copy) {
        auto sum = V::rounded_product(V::load(here), V::load(there));
        for (int k = 1; k < components; ++k) {
          sum =
              V::add(sum, V::rounded_product(V::load(here + k * run.here_field), V::load(there + k * run.there_field)));
        }
        V::store(g + copy * V::width, sum);
        here += components * run.here_field;
        there += components * run.there_field;
      }
      typename V::Int part = V::zero_int();
      int pending = 0;
      for (const CopyGroup& group : groups) {
        auto others = V::load(g + group.partner[0] * V::width);
        for (int i = 1; i < group.count; ++i) others = V::add(others, V::load(g + group.partner[i] * V::width));
        part = V::add_int(part, V::multiply_add(V::load(g + group.copy * V::width), others));
        if (++pending < pending_groups) continue;
        total = V::add_long(total, part);
        part = V::zero_int();
        pending = 0;
      }
      if (pending > 0) total = V::add_long(total, part);
    }
  }
  return V::total(total);
}

template <class V>
std::int64_t pair_sum(const FieldRun& run, int copies, int components, std::span<const CopyGroup> groups) {
  switch (components) {
    case 1:
      return pair_sum_of<V, 1>(run, copies, components, groups);
    case 2:
      return pair_sum_of<V, 2>(run, copies, components, groups);
    case 3:
      return pair_sum_of<V, 3>(run, copies, components, groups);
    case 4:
      return pair_sum_of<V, 4>(run, copies, components, groups);
    default:
      return pair_sum_of<V, 0>(run, copies, components, groups);
  }
}

template <class V>
std::int64_t product_sum(const FieldRun& run) {
  typename V::Long total = V::zero_long();
  typename V::Int part = V::zero_int();
  int pending = 0;
  for (int y = 0; y < run.rows; ++y) {
    const std::int16_t* here = run.here + y * run.here_row;
    const std::int16_t* there = run.there + y * run.there_row;
    for (int x = 0; x < run.width; x += V::width) {
      part = V::add_int(part, V::multiply_add(V::load(here + x), V::load(there + x)));
      if (++pending < pending_products) continue;
      total = V::add_long(total, part);
      part = V::zero_int();
      pending = 0;
    }
  }
  return V::total(V::add_long(total, part));
}

template <class V>
void plane_sums(const FieldRun& run, std::int32_t* columns, std::int64_t* row_sums) {
  const auto ones = V::one();
  for (int y = 0; y < run.rows; ++y) {
    typename V::Long sum = V::zero_long();
    for (int x = 0; x < run.width; x += V::width) {
      const auto p =
          V::rounded_product(V::load(run.here + y * run.here_row + x), V::load(run.there + y * run.there_row + x));
      V::add_columns(columns + x, p);
      sum = V::add_long(sum, V::multiply_add(p, ones));
    }
    row_sums[y] += V::total(sum);
  }
}

template <class V>
constexpr LagKernels lag_kernels_of{V::name, V::different, V::masked, pair_sum<V>, product_sum<V>, plane_sums<V>};

}}  // namespace glassworks::series
