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
      const Disorder* const disorder = scaled_.empty() ? tasks_[i].disorder : &scaled_[i];
      tasks.push_back({tasks_[i].realization, disorder, &tasks_[i].state, &records[i]});
    }
    return backend_.run_round(chain_, tasks, control);
  }

  void set_conditions(const Conditions& conditions, RoundLength length) override {
    if (conditions.field != factor_) {
      if (scaled_.empty()) {
        for (const HeldTask& task : tasks_) scaled_.push_back(*task.disorder);
      }
      for (std::size_t i = 0; i < tasks_.size(); ++i) {
        scaled_[i].fields = scaled_fields(*tasks_[i].disorder, conditions.field);
      }
    }
    factor_ = conditions.field;
    set_round(chain_, conditions, length);
  }

  [[nodiscard]] ChainState state(std::size_t task) const override { return tasks_[task].state; }
  [[nodiscard]] const ChainState* state_in_memory(std::size_t task) const override { return &tasks_[task].state; }

 private:
  Backend& backend_;
  Chain chain_;
  std::vector<HeldTask> tasks_;
  std::vector<Disorder>
      scaled_;           ///< with the field as it is now [task]; empty: never another one than that of the task
  float factor_ = 1.0F;  ///< of the field
};

}  // namespace

std::unique_ptr<HeldBatch> HostBackend::hold(const Chain& chain, std::vector<HeldTask> tasks) {
  if (const std::string sentence = refusal(chain); !sentence.empty()) throw std::runtime_error(sentence);
  return std::make_unique<HostBatch>(*this, chain, std::move(tasks));
}

}}  // namespace glassworks::rounds
