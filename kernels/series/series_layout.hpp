#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "kernels/rounds/chain.hpp"
namespace glassworks { inline namespace series {
struct SeriesShape {
  SpinModel model;
  Lattice lattice;
  int copies = 2;
  int pairs = 0;
  std::vector<std::uint64_t> references;
};
class SeriesLayout {
 public:
  explicit SeriesLayout(SeriesShape shape);
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
 private:
  std::vector<std::string> names_;
};
[[nodiscard]] std::string series_problem(const SeriesShape& shape);
}}
