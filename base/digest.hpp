#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

struct XXH3_state_s;

namespace glassworks { inline namespace base {

// Digests, blobs and checkpoints are little endian and are read and written in place.
static_assert(std::endian::native == std::endian::little, "Glassworks runs on little-endian machines only");

/// Streaming XXH3-128 over a canonical byte sequence: numbers little endian, floats as their IEEE bits.
class Digest {
 public:
  using Bytes = std::array<std::byte, 16>;

  Digest();

  Digest& bytes(std::span<const std::byte> data);

  template <typename T>
  Digest& value(T number) {
    static_assert(std::is_arithmetic_v<T>);
    return bytes(std::as_bytes(std::span(&number, 1)));
  }

  /// The number of elements as uint64, then the elements.
  template <typename T>
  Digest& array(const std::vector<T>& elements) {
    static_assert(std::is_arithmetic_v<T>);
    return value(static_cast<std::uint64_t>(elements.size())).bytes(std::as_bytes(std::span(elements)));
  }

  /// Digest of everything so far, in the canonical (big-endian) order of xxHash.
  [[nodiscard]] Bytes result() const;
  /// result() as 32 hexadecimal digits, as xxhsum -H128 prints it.
  [[nodiscard]] std::string hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

/// As xxhsum -H128 prints a digest.
[[nodiscard]] std::string hexadecimal(const Digest::Bytes& digest);

/// XXH3-64 of one piece of memory.
[[nodiscard]] std::uint64_t checksum64(std::span<const std::byte> data);

}}  // namespace glassworks::base
