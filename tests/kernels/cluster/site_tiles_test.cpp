#include "kernels/cuda/cluster/round/site_tiles.hpp"

#include <gtest/gtest.h>

#include <vector>

/// The tiles that sums over clusters go through must hold every site of a lattice once.
namespace glassworks { namespace {

template <int dim>
void expect_every_site_once(int L, std::uint32_t wanted) {
  const Lattice lattice{dim, L};
  const SiteTiles tiles(lattice, wanted);
  ASSERT_LE(tiles.sites, wanted) << "d " << dim << ", L " << L;
  std::vector<int> met(static_cast<std::size_t>(lattice.sites()), 0);
  for (std::uint32_t tile = 0; tile < tiles.all; ++tile) {
    for (std::uint32_t t = 0; t < tiles.sites + 40; ++t) {
      const SiteTiles::Place place = tiles.place<dim>(tile, t);
      if (!place.inside) continue;
      ASSERT_LT(t, tiles.sites);
      const auto c = lattice.coordinates(place.site);
      for (int axis = 0; axis < dim; ++axis) {
        ASSERT_EQ(static_cast<int>(place.c[axis]), c[static_cast<std::size_t>(axis)]) << "d " << dim << ", L " << L;
      }
      EXPECT_EQ(place.begins_row, t % tiles.edge[0] == 0);
      ++met[place.site];
    }
  }
  for (const int times : met) ASSERT_EQ(times, 1) << "d " << dim << ", L " << L;
}

TEST(SiteTiles, EverySiteOnce) {
  for (const std::uint32_t wanted : {2048U, 4096U}) {
    for (const int L : {2, 4, 6, 30, 32, 34, 66, 100, 4098, 9000}) expect_every_site_once<1>(L, wanted);
    for (const int L : {2, 4, 6, 30, 32, 34, 66, 100, 130, 258}) expect_every_site_once<2>(L, wanted);
    for (const int L : {2, 4, 6, 14, 18, 32, 34, 50, 66}) expect_every_site_once<3>(L, wanted);
    for (const int L : {2, 4, 6, 8, 10, 12, 14, 28, 34}) expect_every_site_once<4>(L, wanted);
  }
}

}}  // namespace glassworks
