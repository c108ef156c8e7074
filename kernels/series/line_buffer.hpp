#pragma once

#include <cstddef>
#include <vector>

namespace glassworks { inline namespace series {

/// Numbers that begin with a line of the cache, 0 at first: vectors of 64 bytes at whole multiples of their size lie in
/// one line each.
template <class Number>
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t size) : size_(size), lines_((size + of_line - 1) / of_line) {}
  [[nodiscard]] Number* data() { return reinterpret_cast<Number*>(lines_.data()); }
  [[nodiscard]] const Number* data() const { return reinterpret_cast<const Number*>(lines_.data()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t of_line = 64 / sizeof(Number);
  struct alignas(64) Line {
    Number number[of_line] = {};
  };
  std::size_t size_;
  std::vector<Line> lines_;
};

}}  // namespace glassworks::series
