#pragma once

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Bonds of one size that coupling files leave out, or give as 0.
class MissingBonds {
 public:
  explicit MissingBonds(const Lattice& lattice) : lattice_(lattice) {}

  /// Counts those of one realization.
  void look(const Disorder& disorder);

  /// Adds a note for people if bonds are missing: a file that is not whole is as often a mistake as a diluted lattice.
  void note(Config& config) const;

 private:
  Lattice lattice_;
  int files_ = 0, incomplete_ = 0;
  std::int64_t fewest_ = 0, most_ = 0;  ///< bonds with J != 0 in one of the incomplete files
};

}}  // namespace glassworks::engine
