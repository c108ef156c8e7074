#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace glassworks {

/// What an action says when it fails.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace glassworks
