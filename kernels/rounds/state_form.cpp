#include "kernels/rounds/state_form.hpp"

#include <span>

namespace glassworks { inline namespace rounds {
namespace {

template <class T>
void append(std::vector<std::byte>& to, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

void append_number(std::vector<std::byte>& to, std::uint64_t number) {
  append(to, std::span<const std::uint64_t>(&number, 1));
}

template <class T>
void append_array(std::vector<std::byte>& to, const std::vector<T>& array) {
  append_number(to, array.size());
  append(to, std::span<const T>(array));
}

}  // namespace

std::vector<std::byte> bytes_before_sites(const ChainState& walk, std::uint64_t spins, std::uint64_t discrete) {
  std::vector<std::byte> bytes;
  append_number(bytes, walk.steps);
  append_array(bytes, walk.slot);
  append_array(bytes, walk.heading);
  append_array(bytes, walk.round_trips);
  append_number(bytes, spins);
  if (discrete > 0) append_number(bytes, discrete);
  return bytes;
}

}}  // namespace glassworks::rounds
