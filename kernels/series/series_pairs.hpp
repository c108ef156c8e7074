#pragma once

#include <vector>

namespace glassworks { inline namespace series {

/// Two copies, a < b.
struct SeriesPair {
  int a, b;
  bool operator==(const SeriesPair&) const = default;
};

/// Pairs of copies chosen evenly: all are different, and each copy belongs to as many of them as any other where their
/// number is a multiple of that of the copies, otherwise to at most two more. A pure function of its arguments.
///
/// pairs    how many, at most copies (copies - 1)/2; 0: all of up to 16 copies, else 2 copies of them, those at the
///          distances 1 and 2 on a ring
/// returns  of all pairs: (0,1), (0,2), ..., (1,2), ...; otherwise rings of distance 1, 2, ..., the last one in part
[[nodiscard]] std::vector<SeriesPair> series_pairs(int copies, int pairs);

}}  // namespace glassworks::series
