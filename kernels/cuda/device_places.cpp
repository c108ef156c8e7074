#include "kernels/cuda/device_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace glassworks { inline namespace cuda {

DevicePlaces::Part::Part(DevicePlaces& places, double share) : places_(places), share_(std::min(share, most_of_parts)) {
  constexpr double rounding = 1e-9;
  std::unique_lock lock(places_.mutex_);
  places_.given_back_.wait(lock, [&] { return places_.taken_ + share_ <= most_of_parts + rounding; });
  places_.taken_ = places_.taken_ + share_;
}

DevicePlaces::Part::~Part() {
  {
    const std::lock_guard lock(places_.mutex_);
    places_.taken_ = std::max(0.0, places_.taken_ - share_);
  }
  places_.given_back_.notify_all();
}

DevicePlaces& places_of_device(int device) {
  static std::array<DevicePlaces, 64> all;
  return all[static_cast<std::size_t>(device) % all.size()];
}

}}  // namespace glassworks::cuda
