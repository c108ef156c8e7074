#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/chain_needs.hpp"

namespace glassworks { inline namespace rounds {

/// The kernels of a backend that run a whole round.
enum class KernelKind {
  plain,   ///< one site at a time; on GPUs one thread for each site
  lanes,   ///< vectors over replicas
  rows,    ///< vectors along the rows of a replica
  bits,    ///< multi-spin coding
  copies,  ///< multi-spin coding whose lanes are copies
  steps,   ///< whole steps, or tiles, in the shared memory of a GPU where one is compiled for the size; else plain
  cluster_tiles,  ///< cluster updates by tiles in the shared memory of a GPU, but for the one before a measurement
  clusters,       ///< any cluster update on GPUs
};

/// Kernels, with the needs that their code supports.
struct KernelFamily {
  KernelKind kind;
  const char* name;  ///< for people; the page of backends explains it
  ChainNeeds supports;
};

/// Those of a backend, the faster ones first; of automatic: those of a processor.
[[nodiscard]] std::span<const KernelFamily> families_of(BackendKind backend);

/// The first family that supports all needs; null if there is none.
[[nodiscard]] const KernelFamily* supporting_family(std::span<const KernelFamily> families, ChainNeeds needs);
/// Those that run a chain on a backend; null if it refuses the chain.
[[nodiscard]] const KernelFamily* family_of(BackendKind backend, const Chain& chain);
/// Whether a family of this kind runs it.
[[nodiscard]] bool uses_kernel_kind(BackendKind backend, KernelKind kind, const Chain& chain);

/// The smallest subset of the needs that no family supports together, "Wolff updates on the fcc lattice"; empty if a
/// family supports all.
struct UnsupportedPart {
  std::string text;
  int needs = 0;
};
[[nodiscard]] UnsupportedPart unsupported_part(std::span<const KernelFamily> families, ChainNeeds needs);

/// Why a backend does not run a chain, as one sentence, "problem (why). suggestion"; empty if it does. Needs no device:
/// what a backend does not declare is refused. automatic stands for the backend that takes the chain, and refuses what
/// neither GPUs nor processors take.
[[nodiscard]] std::string refusal_of(BackendKind backend, const Chain& chain);
/// The same for needs.
[[nodiscard]] std::string refusal_of(BackendKind backend, ChainNeeds needs);

/// Every backend before a round: throws std::runtime_error with the refusal, or with the sentence of
/// check_cluster_couplings.
void check_batch(BackendKind backend, const Chain& chain, std::span<const RoundTask> batch);

}}  // namespace glassworks::rounds
