#include "kernels/clusters/strips.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace glassworks { inline namespace clusters {
namespace {

constexpr std::uint64_t unit_width = 32;  ///< spins and bonds of a row fill whole words
constexpr std::uint64_t most_width = std::uint64_t{1} << 20;
constexpr std::uint64_t most_strips = 1024;  ///< the nodes of their seams have numbers of 32 bits

std::string problem_of_strips(std::uint64_t width, std::uint64_t height, int devices, int wanted) {
  if (width == 0 || width % unit_width != 0 || width > most_width) {
    return "A lattice " + std::to_string(width) +
           " sites wide cannot be cut into strips (words of 32 sites fill its rows, up to 2^20 sites). Use a multiple "
           "of 32.";
  }
  if (height < 2 || height % 2 != 0 || height > most_width) {
    return "A lattice of " + std::to_string(height) +
           " rows cannot be cut into strips (pairs of rows share random numbers, up to 2^20 rows). Use an even number.";
  }
  if (devices < 1) return "No strips can be placed (there is no device). Name at least one.";
  const std::uint64_t most = std::min(height / 2, most_strips);
  if (static_cast<std::uint64_t>(devices) > most) {
    return std::to_string(devices) + " devices cannot share this lattice (a strip has two rows at least). Use fewer.";
  }
  if (wanted != 0 && (wanted < devices || static_cast<std::uint64_t>(wanted) > most)) {
    return std::to_string(wanted) + " strips cannot be used (each device needs one, and each strip two rows). Use " +
           std::to_string(devices) + " to " + std::to_string(most) + ".";
  }
  return {};
}

}  // namespace

std::vector<Strip> plan_strips(std::uint64_t width, std::uint64_t height, int devices, int wanted) {
  if (const std::string problem = problem_of_strips(width, height, devices, wanted); !problem.empty()) {
    throw std::runtime_error(problem);
  }
  const std::uint64_t pairs = height / 2, all_devices = static_cast<std::uint64_t>(devices);
  const auto tallest = [&](std::uint64_t count) { return 2 * ((pairs + count - 1) / count); };
  std::uint64_t count = wanted != 0 ? static_cast<std::uint64_t>(wanted) : all_devices;
  while (wanted == 0 && width * tallest(count) >= sites_of_strip_below) count += all_devices;
  if (width * tallest(count) >= sites_of_strip_below) {
    throw std::runtime_error(std::to_string(count) +
                             " strips are too few for this lattice (a strip has fewer than 2^31 sites). Use more.");
  }
  std::vector<Strip> strips;
  for (std::uint64_t s = 0; s < count; ++s) {
    const std::uint64_t first = pairs * s / count, last = pairs * (s + 1) / count;
    strips.push_back(
        {2 * first, static_cast<std::uint32_t>(2 * (last - first)), static_cast<int>(s * all_devices / count)});
  }
  return strips;
}

}}  // namespace glassworks::clusters
