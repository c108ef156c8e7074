#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace core {

/// The neighbours, colours and random addresses of all sites of a lattice, for loops that visit one site after the
/// other.
class LatticeTable {
 public:
  explicit LatticeTable(const Lattice& lattice)
      : owned_(static_cast<std::size_t>(lattice.owned())), of_colour_(static_cast<std::size_t>(lattice.colours())) {
    const auto sites = static_cast<std::size_t>(lattice.sites());
    forward_.reserve(sites * owned_);
    backward_.reserve(sites * owned_);
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      const Lattice::Coordinates c = lattice.coordinates(i);
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        forward_.push_back(static_cast<std::int32_t>(lattice.neighbour(c, bond, +1)));
        backward_.push_back(static_cast<std::int32_t>(lattice.neighbour(c, bond, -1)));
      }
      address_.push_back(local_address(lattice, c));
      colour_.push_back(static_cast<std::uint8_t>(lattice.colour(c)));
      of_colour_[colour_.back()].push_back(static_cast<std::int32_t>(i));
    }
  }

  [[nodiscard]] std::int64_t forward(std::int64_t site, int bond) const { return forward_[place(site, bond)]; }
  [[nodiscard]] std::int64_t backward(std::int64_t site, int bond) const { return backward_[place(site, bond)]; }
  [[nodiscard]] const HeatBathAddress& address(std::int64_t site) const {
    return address_[static_cast<std::size_t>(site)];
  }
  [[nodiscard]] int colour(std::int64_t site) const { return colour_[static_cast<std::size_t>(site)]; }
  [[nodiscard]] const std::vector<std::int32_t>& sites_of(int colour) const {
    return of_colour_[static_cast<std::size_t>(colour)];
  }

 private:
  [[nodiscard]] std::size_t place(std::int64_t site, int bond) const {
    return static_cast<std::size_t>(site) * owned_ + static_cast<std::size_t>(bond);
  }

  std::size_t owned_;
  std::vector<std::int32_t> forward_, backward_;      ///< [site][bond]
  std::vector<HeatBathAddress> address_;              ///< [site]
  std::vector<std::uint8_t> colour_;                  ///< [site]
  std::vector<std::vector<std::int32_t>> of_colour_;  ///< sites, ascending [colour]
};

}}  // namespace glassworks::core
