#include "kernels/series/series_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace glassworks { inline namespace series {
namespace {

constexpr int most_copies_of_all_pairs = 16;

SeriesPair ordered_pair(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// The pairs (x, x + distance) of a ring, so that those at the beginning meet each copy once before any twice. A ring
/// of distance d is gcd(n, d) cycles; along each the pairs 0, 2, 4, ... are disjoint, and so are 1, 3, 5, ... .
void add_ring(int copies, int distance, std::vector<SeriesPair>& pairs) {
  if (2 * distance == copies) {
    for (int x = 0; x < distance; ++x) pairs.push_back({x, x + distance});
    return;
  }
  const int cycles = std::gcd(copies, distance), length = copies / cycles;
  const auto add = [&](int cycle, int place) {
    const int x = (cycle + place * distance) % copies;
    pairs.push_back(ordered_pair(x, (x + distance) % copies));
  };
  for (int place = 0; place + 1 < length; place += 2) {
    for (int cycle = 0; cycle < cycles; ++cycle) add(cycle, place);
  }
  // With cycles of odd length, one copy of each has been met by no pair: the pairs that meet it come next.
  for (int cycle = 0; length % 2 == 1 && cycle < cycles; ++cycle) add(cycle, length - 1);
  for (int place = 1; place < length; place += 2) {
    for (int cycle = 0; cycle < cycles; ++cycle) add(cycle, place);
  }
}

}  // namespace

std::vector<SeriesPair> series_pairs(int copies, int pairs) {
  const int all = copies * (copies - 1) / 2;
  if (pairs <= 0) pairs = copies <= most_copies_of_all_pairs ? all : 2 * copies;
  std::vector<SeriesPair> chosen;
  if (pairs >= all) {
    for (int a = 0; a < copies; ++a) {
      for (int b = a + 1; b < copies; ++b) chosen.push_back({a, b});
    }
    return chosen;
  }
  for (int distance = 1; static_cast<int>(chosen.size()) < pairs; ++distance) add_ring(copies, distance, chosen);
  chosen.resize(static_cast<std::size_t>(pairs));
  return chosen;
}

}}  // namespace glassworks::series
