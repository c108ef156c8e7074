#pragma once

#include <string>
#include <vector>

namespace glassworks { inline namespace tools {

/// One short chain on the reference backend and on every fast one.
struct SelfTest {
  std::string reference_digest;
  std::vector<std::string> passed;  ///< descriptions of the backends with equal digests
  std::string failure;              ///< one sentence; empty if all digests are equal
};

[[nodiscard]] SelfTest run_self_test();

}}  // namespace glassworks::tools
