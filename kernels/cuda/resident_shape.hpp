#pragma once

#include "kernels/host_device.hpp"

namespace glassworks {

/// Layout of the resident kernel. A work item is replica index k of `copies` (1 or 2) copies of a realization: it lives
/// in the shared memory of one thread block or, in slabs along z, of a cluster of `blocks` thread blocks. A thread
/// holds a column block of 2 x 2 x `depth` sites of all these copies, and its couplings once, in registers; shared
/// memory shows the spins to the neighbours.
///
/// Shared memory of a slab, in packs of one float per copy: [component][chunk][z in chunk][q][column], with chunk =
/// `depth` planes, q = 2 (y mod 2) + (x mod 2), column = x/2 + L/2 (y/2).
template <int L_, int blocks_, int depth_, int copies_, int registers_>
struct ResidentShape {
  static constexpr int L = L_, blocks = blocks_, depth = depth_, copies = copies_, registers = registers_;
  static constexpr int half = L / 2;
  static constexpr int columns = half * half;
  static constexpr int planes = L / blocks;      ///< of a slab
  static constexpr int chunks = planes / depth;  ///< of a slab
  static constexpr int threads_per_item = columns * chunks;
  /// Small lattices: several items share a warp.
  static constexpr int items = threads_per_item <= 16 ? 32 / threads_per_item : 1;
  static constexpr int threads = (threads_per_item * items + 31) / 32 * 32;

  /// A chunk stride equal to the number of columns, modulo the number of threads whose accesses are served together,
  /// spreads them over all banks.
  static constexpr int together = 32 / copies;
  static constexpr int padding = chunks > 1 ? ((columns - depth * 4 * columns) % together + together) % together : 0;
  static constexpr int chunk_stride = depth * 4 * columns + padding;
  static constexpr int component_stride = chunks * chunk_stride;
  static constexpr int item_packs = 3 * component_stride;

  // Where the next item's spins and couplings come in, in the order of device memory, of a slab.
  static constexpr int slab_sites = planes * L * L;
  static constexpr int incoming_spins = 3 * slab_sites;              ///< floats of one copy
  static constexpr int incoming_couplings = 3 * slab_sites + L * L;  ///< the last plane: bonds from the slab below
  static constexpr int incoming = copies * incoming_spins + incoming_couplings;

  static constexpr int spin_bytes = (item_packs * items * copies * 4 + 15) / 16 * 16;
  static constexpr int shared_bytes = spin_bytes + items * incoming * 4;

  /// So many blocks shall fit on a multiprocessor; the compiler keeps the registers of a thread below what that leaves.
  static constexpr int blocks_per_multiprocessor = 65536 / (registers * threads) > 0 ? 65536 / (registers * threads)
                                                                                     : 1;

  static_assert(L % 2 == 0 && L % blocks == 0 && planes % depth == 0 && depth % 2 == 0);
};

}  // namespace glassworks
