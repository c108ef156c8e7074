#include "base/paths.hpp"

#include <fmt/format.h>

#include <system_error>

#include "base/input_error.hpp"

namespace glassworks { inline namespace base {

namespace fs = std::filesystem;

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  fs::path found = path.empty() ? fs::current_path(error) : fs::absolute(path, error);
  if (!error) return found;
  throw InputError(InputFault::unusable_file, path.string(),
                   fmt::format("The path '{}' cannot be used (working directory: {}). Change to a directory that "
                               "exists.",
                               path.string(), error.message()));
}

bool is_there(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::status_known(status)) return fs::exists(status);
  throw InputError(
      InputFault::unusable_file, path.string(),
      fmt::format("Cannot look for '{}' ({}). Check the path and its permissions.", path.string(), error.message()));
}

fs::path directory_for_temporaries() {
  std::error_code error;
  fs::path found = fs::temp_directory_path(error);
  if (!error) return found;
  throw InputError(
      InputFault::unusable_file, "TMPDIR",
      fmt::format("There is no directory for temporary files ({}). Set TMPDIR to one that exists.", error.message()));
}

}}  // namespace glassworks::base
