#include "tools/glassworks/failure.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "engine/config.hpp"

namespace glassworks {

int print_failure() {
  try {
    throw;
  } catch (const InputError& error) {
    fmt::print(stderr, "glassworks: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "glassworks: the memory of this machine is used up. Use a smaller backend.batch, fewer slots or "
               "a smaller lattice; nothing that was committed is lost.\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "glassworks: {}\n", error.what());
    return 1;
  }
}

}  // namespace glassworks
