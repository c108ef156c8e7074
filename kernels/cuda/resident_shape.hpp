#pragma once

#include "kernels/core/host_device.hpp"
#include "kernels/cuda/spin_order.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// Couplings of a thread: three along x and y for each pair of its sites, four along z for each plane and below.
[[nodiscard]] GLASSWORKS_HD constexpr int couplings_of_thread(int depth) { return 16 * depth + 4; }

struct DutiesBetweenSweeps {
  static constexpr bool own_warp = false;
};
struct DutiesInWarp {
  static constexpr bool own_warp = true;
};

/// Layout of the resident kernel. A work item is one replica: it lives in the shared memory of one thread block or, in
/// slabs along z, of a cluster of `blocks` thread blocks. A thread holds a column block of 2 x 2 x `depth` sites and
/// its couplings in registers; shared memory shows the spins to the neighbours.
///
/// Shared memory of a slab: [group][chunk][z in chunk][q][column][component of the group], with chunk = `depth` planes,
/// q = 2 (y mod 2) + (x mod 2), column = x/2 + L/2 (y/2); a group is a component, or two of them (SpinLayout::paired):
/// fewer accesses. Device memory holds replicas in the same order without padding (split planes,
/// resident_order.hpp), so that a chunk of a group is one contiguous piece of both.
///
/// registers  of a thread that sweeps
/// Duties     what reports, exchanges and copies: two of the sweeping warps between sweeps, or a warp of its own
template <int L_, int blocks_, int depth_, int registers_, class Chain_ = HeisenbergChain,
          class Duties = DutiesBetweenSweeps>
struct ResidentShape {
  using Chain = Chain_;
  static constexpr int components = Chain::value.components;
  static constexpr int L = L_, blocks = blocks_, depth = depth_, registers = registers_;
  static constexpr int half = L / 2;
  static constexpr int columns = half * half;
  static constexpr int planes = L / blocks;      ///< of a slab
  static constexpr int chunks = planes / depth;  ///< of a slab
  static constexpr int threads_per_item = columns * chunks;
  static constexpr int couplings = couplings_of_thread(depth);
  /// At depth 4 pairs gain nothing, because registers are short.
  static constexpr SpinLayout layout = components > 1 && depth == 2 ? SpinLayout::paired : SpinLayout::planar;
  static constexpr int groups = layout == SpinLayout::paired ? (components + 1) / 2 : components;
  /// Components of a group.
  [[nodiscard]] static GLASSWORKS_HD constexpr int width(int group) {
    return layout == SpinLayout::paired && 2 * group + 1 < components ? 2 : 1;
  }
  /// Components of the groups before a group.
  [[nodiscard]] static GLASSWORKS_HD constexpr int first_component(int group) {
    return layout == SpinLayout::paired ? 2 * group : group;
  }
  /// Small lattices: several items share a warp.
  static constexpr int items = threads_per_item <= 16 ? 32 / threads_per_item : 1;
  static constexpr int threads = (threads_per_item * items + 31) / 32 * 32;

  /// A chunk stride equal to the number of columns modulo 32 spreads the chunks over all banks; it is rounded to 16
  /// bytes, which copies need. Where chunks are long, few warps reach from one into the next.
  static constexpr int chunk_floats = depth * 4 * columns;
  static constexpr int padding = chunks > 1 && columns < 128 ? (((columns + 3) / 4 * 4 - chunk_floats) % 32 + 32) % 32
                                                             : 0;
  /// Contiguous pieces of a slab.
  static constexpr int pieces_of_group = padding > 0 ? chunks : 1;
  static constexpr int pieces = groups * pieces_of_group;
  static constexpr int chunk_stride = chunk_floats + padding;
  static constexpr int component_stride = chunks * chunk_stride;
  static constexpr int item_floats = components * component_stride;
  static constexpr int buffer_floats = items * item_floats;
  /// Where a thread's spins and couplings would not leave registers to work with, the couplings to its neighbours along
  /// x, which a sweep needs once each, lie in shared memory; where that is not enough and there is room, those along y
  /// too: [axis][4 k + 2 (y or x mod 2) + side][thread].
  [[nodiscard]] static GLASSWORKS_HD constexpr int bytes_with(int axes, int held = 2) {
    return (held * buffer_floats + axes * 4 * depth * threads) * 4;
  }
  static constexpr int needed_registers = couplings + 4 * components * depth + 24;
  static constexpr int largest_bytes = 230'000;  ///< of 227 KiB, with room for what the threads share beside the spins
  static constexpr bool short_of_registers = needed_registers - 4 * depth > registers;
  /// Two by turns, the item in work and the next one that comes in; in a cluster one, where that makes room for
  /// couplings.
  static constexpr int buffers = blocks > 1 && short_of_registers&& bytes_with(2) > largest_bytes ? 1 : 2;
  static constexpr int shared_axes = needed_registers <= registers                                   ? 0
                                     : !short_of_registers || bytes_with(2, buffers) > largest_bytes ? 1
                                                                                                     : 2;
  static constexpr int shared_couplings = shared_axes * 4 * depth;
  static constexpr int shared_bytes = bytes_with(shared_axes, buffers);
  /// Slabs with an odd number of planes begin with an even or an odd site by turns: a parity of the lattice is the
  /// other one in the threads of every other block.
  static constexpr bool odd_slabs = depth % 2 != 0;

  static constexpr int registers_of_quarter = 16384;  ///< of a multiprocessor
  /// Number of blocks of `warps` warps that fit on a multiprocessor, each quarter of which holds whole warps; the
  /// compiler limits the registers of a thread accordingly. 0: not even one block fits.
  [[nodiscard]] static GLASSWORKS_HD constexpr int blocks_for(int warps) {
    const int warps_of_quarter = registers_of_quarter / (32 * registers), all = warps_of_quarter * 4;
    return all / warps;
  }
  static constexpr bool duty_warp = Duties::own_warp;
  /// Where a warp more does not fit, it comes with three that end at once, and the four give registers to the others
  /// (setmaxnreg, compute capability 9.0).
  static constexpr bool moves_registers = duty_warp && blocks_for(threads / 32 + 1) == 0;
  static constexpr int duty_registers = 32;
  static constexpr int threads_of_block = threads + (moves_registers ? 128 : duty_warp ? 32 : 0);
  static constexpr int blocks_per_multiprocessor = blocks_for(threads_of_block / 32) > 0
                                                       ? blocks_for(threads_of_block / 32)
                                                       : 1;
  /// Registers of a thread when the block begins: what is given and taken comes to this.
  static constexpr int registers_at_launch = registers_of_quarter / (threads_of_block / 4) / 8 * 8;
  static_assert(!moves_registers || (threads == 512 && 4 * registers + duty_registers == 5 * registers_at_launch));

  static_assert(L % 2 == 0 && L % blocks == 0 && planes % depth == 0);
  static_assert(!odd_slabs || (chunks == 1 && blocks > 1 && !duty_warp && !Chain::value.energy_of_bonds));
  static_assert(L <= largest_split_L);
  static_assert(items * pieces <= 32);  // one warp starts all copies
};

}}  // namespace glassworks::cuda
