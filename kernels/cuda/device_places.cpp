#include "kernels/cuda/device_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace glassworks { inline namespace cuda {

DevicePlaces::Part::Part(DevicePlaces& places, double share) : places_(places), share_(std::min(share, most_of_parts)) {
  constexpr double rounding = 1e-9;
  std::unique_lock lock(places_.mutex_);
  places_.changed_.wait(lock, [&] { return places_.taken_ + share_ <= most_of_parts + rounding; });
  ++places_.parts_;
  places_.taken_ += share_;
}

DevicePlaces::Part::~Part() {
  {
    const std::lock_guard lock(places_.mutex_);
    places_.taken_ = --places_.parts_ > 0 ? places_.taken_ - share_ : 0.0;
  }
  places_.changed_.notify_all();
}

DevicePlaces::Turn::Turn(DevicePlaces& places, Beside beside) : places_(places) {
  std::unique_lock lock(places_.mutex_);
  const std::uint64_t mine = places_.asked_++;
  places_.changed_.wait(lock, [&] {
    const bool free = places_.running_ == 0 || (beside == Beside::others && !places_.alone_);
    return places_.admitted_ == mine && free;
  });
  ++places_.admitted_;
  ++places_.running_;
  places_.alone_ = beside == Beside::none;
  lock.unlock();
  places_.changed_.notify_all();  // the next one may come in as well
}

DevicePlaces::Turn::~Turn() {
  {
    const std::lock_guard lock(places_.mutex_);
    --places_.running_;
  }
  places_.changed_.notify_all();
}

double DevicePlaces::left() const {
  const std::lock_guard lock(mutex_);
  return 1.0 - taken_;
}

DevicePlaces& places_of_device(int device) {
  static std::array<DevicePlaces, 64> all;
  return all[static_cast<std::size_t>(device) % all.size()];
}

}}  // namespace glassworks::cuda
