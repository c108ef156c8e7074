#pragma once

#include <filesystem>

namespace glassworks { inline namespace base {

/// The path from the root. Throws InputError where a relative one has no beginning: the working directory was removed.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);

/// Whether there is something of this name. Throws InputError where that cannot be told (no permission, a name too
/// long).
[[nodiscard]] bool is_there(const std::filesystem::path& path);

/// TMPDIR, or /tmp. Throws InputError where that is no directory.
[[nodiscard]] std::filesystem::path directory_for_temporaries();

}}  // namespace glassworks::base
