#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace glassworks { inline namespace scheduler {

/// Reorder buffer: restores the original order of items that several threads finish in any order.
template <class T>
class InOrder {
 public:
  /// For what comes next.
  [[nodiscard]] std::uint64_t number() { return numbered_++; }

  /// Marks an item as done; returns all items that are now next in order. Every number is used once.
  [[nodiscard]] std::vector<T> done(std::uint64_t number, T value) {
    waiting_.emplace(number, std::move(value));
    std::vector<T> ready;
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == released_; ++released_) {
      ready.push_back(std::move(first->second));
      first = waiting_.erase(first);
    }
    return ready;
  }

 private:
  std::uint64_t numbered_ = 0, released_ = 0;
  std::map<std::uint64_t, T> waiting_;
};

}}  // namespace glassworks::scheduler
