#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// The file of a realization in the folder of model.couplings = files: L008-r000012.txt.
[[nodiscard]] std::filesystem::path coupling_sample(const std::filesystem::path& folder, int L,
                                                    std::uint32_t realization);

/// Digests of the files that a campaign with model.couplings = files reads, one for each realization of each size.
class CouplingSamples {
 public:
  /// Reads all files of a configuration. Throws InputError for one that is missing or unreadable.
  explicit CouplingSamples(const Config& config);

  /// XXH3-128 of the bytes, 32 hexadecimal digits; empty for a realization without a file.
  [[nodiscard]] std::string of(int L, std::uint32_t realization) const;
  /// One digest for all realizations that a configuration has, in whatever order its sizes stand; empty if some have
  /// no file.
  [[nodiscard]] std::string together(const Config& config) const;

 private:
  std::map<std::pair<int, std::uint32_t>, std::string> digests_;
};

/// Ties a configuration with model.couplings = files to the content of its folder, which is read where the
/// configuration does not have the digests of all its files yet; leaves others alone. Throws InputError if the
/// configuration is tied to another content.
void open_coupling_samples(Config& config);

}}  // namespace glassworks::engine
