#include "engine/disorder/coupling_samples.hpp"

#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "base/text_file.hpp"
#include "engine/disorder/disorder_file.hpp"

namespace glassworks { inline namespace engine {

namespace fs = std::filesystem;

fs::path coupling_sample(const fs::path& folder, int L, std::uint32_t realization) {
  return folder / fmt::format("L{:03}-r{:06}.txt", L, realization);
}

CouplingSamples::CouplingSamples(const Config& config) {
  const fs::path& folder = config.model.couplings_file;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(
        InputFault::unusable_file, "model.couplings_file",
        fmt::format("model.couplings_file = {} is not a folder (model.couplings = files reads one file for each "
                    "realization from it). Give the folder, or use model.couplings = file.",
                    folder.string()));
  }
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i], realizations = realizations_of(config, i);
    for (const std::uint32_t r : realization_numbers(config, i)) {
      const fs::path file = coupling_sample(folder, L, r);
      if (!fs::exists(file, error)) {
        throw InputError(
            InputFault::missing, file.string(),
            fmt::format(
                "the folder {} holds no {} (L = {} has {} realizations{}, each with a file of its own). Add it, "
                "or lower disorder.realizations.",
                folder.string(), file.filename().string(), L, realizations,
                config.disorder.first_realization == 0
                    ? ""
                    : fmt::format(" from number {} on", config.disorder.first_realization)));
      }
      digests_[{L, r}] = couplings_file_digest(file, config.lattice(L));
    }
  }
}

std::string CouplingSamples::of(int L, std::uint32_t realization) const {
  const auto found = digests_.find({L, realization});
  return found == digests_.end() ? std::string() : found->second;
}

std::string CouplingSamples::together(const Config& config) const {
  std::map<std::pair<int, std::uint32_t>, std::string> wanted;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    for (const std::uint32_t r : realization_numbers(config, i)) {
      const std::string digest = of(L, r);
      if (digest.empty()) return {};
      wanted[{L, r}] = digest;
    }
  }
  std::string text;
  for (const auto& [key, digest] : wanted) text += fmt::format("{} {} {}\n", key.first, key.second, digest);
  return text_digest(text);
}

void open_coupling_samples(Config& config) {
  ModelConfig& model = config.model;
  if (model.couplings != CouplingKind::files) return;
  std::shared_ptr<const CouplingSamples> samples = model.samples;
  std::string digest = samples ? samples->together(config) : std::string();
  if (digest.empty()) {
    samples = std::make_shared<const CouplingSamples>(config);
    digest = samples->together(config);
  }
  if (!model.couplings_digest.empty() && model.couplings_digest != digest) {
    throw InputError(
        InputFault::changed, model.couplings_file.string(),
        fmt::format("files in the folder '{}' have changed since the campaign began (their digest is {}, not {}). "
                    "Restore them, or start another campaign.",
                    model.couplings_file.string(), digest, model.couplings_digest));
  }
  model.couplings_digest = std::move(digest);
  model.samples = std::move(samples);
}

}}  // namespace glassworks::engine
