#pragma once

#include <cstdint>

namespace glassworks { inline namespace cuda {

// Forests of labels: label[i] <= i is the parent of i, a root is its own parent. Only roots are given a new parent, so
// the root of a finished forest is the smallest member of its tree, whatever the order of the threads.

/// Root of i. The forest may grow meanwhile; what is returned was then a root.
template <class Index>
__device__ __forceinline__ Index find_root(const volatile Index* label, Index i) {
  for (Index parent = label[i]; parent != i; parent = label[i]) i = parent;
  return i;
}

/// The same with path halving: every site on the path then points to its grandparent. Other threads may do so, or
/// unite, at the same time: the plain store touches only sites that are not roots, which no union writes.
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

/// Joins the trees of a and b. `to_roots` replaces two sites by their roots; it may stop early where they are the same.
template <class ToRoots>
__device__ __forceinline__ void unite(std::uint32_t* label, std::uint32_t a, std::uint32_t b, ToRoots&& to_roots) {
  for (to_roots(label, a, b); a != b; to_roots(label, a, b)) {
    const std::uint32_t high = max(a, b), low = min(a, b);
    const std::uint32_t seen = atomicCAS(label + high, high, low);
    if (seen == high) return;
    a = seen;
    b = low;
  }
}

/// Joins the trees of a and b in shared memory. Walks up both paths at the same time, to overlap the memory latency.
__device__ __forceinline__ void unite_shared(std::uint32_t* label, std::uint32_t a, std::uint32_t b) {
  unite(label, a, b, [](const volatile std::uint32_t* parent, std::uint32_t& i, std::uint32_t& j) {
    for (bool moves = true; moves && i != j;) {
      const std::uint32_t above_i = parent[i], above_j = parent[j];
      moves = above_i != i || above_j != j;
      i = above_i;
      j = above_j;
    }
  });
}

/// Joins the trees of a and b in shared memory: hangs the larger label below the smaller one, then joins the parent
/// that it had before, if any, to the smaller one.
__device__ __forceinline__ void unite_by_minimum(std::uint32_t* label, std::uint32_t a, std::uint32_t b) {
  while (a != b) {
    const std::uint32_t high = max(a, b), low = min(a, b);
    const std::uint32_t parent = atomicMin(label + high, low);
    a = parent == high ? low : parent;
    b = low;
  }
}

/// Joins the trees of a and b in device memory, with paths halved as in find_root_halving.
__device__ __forceinline__ void unite_global(std::uint32_t* label, std::uint32_t a, std::uint32_t b) {
  unite(label, a, b, [](std::uint32_t* parent, std::uint32_t& i, std::uint32_t& j) {
    if (i == j) return;
    std::uint32_t above_i = __ldcg(parent + i), above_j = __ldcg(parent + j);
    while ((above_i != i || above_j != j) && above_i != above_j) {
      const std::uint32_t next_i = __ldcg(parent + above_i), next_j = __ldcg(parent + above_j);
      if (next_i != above_i) __stcg(parent + i, next_i);
      if (next_j != above_j) __stcg(parent + j, next_j);
      i = above_i;
      j = above_j;
      above_i = next_i;
      above_j = next_j;
    }
    i = above_i;
    j = above_j;
  });
}

}}  // namespace glassworks::cuda
