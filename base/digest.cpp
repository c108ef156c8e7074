#include "base/digest.hpp"

#include <xxhash.h>

#include <cstring>
#include <new>

namespace glassworks { inline namespace base {

Digest::Digest() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Digest::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

Digest& Digest::bytes(std::span<const std::byte> data) {
  if (!data.empty()) XXH3_128bits_update(state_.get(), data.data(), data.size());
  return *this;
}

Digest::Bytes Digest::result() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  Bytes out;
  static_assert(sizeof canonical.digest == sizeof out);
  std::memcpy(out.data(), canonical.digest, sizeof out);
  return out;
}

std::string Digest::hex() const { return hexadecimal(result()); }

std::string hexadecimal(const Digest::Bytes& digest) {
  std::string text;
  for (const std::byte b : digest) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

std::uint64_t checksum64(std::span<const std::byte> data) { return XXH3_64bits(data.data(), data.size()); }

}}  // namespace glassworks::base
