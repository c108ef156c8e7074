#include "kernels/rounds/backend.hpp"

#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace rounds {
namespace {

/// In the memory of the host, by rounds of a backend that takes and gives back states.
class HostBatch final : public HeldBatch {
 public:
  HostBatch(Backend& backend, const Chain& chain, std::vector<HeldTask> tasks)
      : backend_(backend), chain_(chain), tasks_(std::move(tasks)) {}

  RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) override {
    std::vector<RoundTask> tasks;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      tasks.push_back({tasks_[i].realization, tasks_[i].disorder, &tasks_[i].state, &records[i]});
    }
    return backend_.run_round(chain_, tasks, control);
  }

  [[nodiscard]] ChainState state(std::size_t task) const override { return tasks_[task].state; }
  [[nodiscard]] const ChainState* state_in_memory(std::size_t task) const override { return &tasks_[task].state; }

 private:
  Backend& backend_;
  const Chain& chain_;
  std::vector<HeldTask> tasks_;
};

}  // namespace

std::unique_ptr<HeldBatch> HostBackend::hold(const Chain& chain, std::vector<HeldTask> tasks) {
  if (const std::string sentence = refusal(chain); !sentence.empty()) throw std::runtime_error(sentence);
  return std::make_unique<HostBatch>(*this, chain, std::move(tasks));
}

}}  // namespace glassworks::rounds
