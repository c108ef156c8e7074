#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/held_batch.hpp"
#include "kernels/rounds/round_control.hpp"

namespace glassworks { inline namespace rounds {

/// automatic: a GPU if there is one that takes the chain, else the processor.
enum class BackendKind { automatic, reference, cpu, cuda };

/// One realization of a batch. `state` is advanced by a round and `record` filled when run_round returns `finished`;
/// otherwise both are untouched.
struct RoundTask {
  std::uint32_t realization = 0;
  const Disorder* disorder = nullptr;
  ChainState* state = nullptr;
  RoundRecord* record = nullptr;
};

/// Memory of the host that a batch takes [bytes]: `shared`, and `each` for every realization.
struct MemoryNeed {
  double each = 0.0, shared = 0.0;

  [[nodiscard]] double of(double realizations) const { return shared + realizations * each; }
};

/// Simulates whole rounds. Every backend gives the same bits for the same input, whatever the batch and its threads.
/// For chains that it does not support, run_round and hold throw std::runtime_error with the sentence of `refusal`.
class Backend {
 public:
  virtual ~Backend() = default;

  /// One round of every task of a batch; all tasks share `chain`.
  virtual RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) = 0;

  /// Takes realizations that are to be simulated for several rounds; their states stay where the backend works.
  [[nodiscard]] virtual std::unique_ptr<HeldBatch> hold(const Chain& chain, std::vector<HeldTask> tasks) = 0;

  /// Why it does not run a chain, as one sentence; empty if it does. See kernel_families.hpp.
  [[nodiscard]] virtual std::string refusal(const Chain& chain) const = 0;

  /// For people and provenance: kind, instruction set, threads.
  [[nodiscard]] virtual std::string description() const = 0;

  /// Realizations in a batch that keep the hardware busy; 0: no preference. More may not fit.
  [[nodiscard]] virtual int preferred_batch(const Chain& chain) const {
    (void)chain;
    return 0;
  }
  /// Realizations of a batch whose round takes about as long as that of one alone; of a backend with a preference.
  [[nodiscard]] virtual int batch_width(const Chain& chain) const { return std::max(preferred_batch(chain) / 2, 1); }
  /// What rounds take beside disorder and states, at most.
  ///
  /// disorder  bytes of the disorder of a realization, which some kernels keep in another order
  [[nodiscard]] virtual MemoryNeed round_need(const Chain& chain, double disorder) const {
    (void)chain, (void)disorder;
    return {};
  }
  /// Which kernels a chain gets, for people; empty if there is no choice.
  [[nodiscard]] virtual std::string kernel_description(const Chain& chain) const {
    (void)chain;
    return {};
  }
};

/// A backend whose states are in the memory of the host anyway.
class HostBackend : public Backend {
 public:
  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain& chain, std::vector<HeldTask> tasks) override;
};

}}  // namespace glassworks::rounds
