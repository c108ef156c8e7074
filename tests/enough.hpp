#pragma once

#include <cstdlib>

namespace glassworks::test {

/// How many samples a test of statistics takes: `all` where GLASSWORKS_TEST_ALL is set, as the tests labelled slow do.
template <class Number>
Number enough(Number quick, Number all) {
  return std::getenv("GLASSWORKS_TEST_ALL") != nullptr ? all : quick;
}

}  // namespace glassworks::test
