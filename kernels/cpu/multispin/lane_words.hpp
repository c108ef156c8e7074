#pragma once

#include <cstdint>

namespace glassworks { inline namespace cpu {

/// A vector of so many words, which a template cannot spell.
template <int words>
struct LaneWords;
template <>
struct LaneWords<4> {
  typedef std::uint32_t Vector __attribute__((vector_size(16)));
  typedef std::int32_t SignedVector __attribute__((vector_size(16)));
};
template <>
struct LaneWords<8> {
  typedef std::uint32_t Vector __attribute__((vector_size(32)));
  typedef std::int32_t SignedVector __attribute__((vector_size(32)));
};
template <>
struct LaneWords<16> {
  typedef std::uint32_t Vector __attribute__((vector_size(64)));
  typedef std::int32_t SignedVector __attribute__((vector_size(64)));
};

}}  // namespace glassworks::cpu
