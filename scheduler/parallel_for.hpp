#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace glassworks {

/// Calls body(i) for i in [0, count) on up to `threads` threads. Rethrows the first exception after all have ended.
template <class Body>
void parallel_for(std::size_t count, int threads, const Body& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < std::min(count, static_cast<std::size_t>(std::max(threads, 1))); ++t) {
      helpers.emplace_back(work);
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace glassworks
