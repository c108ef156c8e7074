#pragma once

#include <string>
#include <vector>

namespace glassworks {

/// One short chain on the reference backend and on every fast one.
struct SelfTest {
  std::string reference_digest;
  std::vector<std::string> passed;  ///< descriptions of the backends with equal digests
  std::string failure;              ///< one sentence; empty if all digests are equal
};

[[nodiscard]] SelfTest run_self_test();

/// Bytes that one realization takes while it is simulated by the CPU backend with one thread: bundles, checkpoint copy,
/// measurement copies and disorder (no site fields).
[[nodiscard]] inline long long realization_bytes(long long sites, int dim, int slots, int copies) {
  constexpr long long lanes = 16, spin_bytes = 12;
  const long long replicas = 1LL * slots * copies, bundles = (replicas + lanes - 1) / lanes;
  return sites * (spin_bytes * (bundles * lanes + replicas + copies * lanes) + 4LL * dim);
}

}  // namespace glassworks
