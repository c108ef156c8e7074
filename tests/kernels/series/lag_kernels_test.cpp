#include "kernels/series/lag_kernels.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "tests/kernels/support.hpp"

/// The loops of every instruction set against plain ones, with the largest numbers that they have room for.
namespace glassworks { namespace {

TEST(LagKernels, CountTheSameBits) {
  test::Source source(3);
  std::vector<std::uint8_t> bytes[4];
  for (auto& b : bytes) {
    for (int i = 0; i < 2200; ++i) b.push_back(static_cast<std::uint8_t>(source.word()));
  }
  const auto bits = [](unsigned byte) { return std::popcount(byte); };
  for (const LagKernels* kernels : available_lag_kernels()) {
    for (std::size_t n = 1; n < 700; n += n < 140 ? 1 : 37) {
      const BitRun run{bytes[0].data(), bytes[1].data() + n % 7, bytes[2].data(), bytes[3].data() + n % 7, n, 702, 3};
      BitCounts wanted;
      std::int64_t different = 0;
      for (int y = 0; y < run.rows; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
          const std::size_t i = static_cast<std::size_t>(y * run.stride) + x;
          const unsigned a = run.a[i], b = run.b[i], mask = run.mask_a[i] & run.mask_b[i];
          different += bits(a ^ b);
          wanted.add({bits(mask), bits((a ^ b) & mask), bits(a & b & mask)});
        }
      }
      EXPECT_EQ(kernels->count_different(run), different) << kernels->name << ' ' << n;
      const BitCounts found = kernels->count_masked(run);
      EXPECT_EQ(found.terms, wanted.terms) << kernels->name << ' ' << n;
      EXPECT_EQ(found.different, wanted.different) << kernels->name << ' ' << n;
      EXPECT_EQ(found.both, wanted.both) << kernels->name << ' ' << n;
    }
  }
}

class LagKernelSums : public ::testing::Test {
 protected:
  static constexpr int copies = 9, width = 96, rows = 5;

  /// Fields of copies and components: random, or all as large as unit vectors along an axis can be.
  void fill(int components, bool largest) {
    test::Source source(5);
    components_ = components;
    const auto size = static_cast<std::size_t>(copies * components * width * rows);
    here_.assign(size, 0);
    there_.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      const int limit = 16385 / components;
      here_[i] = static_cast<std::int16_t>(largest ? (i / (width * rows) % components_ == 0 ? 16384 : 0)
                                                   : source.below(2 * limit) - limit);
      there_[i] = static_cast<std::int16_t>(largest ? here_[i] : source.below(2 * limit) - limit);
    }
  }
  [[nodiscard]] FieldRun run() const {
    return {here_.data(), there_.data(), width * rows, width, width * rows, width, rows, width};
  }
  /// round(a b / 2^15), half up.
  static std::int64_t product(std::int16_t a, std::int16_t b) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(a) * b / 32768.0 + 0.5));
  }
  [[nodiscard]] std::int64_t g(int copy, int site) const {
    std::int64_t sum = 0;
    for (int k = 0; k < components_; ++k) {
      const auto at = static_cast<std::size_t>((copy * components_ + k) * width * rows + site);
      sum += product(here_[at], there_[at]);
    }
    return sum;
  }

  int components_ = 1;
  std::vector<std::int16_t> here_, there_;
};

TEST_F(LagKernelSums, OfPairsHaveRoom) {
  const std::vector<CopyGroup> groups{{0, 3, {1, 2, 3}}, {1, 3, {2, 3, 4}}, {5, 1, {7}},       {2, 3, {6, 7, 8}},
                                      {3, 3, {6, 7, 8}}, {0, 3, {5, 6, 7}}, {4, 2, {5, 8, 0}}, {6, 3, {7, 8, 0}}};
  for (const bool largest : {false, true}) {
    for (const int components : {1, 2, 3, 4, 7}) {
      fill(components, largest);
      std::int64_t wanted = 0;
      for (int site = 0; site < width * rows; ++site) {
        for (const CopyGroup& group : groups) {
          for (int i = 0; i < group.count; ++i) wanted += g(group.copy, site) * g(group.partner[i], site);
        }
      }
      for (const LagKernels* kernels : available_lag_kernels()) {
        EXPECT_EQ(kernels->pair_sum(run(), copies, components, groups), wanted) << kernels->name << ' ' << components;
      }
    }
  }
}

TEST_F(LagKernelSums, OfOneFieldHaveRoom) {
  for (const bool largest : {false, true}) {
    fill(1, largest);
    for (std::int16_t& h : here_) h = static_cast<std::int16_t>(h / 2);
    there_ = here_;
    if (!largest) std::rotate(there_.begin(), there_.begin() + 7, there_.end());
    std::int64_t squares = 0, total = 0;
    for (std::size_t site = 0; site < std::size_t{width * rows}; ++site) {
      squares += std::int64_t{here_[site]} * there_[site];
      total += product(here_[site], there_[site]);
    }
    for (const LagKernels* kernels : available_lag_kernels()) {
      EXPECT_EQ(kernels->product_sum(run()), squares) << kernels->name;
      std::vector<std::int32_t> columns(width, 1);
      std::vector<std::int64_t> sums(rows, 2);
      kernels->plane_sums(run(), columns.data(), sums.data());
      std::int64_t by_rows = -2 * rows, by_columns = -width;
      for (int y = 0; y < rows; ++y) by_rows += sums[static_cast<std::size_t>(y)];
      for (const std::int32_t c : columns) by_columns += c;
      EXPECT_EQ(by_rows, total) << kernels->name;
      EXPECT_EQ(by_columns, total) << kernels->name;
      EXPECT_EQ(columns[3], 1 + product(here_[3], there_[3]) + product(here_[3 + width], there_[3 + width]) +
                                product(here_[3 + 2 * width], there_[3 + 2 * width]) +
                                product(here_[3 + 3 * width], there_[3 + 3 * width]) +
                                product(here_[3 + 4 * width], there_[3 + 4 * width]));
    }
  }
}

}}  // namespace glassworks
