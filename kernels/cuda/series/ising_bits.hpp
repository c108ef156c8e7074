#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/series/lag_steps.hpp"
#include "kernels/cuda/small_divisor.hpp"
#include "kernels/series/series_pairs.hpp"

namespace glassworks { inline namespace cuda {

/// Fields with the values 1 and -1 on a periodic cube, one bit for each site, bit 1 is f = -1: rows along x of whole
/// words of 32 sites. Bits beyond the edge are 0. [field][row][word]
struct IsingBits {
  int dim, L, rows;
  int words;  ///< of a row
  SmallDivisor edge, of_row;

  explicit IsingBits(const Lattice& lattice)
      : dim(lattice.dim),
        L(lattice.L),
        rows(static_cast<int>(lattice.rows())),
        words((lattice.L + 31) / 32),
        edge(lattice.L),
        of_row(words) {}

  /// Of a field.
  [[nodiscard]] GLASSWORKS_HD std::int64_t size() const { return std::int64_t{rows} * words; }
  [[nodiscard]] GLASSWORKS_HD std::int64_t sites() const { return std::int64_t{rows} * L; }
  /// 1 at the sites of a word of a row.
  [[nodiscard]] GLASSWORKS_HD std::uint32_t valid(int word) const {
    const int left = L - 32 * word;
    return left >= 32 ? ~0U : (1U << left) - 1;
  }
};

/// Realizations first .. first + tasks - 1 of a batch. Fields of one slot follow each other:
/// [task][slot][copy or pair of copies].
struct IsingTasks {
  int first, tasks, slots, copies;

  [[nodiscard]] GLASSWORKS_HD int groups() const { return tasks * slots; }
  /// The replica, among those of the batch, of a field [task][slot][copy].
  [[nodiscard]] GLASSWORKS_HD std::int64_t replica(int field) const {
    const int group = field / copies, copy = field - group * copies, task = group / slots, slot = group - task * slots;
    return (std::int64_t{first + task} * copies + copy) * slots + slot;
  }
};

/// s of all copies.
void launch_pack_states(const IsingBits& bits, const IsingTasks& tasks, const std::uint8_t* d_states,
                        std::uint32_t* d_spins, cudaStream_t stream);
/// Overlaps of pairs of copies.
void launch_pair_overlaps(const IsingBits& bits, const IsingTasks& tasks, const std::uint32_t* d_spins,
                          const SeriesPair* d_pairs, int pairs, std::uint32_t* d_overlaps, cudaStream_t stream);
/// Overlaps with kept spins. d_kept: KeptSpins::bits, in words of 32 bits [task][word]
void launch_kept_states(const IsingBits& bits, const IsingTasks& tasks, const std::uint32_t* d_spins,
                        const std::uint32_t* d_kept, std::int64_t words, std::uint32_t* d_overlaps,
                        cudaStream_t stream);
/// Adds, for each displacement, how many f(x) and f(x + d) of all sites and of the `of_group` fields of a group differ.
///
/// d_different  [group][direction][lag]
void launch_bit_lags(const IsingBits& bits, int groups, int of_group, const LagDirections& directions,
                     const std::uint32_t* d_fields, unsigned long long* d_different, cudaStream_t stream);
/// Adds how many f are -1 in each plane of equal coordinate [field][axis][coordinate].
void launch_bit_planes(const IsingBits& bits, int fields, const std::uint32_t* d_fields, std::uint32_t* d_counts,
                       cudaStream_t stream);
/// Adds minus the energies, in units of the energy scale [task][slot][copy].
void launch_ising_energies(const DeviceBatch& batch, const IsingTasks& tasks, unsigned long long* d_sums,
                           cudaStream_t stream);

}}  // namespace glassworks::cuda
