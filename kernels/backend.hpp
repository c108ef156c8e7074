#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/chain.hpp"

namespace glassworks {

/// One realization of a batch. `state` is advanced by a round and `record` filled when run_round returns `finished`;
/// otherwise both are untouched.
struct RoundTask {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState* state = nullptr;
  RoundRecord* record = nullptr;
};

/// Shared with a running round: a request to abandon it, and its progress in spin updates.
struct RoundControl {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> updates{0};
};

enum class RoundOutcome { finished, abandoned };

/// Simulates whole rounds. Every backend gives the same bits for the same input, whatever the batch and its threads.
class Backend {
 public:
  virtual ~Backend() = default;

  /// One round of every task of a batch; all tasks share `chain`.
  virtual RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) = 0;

  /// For people and provenance: kind, instruction set, threads.
  [[nodiscard]] virtual std::string description() const = 0;

  /// Realizations in a batch that keep the hardware busy; 0: no preference. More may not fit.
  [[nodiscard]] virtual int preferred_batch(const Chain& chain) const {
    (void)chain;
    return 0;
  }
  /// Which kernels a chain gets, for people; empty if there is no choice.
  [[nodiscard]] virtual std::string kernel_description(const Chain& chain) const {
    (void)chain;
    return {};
  }
};

enum class BackendKind { automatic, reference, cpu, cuda };
enum class InstructionSet { automatic, portable, avx2, avx512 };

struct BackendOptions {
  BackendKind kind = BackendKind::automatic;
  InstructionSet isa = InstructionSet::automatic;
  int threads = 0;  ///< 0: one per hardware thread
  int device = 0;   ///< of the cuda backend: index of a device in cuda_devices()
};

/// Makes a backend. Throws std::runtime_error (problem (why). suggestion) if the machine or the build cannot give it.
[[nodiscard]] std::unique_ptr<Backend> make_backend(const BackendOptions& options);

/// Instruction sets that this build holds and this processor can run, best last.
[[nodiscard]] std::span<const InstructionSet> available_instruction_sets();
[[nodiscard]] const char* to_string(InstructionSet isa);

/// Why there is no CUDA backend here; empty if there is one.
[[nodiscard]] std::string cuda_unavailable_reason();

struct CudaDevice {
  int ordinal = 0;  ///< number of the device for the driver
  std::string name;
  int capability_major = 0, capability_minor = 0;
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t shared_memory_per_block_bytes = 0;  ///< largest that a kernel may ask for
  double clock_GHz = 0.0;                          ///< largest of the multiprocessors
  /// "GPU-" and its UUID, as CUDA_VISIBLE_DEVICES takes it: means the same device in every process. Numbers change when
  /// a device has gone.
  std::string identity;
};

/// The devices that the cuda backend can use here; empty if there is none.
[[nodiscard]] const std::vector<CudaDevice>& cuda_devices();

}  // namespace glassworks
