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
    if (a == b) return;  // the usual case inside a component, and well predicted
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  /// Joins the component of b, whose parent is its root, to the component of the smaller site a.
  void attach(Site a, Site b) { parent_[parent_[b]] = parent_[parent_[a]]; }

 private:
  Site* parent_;
};

/// For any number of threads at once. A root that has been given a parent never becomes a root again, and a store to
/// any other site only replaces its parent by a higher ancestor, so no union is lost. Relaxed atomics suffice: threads
/// share nothing but these values.
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
