#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "engine/graphs/graph_recipe.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

TEST(GraphRecipes, ThatGiveNoGraphAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto recipe = [](MadeGraph kind, int size, double degree = 0, double sigma = 0) {
    return GraphRecipe{.kind = kind, .size = size, .degree = degree, .sigma = sigma, .lengths = {}, .open = {}};
  };
  const auto with_axes = [&](MadeGraph kind, std::vector<int> lengths, std::vector<bool> open = {}) {
    GraphRecipe r = recipe(kind, 4);
    r.lengths = std::move(lengths);
    r.open = std::move(open);
    return r;
  };
  GraphRecipe seven = recipe(MadeGraph::hypercubic, 3), none = seven;
  seven.dim = 7;
  none.dim = 0;
  const std::vector<GraphRecipe> refused = {recipe(MadeGraph::random_regular, 5, 3),
                                            recipe(MadeGraph::random_regular, 4, 4),
                                            recipe(MadeGraph::random_regular, 4, 0),
                                            recipe(MadeGraph::random_regular, 4, 2.5),
                                            recipe(MadeGraph::random_regular, 4, nan),
                                            recipe(MadeGraph::random_regular, 1, 1),
                                            recipe(MadeGraph::random_regular, -4, 2),
                                            recipe(MadeGraph::random_regular, 2000000000, 6),
                                            recipe(MadeGraph::erdos_renyi, 10, 0),
                                            recipe(MadeGraph::erdos_renyi, 10, 9.5),
                                            recipe(MadeGraph::erdos_renyi, 10, nan),
                                            recipe(MadeGraph::power_law, 10, 4, -1),
                                            recipe(MadeGraph::power_law, 10, 4, nan),
                                            recipe(MadeGraph::power_law_complete, 10, 4, 11),
                                            recipe(MadeGraph::complete, 1),
                                            recipe(MadeGraph::complete, 50000),
                                            recipe(MadeGraph::bethe, 4, 1),
                                            recipe(MadeGraph::bethe, 0, 3),
                                            recipe(MadeGraph::bethe, 40, 3),
                                            recipe(MadeGraph::bethe, 2000000000, 3),
                                            recipe(MadeGraph::chimera, 0),
                                            recipe(MadeGraph::chimera, 2000000000),
                                            recipe(MadeGraph::pegasus, 1),
                                            recipe(MadeGraph::pegasus, 2000000000),
                                            recipe(MadeGraph::hypercubic, 2),
                                            recipe(MadeGraph::hypercubic, 2000000000),
                                            recipe(MadeGraph::honeycomb, 1),
                                            recipe(MadeGraph::fcc, 2),
                                            seven,
                                            none,
                                            with_axes(MadeGraph::hypercubic, {4, 4}),
                                            with_axes(MadeGraph::hypercubic, {4, 4, 1}, {false, false, true}),
                                            with_axes(MadeGraph::kagome, {4, 4}, {true}),
                                            with_axes(MadeGraph::complete, {4, 4}),
                                            with_axes(MadeGraph::pegasus, {}, {true})};
  for (const GraphRecipe& r : refused) {
    EXPECT_THAT([&] { return sites_of(r); }, Fails<std::invalid_argument>())
        << static_cast<int>(r.kind) << ' ' << r.size;
    EXPECT_FALSE(problem_of(r).empty());
    EXPECT_THROW(static_cast<void>(bonds_of(r)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(make_graph(r, {}, 0)), std::invalid_argument);
  }
}

}}  // namespace glassworks
