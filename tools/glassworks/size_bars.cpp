#include "tools/glassworks/size_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "tools/glassworks/terminal.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int usual_bar = 24, shortest_bar = 6, longest_bar = 60;
constexpr std::size_t other_lines = 2;  ///< below the bars

std::string counts_of(const SizeProgress& size, const char* word) {
  std::string text = fmt::format("{}/{} {}", size.converged, size.realizations, word);
  if (size.failed > 0) text += fmt::format(", {} failed", size.failed);
  if (size.quarantined > 0) text += fmt::format(", {} quarantined", size.quarantined);
  return text;
}

}  // namespace

std::vector<BarLine> size_bars(std::vector<SizeProgress> sizes, int columns, int rows, const char* word) {
  const std::size_t room = rows > 0 ? static_cast<std::size_t>(rows) : sizes.size() + other_lines;
  if (sizes.size() + other_lines > room) {
    std::ranges::stable_partition(sizes, [](const SizeProgress& size) { return size.done < size.whole; });
    sizes.resize(room > other_lines ? room - other_lines : 0);
    std::ranges::sort(sizes, {}, &SizeProgress::L);
  }
  std::size_t longest = 0, digits = 0;
  for (const SizeProgress& size : sizes) {
    longest = std::max(longest, counts_of(size, word).size());
    digits = std::max(digits, std::to_string(size.L).size());
  }
  const int around = static_cast<int>(longest + digits) + 10;  // "L = ", "  [", "] ", and the last column
  const int width = columns > 0 ? std::min(columns - around, longest_bar) : usual_bar;
  std::vector<BarLine> lines;
  for (const SizeProgress& size : sizes) {
    const std::string head = fmt::format("L = {:<{}}  ", size.L, digits), counts = counts_of(size, word);
    if (width < shortest_bar) {
      lines.push_back({fit(head + counts, columns), "", ""});
      continue;
    }
    const double part = size.whole > 0.0 ? std::clamp(size.done / size.whole, 0.0, 1.0) : 0.0;
    const auto full = static_cast<std::size_t>(part * width + 1e-9), places = static_cast<std::size_t>(width);
    lines.push_back({head + '[', std::string(full, '#'), std::string(places - full, '.') + "] " + counts});
  }
  return lines;
}

}}  // namespace glassworks::tools
