#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// Realizations 0 .. n - 1 with all that a round needs of them; their states go on from round to round.
class TaskBatch {
 public:
  explicit TaskBatch(std::size_t n) : disorder_(n), states_(n), records_(n) {
    for (std::size_t r = 0; r < n; ++r) {
      tasks_.push_back({static_cast<std::uint32_t>(r), &disorder_[r], &states_[r], &records_[r]});
    }
  }
  TaskBatch(const TaskBatch&) = delete;
  TaskBatch& operator=(const TaskBatch&) = delete;

  /// A realization at its beginning; different ones from several threads at once.
  void begin(std::size_t r, const Chain& chain, Disorder disorder) {
    disorder_[r] = std::move(disorder);
    states_[r] = initial_state(chain, static_cast<std::uint32_t>(r));
  }

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::span<const RoundTask> tasks() const { return tasks_; }
  [[nodiscard]] const Disorder& disorder(std::size_t r) const { return disorder_[r]; }
  [[nodiscard]] const ChainState& state(std::size_t r) const { return states_[r]; }

 private:
  std::vector<Disorder> disorder_;
  std::vector<ChainState> states_;
  std::vector<RoundRecord> records_;
  std::vector<RoundTask> tasks_;
};

}}  // namespace glassworks::tools
