#include "kernels/clusters/graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace glassworks { inline namespace clusters {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& why, const std::string& suggestion) {
  throw std::invalid_argument(what + " cannot be used (" + why + "). " + suggestion);
}

std::string product_text(const std::vector<int>& extents) {
  std::string text;
  for (const int extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// Number of sites of a lattice whose extents can be.
Site checked_sites(const std::string& name, const std::vector<int>& extents, Boundary boundary) {
  const std::string what = name + " of " + product_text(extents) + " sites";
  const int least = boundary == Boundary::periodic ? 3 : 2;
  std::uint64_t sites = 1;
  for (const int extent : extents) {
    if (extent < least) {
      refuse(what,
             "an extent is below " + std::to_string(least) + ", the least of a" +
                 (boundary == Boundary::periodic ? " periodic" : "n open") + " lattice",
             "Make every extent " + std::to_string(least) + " or more.");
    }
    sites *= static_cast<std::uint64_t>(extent);
    if (sites > Graph::max_sites) refuse(what, "it has more than 2^31 sites", "Make it smaller.");
  }
  return static_cast<Site>(sites);
}

}  // namespace

Graph Graph::hypercubic(std::vector<int> extents, Boundary boundary) {
  if (extents.empty() || extents.size() > max_dim) {
    refuse("A hypercubic lattice of " + std::to_string(extents.size()) + " dimensions",
           "it has 1 to " + std::to_string(max_dim), "Give one extent for each dimension.");
  }
  Graph g;
  g.kind_ = GraphKind::hypercubic;
  g.boundary_ = boundary;
  g.sites_ = checked_sites("A hypercubic lattice", extents, boundary);
  g.dim_ = g.directions_ = static_cast<int>(extents.size());
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    g.extents_[axis] = extents[axis];
    const Site layer = g.sites_ / static_cast<Site>(extents[axis]);
    g.bonds_ += boundary == Boundary::periodic ? g.sites_ : g.sites_ - layer;
  }
  return g;
}

Graph Graph::planar(GraphKind kind, const std::string& name, int directions, int width, int height, Boundary boundary) {
  Graph g;
  g.kind_ = kind;
  g.boundary_ = boundary;
  g.sites_ = checked_sites("A " + name + " lattice", {width, height}, boundary);
  g.dim_ = 2;
  g.directions_ = directions;
  g.extents_ = {width, height, 1, 1};
  return g;
}

Graph Graph::triangular(int width, int height, Boundary boundary) {
  Graph g = planar(GraphKind::triangular, "triangular", 3, width, height, boundary);
  const auto w = static_cast<BondIndex>(width), h = static_cast<BondIndex>(height);
  g.bonds_ = boundary == Boundary::periodic ? 3 * w * h : (w - 1) * h + w * (h - 1) + (w - 1) * (h - 1);
  return g;
}

Graph Graph::honeycomb(int width, int height, Boundary boundary) {
  Graph g = planar(GraphKind::honeycomb, "honeycomb", 2, width, height, boundary);
  if (boundary == Boundary::periodic && (width % 2 != 0 || height % 2 != 0)) {
    refuse("A periodic honeycomb lattice of " + product_text({width, height}) + " sites",
           "an extent is odd, so the bricks of the wall do not fit together", "Make both extents even.");
  }
  const auto w = static_cast<BondIndex>(width), h = static_cast<BondIndex>(height);
  // Rows of sites that have a bond upwards hold (w + 1)/2 of them where y is even, w/2 where it is odd.
  const auto upward = [&](BondIndex rows) { return (rows + 1) / 2 * ((w + 1) / 2) + rows / 2 * (w / 2); };
  g.bonds_ = boundary == Boundary::periodic ? w * h + upward(h) : (w - 1) * h + upward(h - 1);
  return g;
}

BondIndex Graph::bond_indices() const {
  return is_lattice() ? static_cast<BondIndex>(directions_) * stride() : static_cast<BondIndex>(lower_.size());
}

bool Graph::exists(Site site, int direction) const {
  if (boundary_ == Boundary::periodic && kind_ != GraphKind::honeycomb) return true;
  const auto width = static_cast<Site>(extents_[0]), height = static_cast<Site>(extents_[1]);
  const bool periodic = boundary_ == Boundary::periodic;
  if (direction == 0) return periodic || site % width + 1 < width;
  if (kind_ == GraphKind::hypercubic) {
    Site layer = width;
    for (int axis = 1; axis < direction; ++axis) layer *= static_cast<Site>(extents_[static_cast<std::size_t>(axis)]);
    const auto extent = static_cast<Site>(extents_[static_cast<std::size_t>(direction)]);
    return site / layer % extent + 1 < extent;
  }
  const Site x = site % width, y = site / width;
  if (kind_ == GraphKind::honeycomb) return (x + y) % 2 == 0 && (periodic || y + 1 < height);
  return y + 1 < height && (direction == 1 || x + 1 < width);
}

Site Graph::forward(Site site, int direction) const {
  const auto width = static_cast<Site>(extents_[0]);
  const auto along_x = [&](Site s) { return s % width + 1 < width ? s + 1 : s + 1 - width; };
  if (direction == 0) return along_x(site);
  if (kind_ != GraphKind::hypercubic) {
    const Site up = site + width < sites_ ? site + width : site + width - sites_;
    return direction == 1 ? up : along_x(up);
  }
  Site layer = width;
  for (int axis = 1; axis < direction; ++axis) layer *= static_cast<Site>(extents_[static_cast<std::size_t>(axis)]);
  const auto extent = static_cast<Site>(extents_[static_cast<std::size_t>(direction)]);
  return site / layer % extent + 1 < extent ? site + layer : site - (extent - 1) * layer;
}

std::string Graph::description() const {
  const std::string ends = boundary_ == Boundary::periodic ? ", periodic" : ", open";
  const std::vector<int> extents(extents_.begin(), extents_.begin() + dim_);
  switch (kind_) {
    case GraphKind::hypercubic: {
      static constexpr const char* names[] = {"chain", "square", "cubic", "4D hypercubic"};
      return names[dim_ - 1] + (" " + product_text(extents)) + ends;
    }
    case GraphKind::triangular:
      return "triangular " + product_text(extents) + ends;
    case GraphKind::honeycomb:
      return "honeycomb " + product_text(extents) + ends;
    case GraphKind::bethe:
      return "Bethe z = " + std::to_string(coordination_) + ", " + std::to_string(generations_) + " generations" +
             (numbering_ == Numbering::random ? ", random numbering" : "");
    case GraphKind::edge_list:
      break;
  }
  return std::to_string(sites_) + " sites, " + std::to_string(bonds_) + " bonds";
}

}}  // namespace glassworks::clusters
