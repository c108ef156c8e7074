#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace glassworks { inline namespace cuda {

/// How rounds of different backends share a device. Thread-safe.
///
/// A round whose batch is too small to fill the device takes a part of its multiprocessors and runs beside others; the
/// kernels of larger ones leave it that part. Rounds of kernels that cannot leave anything take turns.
class DevicePlaces {
 public:
  /// What small rounds may have together.
  static constexpr double most_of_parts = 0.5;

  /// A part of the device, for the life of this object.
  class Part {
   public:
    Part(DevicePlaces& places, double share);
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part();

   private:
    DevicePlaces& places_;
    double share_;
  };

  /// share  of the multiprocessors, at most most_of_parts; waits until so much is free for small rounds
  [[nodiscard]] Part take(double share) { return {*this, share}; }
  /// Share of the multiprocessors that no small round has now.
  [[nodiscard]] double left() const { return 1.0 - taken_; }
  /// Held by a round that must not meet another one of its kind.
  [[nodiscard]] std::mutex& turn() { return turn_; }

 private:
  std::mutex turn_, mutex_;
  std::condition_variable given_back_;
  std::atomic<double> taken_ = 0.0;  ///< changed with mutex_ held
};

/// Of a device, by its number among those that are counted.
[[nodiscard]] DevicePlaces& places_of_device(int device);

}}  // namespace glassworks::cuda
