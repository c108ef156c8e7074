#pragma once

namespace glassworks { inline namespace cpu {

/// Runs `stages` half-sweeps over a ring of `slices` lattice slices, up to `depth` of them interleaved as a wavefront,
/// so that a slice stays in cache for several half-sweeps. visit(stage, slice) is called so that stage j of a slice
/// comes after stage j - 1 of the slice and its two neighbours, and before stage j + 1 of the neighbours: the result is
/// the same as one stage after the other.
///
/// In a group of d stages, stage j first covers slices j .. slices-1-j behind the front, then the rest at the seam.
/// Requires depth <= slices / 2.
template <class Visit>
void run_wavefront(int stages, int slices, int depth, Visit visit) {
  for (int first = 0; first < stages; first += depth) {
    const int count = stages - first < depth ? stages - first : depth;
    for (int front = 0; front < slices; ++front) {
      for (int j = 0; j < count && front - j >= j; ++j) visit(first + j, front - j);
    }
    for (int j = 1; j < count; ++j) {
      for (int k = 0; k < 2 * j; ++k) visit(first + j, (slices - j + k) % slices);
    }
  }
}

}}  // namespace glassworks::cpu
