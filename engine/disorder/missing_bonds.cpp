#include "engine/disorder/missing_bonds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace glassworks { inline namespace engine {

void MissingBonds::look(const Disorder& disorder) {
  const auto given = std::ssize(disorder.couplings) - std::ranges::count(disorder.couplings, 0.0F);
  ++files_;
  if (given == lattice_.bonds()) return;
  fewest_ = incomplete_ == 0 ? given : std::min<std::int64_t>(fewest_, given);
  most_ = std::max<std::int64_t>(most_, given);
  ++incomplete_;
}

void MissingBonds::note(Config& config) const {
  if (incomplete_ == 0) return;
  const ModelConfig& model = config.model;
  const std::string path = model.couplings_file.string();
  if (model.couplings == CouplingKind::file) {
    config.notes.push_back(fmt::format("{} gives {} of the {} bonds; the other {} are absent (J = 0).", path, most_,
                                       lattice_.bonds(), lattice_.bonds() - most_));
    return;
  }
  const std::string bonds = fewest_ == most_ ? fmt::format("{}", most_) : fmt::format("{} to {}", fewest_, most_);
  config.notes.push_back(
      fmt::format("{} of {} files for L = {} in {} give {} of the {} bonds; the others are absent (J "
                  "= 0).",
                  incomplete_, files_, lattice_.L, path, bonds, lattice_.bonds()));
}

}}  // namespace glassworks::engine
