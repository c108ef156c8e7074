#pragma once

#include <filesystem>
#include <string>

namespace glassworks { inline namespace tools {

/// Submits a script to Slurm. Returns the number of the job. Throws InputError with what sbatch said if it refuses, or
/// if there is no sbatch.
[[nodiscard]] std::string submit_with_sbatch(const std::filesystem::path& script);

}}  // namespace glassworks::tools
