#pragma once

#include <cstdint>

namespace glassworks {

// Forests of labels: label[i] <= i is the parent of i, a root is its own parent. Only roots are given a new parent, so
// the root of a finished forest is the smallest member of its tree, whatever the order of the threads.

/// Root of i. The forest may grow meanwhile; what is returned was then a root.
template <class Index>
__device__ __forceinline__ Index find_root(const volatile Index* label, Index i) {
  for (Index parent = label[i]; parent != i; parent = label[i]) i = parent;
  return i;
}

/// The same, and lets every site on the way point to its grandparent. Others may do so, or unite, at the same time: the
/// plain store meets only sites that are no roots, which no union touches.
__device__ __forceinline__ std::uint32_t find_root_halving(std::uint32_t* label, std::uint32_t i) {
  std::uint32_t parent = __ldcg(label + i);
  while (parent != i) {
    const std::uint32_t next = __ldcg(label + parent);
    if (next != parent) __stcg(label + i, next);
    i = parent;
    parent = next;
  }
  return i;
}

/// Joins the trees of a and b in shared memory.
__device__ __forceinline__ void unite_shared(std::uint32_t* label, std::uint32_t a, std::uint32_t b) {
  a = find_root(label, a);
  b = find_root(label, b);
  while (a != b) {
    const std::uint32_t high = max(a, b), low = min(a, b);
    const std::uint32_t seen = atomicCAS(label + high, high, low);
    if (seen == high) return;
    a = find_root(label, seen);
    b = find_root(label, low);
  }
}

/// Joins the trees of a and b in device memory.
__device__ __forceinline__ void unite_global(std::uint32_t* label, std::uint32_t a, std::uint32_t b) {
  a = find_root_halving(label, a);
  b = find_root_halving(label, b);
  while (a != b) {
    const std::uint32_t high = max(a, b), low = min(a, b);
    const std::uint32_t seen = atomicCAS(label + high, high, low);
    if (seen == high) return;
    a = find_root_halving(label, seen);
    b = find_root_halving(label, low);
  }
}

}  // namespace glassworks
