#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "kernels/clusters/graph.hpp"

/// Union-find with the smallest site of a component as its root: parent[i] <= i always, so that the roots do not depend
/// on the order of unions.
namespace glassworks { inline namespace clusters {

/// One thread.
class SerialForest {
 public:
  explicit SerialForest(std::span<Site> parent) : parent_(parent.data()) {}

  /// Root of the component of site i; halves the path to it.
  [[nodiscard]] Site find(Site i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(Site a, Site b) {
    a = parent_[parent_[a]];
    b = parent_[parent_[b]];
    if (a == b) return;  // most bonds inside a component end here, and the processor guesses that
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  /// Joins the component of which site b is a child of the root, or the root, to the smaller site a of another one.
  void attach(Site a, Site b) { parent_[parent_[b]] = parent_[parent_[a]]; }

 private:
  Site* parent_;
};

/// Any number of threads at once. A root that gets a parent never is a root again, and a write to another site replaces
/// its parent by a remoter ancestor, so no union is lost. The values are all that threads tell each other: relaxed.
class AtomicForest {
 public:
  explicit AtomicForest(std::span<Site> parent) : parent_(parent.data()) {}

  [[nodiscard]] Site find(Site i) {
    for (;;) {
      const Site up = load(i);
      if (up == i) return i;
      const Site next = load(up);
      if (next == up) return up;
      store(i, next);
      i = next;
    }
  }
  void unite(Site a, Site b) {
    for (;;) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      Site expected = a;
      if (std::atomic_ref(parent_[a]).compare_exchange_weak(expected, b, std::memory_order_relaxed)) return;
    }
  }
  /// Root of site i without a change.
  [[nodiscard]] Site root(Site i) const {
    for (Site up = load(i); up != i; up = load(i)) i = up;
    return i;
  }
  void store(Site i, Site parent) { std::atomic_ref(parent_[i]).store(parent, std::memory_order_relaxed); }

 private:
  [[nodiscard]] Site load(Site i) const { return std::atomic_ref(parent_[i]).load(std::memory_order_relaxed); }

  Site* parent_;
};

}}  // namespace glassworks::clusters
