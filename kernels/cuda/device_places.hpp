#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace glassworks { inline namespace cuda {

/// How rounds of different backends share a device. Thread-safe.
///
/// A round whose batch is too small to fill the device takes a part of its multiprocessors and runs beside any other;
/// large resident kernels leave it that part. A round that fills the device runs beside others of that kind, or takes
/// its turn, in the order in which they asked.
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

  enum class Beside { others, none };
  /// The turn of a round that fills the device, for the life of this object.
  class Turn {
   public:
    Turn(DevicePlaces& places, Beside beside);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    DevicePlaces& places_;
  };

  /// share  of the multiprocessors, at most most_of_parts; waits until so much is free for small rounds
  [[nodiscard]] Part take_part(double share) { return {*this, share}; }
  /// beside  the other rounds with a turn that may run meanwhile: those that admit others as well, or none; waits until
  ///         all who asked before have their turns and the others let it begin
  [[nodiscard]] Turn take_turn(Beside beside) { return {*this, beside}; }
  /// Share of the multiprocessors that no small round has now.
  [[nodiscard]] double left() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int parts_ = 0;
  double taken_ = 0.0;                      ///< by all parts
  std::uint64_t asked_ = 0, admitted_ = 0;  ///< turns so far
  int running_ = 0;                         ///< that have their turns
  bool alone_ = false;                      ///< one of them admits none
};

/// Of a device, by its number among those that are counted.
[[nodiscard]] DevicePlaces& places_of_device(int device);

}}  // namespace glassworks::cuda
