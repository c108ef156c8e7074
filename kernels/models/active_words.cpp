#include "kernels/models/active_words.hpp"

#include <stdexcept>

#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace models {

std::uint32_t active_words(float exponent) {
  constexpr std::uint32_t words_of_number = 1U << 9, numbers = 1U << 23;  // uniform<float> has the 23 high bits
  std::uint32_t low = 0, high = numbers;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (exact::is_active(exponent, middle * words_of_number)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == numbers) {
    throw std::invalid_argument(
        "Bonds cannot be told apart at this temperature (their probability is 1 in single precision). Use a higher "
        "one.");
  }
  return low * words_of_number;
}

}}  // namespace glassworks::models
