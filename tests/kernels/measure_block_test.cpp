#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <vector>

#include "tests/kernels/measure_block_batch.hpp"

/// The steps of the CUDA measurement, run by the host one thread after the other, against Measurement: every bit.
namespace glassworks { namespace {

using test::measure_block::Case;
using test::measure_block::measure_fixed;
using test::measure_block::measure_general;
using test::measure_block::MeasuredBatch;
using test::measure_block::Order;
using test::measure_block::Planes;

void give_the_bits_of_measurement(const Case& c) {
  MeasuredBatch measured(c);
  constexpr decltype(&measure_general<1>) general[] = {measure_general<1>, measure_general<2>, measure_general<3>,
                                                       measure_general<4>};
  (c.fixed ? measure_fixed : general[c.dim - 1])(c, measured);
  measured.take_sample();
  measured.expect_measured();
}

/// With open ends along one axis, all but one, and all.
void add_open(int dim, int L, std::vector<Case>& all) {
  const unsigned every = (1U << static_cast<unsigned>(dim)) - 1, last = 1U << static_cast<unsigned>(dim - 1);
  std::set<unsigned> masks = {1U, last, every - 1, every};
  masks.erase(0U);
  const bool large = Lattice{dim, L}.sites() > 2000;
  for (const unsigned open : masks) {
    all.push_back({dim, L, 2, 0.0, false, 1, Planes::where_they_fit, dim == 3 ? Order::split : Order::natural, open});
    if (dim == 3) all.push_back({dim, L, 2, 0.0, false, 1, Planes::where_they_fit, Order::paired, open});
    if (large && open != every) continue;
    all.push_back({dim, L, 4, 0.6, false, 1, Planes::where_they_fit, Order::natural, open});
    all.push_back({dim, L, 2, 0.6, false, 2, Planes::in_device_memory, Order::natural, open});
  }
}

std::vector<Case> cases_of(int dim, int L) {
  std::vector<Case> all;
  const bool large = Lattice{dim, L}.sites() > 2000;
  for (const int copies : {2, 4}) {
    for (const double field : {0.0, 0.6}) {
      if (large && (copies == 4) != (field > 0.0)) continue;
      for (const int blocks : {1, 3}) {
        if (blocks > MeasureTiling({dim, L}).passes) continue;
        for (const Order order : {Order::natural, Order::split, Order::paired}) {
          if (order != Order::natural && dim != 3) continue;
          all.push_back({dim, L, copies, field, false, blocks, Planes::where_they_fit, order});
          if (dim == 3 && L >= 4) all.push_back({dim, L, copies, field, true, blocks, Planes::where_they_fit, order});
        }
      }
    }
  }
  all.push_back({dim, L, 4, 0.6, false, 2, Planes::in_device_memory});
  add_open(dim, L, all);
  return all;
}

struct Size {
  int dim, L;
};

void PrintTo(const Size& size, std::ostream* out) { *out << "d " << size.dim << ", L " << size.L; }

class MeasureBlock : public ::testing::TestWithParam<Size> {};

/// Those that take longest, with LONGEST, or the others.
void give_the_bits_of_measurement(const Size& size, bool longest) {
  int count = 0;
  for (const Case& c : cases_of(size.dim, size.L)) {
    if ((c.copies == 4 && Lattice{c.dim, c.L}.sites() > 5000) != longest) continue;
    SCOPED_TRACE(::testing::PrintToString(c));
    give_the_bits_of_measurement(c);
    ++count;
  }
  EXPECT_GT(count, 0);
}

TEST_P(MeasureBlock, GivesTheBitsOfMeasurement) { give_the_bits_of_measurement(GetParam(), false); }

std::vector<Size> sizes() {
  const std::vector<std::vector<int>> edges = {
      {2, 8, 520, 1026}, {2, 6, 8, 24, 66}, {2, 4, 6, 8, 10, 12, 16, 20, 24}, {2, 4, 6}};
  std::vector<Size> all;
  for (int dim = 1; dim <= 4; ++dim) {
    for (const int L : edges[static_cast<std::size_t>(dim - 1)]) all.push_back({dim, L});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Sizes, MeasureBlock, ::testing::ValuesIn(sizes()));

class SlowMeasureBlock : public MeasureBlock {};

TEST_P(SlowMeasureBlock, GivesTheBitsOfMeasurement) { give_the_bits_of_measurement(GetParam(), true); }

std::vector<Size> long_sizes() {
  std::vector<Size> some = sizes();
  std::erase_if(some, [](const Size& size) { return Lattice{size.dim, size.L}.sites() <= 5000; });
  return some;
}
INSTANTIATE_TEST_SUITE_P(Sizes, SlowMeasureBlock, ::testing::ValuesIn(long_sizes()));

}}  // namespace glassworks
