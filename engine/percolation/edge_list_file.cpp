#include "engine/percolation/edge_list_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text_file.hpp"
#include "engine/config/config_value.hpp"
#include "engine/loading/memory.hpp"

namespace glassworks { inline namespace engine {
namespace {

struct LinePlace {
  const std::filesystem::path& file;
  std::size_t number;

  [[noreturn]] void refuse(InputFault fault, const std::string& problem) const {
    throw InputError(fault, file.string(), fmt::format("{}:{}: {}", file.string(), number, problem));
  }
};

/// Takes the next word off a line; empty at its end.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r,"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r,"));
  line.remove_prefix(word.size());
  return word;
}

Site site_number(std::string_view word, const LinePlace& line) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
    line.refuse(InputFault::malformed,
                fmt::format("{} is not a site (sites are numbers from 0). Correct the line.", in_quotes(word)));
  }
  if (error == std::errc::result_out_of_range || value >= Graph::max_sites) {
    line.refuse(InputFault::out_of_range,
                fmt::format("site {} is out of range (0 to {}). Number the sites from 0 without large gaps.",
                            in_quotes(word), Graph::max_sites - 1));
  }
  return static_cast<Site>(value);
}

[[noreturn]] void refuse_file(InputFault fault, const std::filesystem::path& file, const std::string& why,
                              const char* suggestion) {
  throw InputError(fault, file.string(),
                   fmt::format("The edge list {} cannot be used ({}). {}.", file.string(), why, suggestion));
}

/// A few isolated sites are part of a graph; a number far from all others is a slip, and would cost much memory.
bool has_gaps(Site largest, std::size_t edges) { return largest / 16 > edges + (1U << 16); }

}  // namespace

Graph read_edge_list(const std::filesystem::path& file) {
  const double memory = physical_memory_bytes();
  const std::string text = read_text_file(file, "edge list", static_cast<std::uintmax_t>(memory / 8));
  std::vector<std::pair<Site, Site>> edges;
  Site largest = 0;
  std::string_view left(text);
  for (std::size_t number = 1; !left.empty(); ++number) {
    const std::size_t length = std::min(left.find('\n'), left.size());
    std::string_view rest = left.substr(0, length);
    left.remove_prefix(std::min(length + 1, left.size()));
    rest = rest.substr(0, rest.find('#'));
    const LinePlace line{file, number};
    const std::string_view first = next_word(rest), second = next_word(rest);
    if (first.empty()) continue;
    if (second.empty() || !next_word(rest).empty()) {
      line.refuse(InputFault::malformed, fmt::format("a line holds two sites (this one has {}). Correct the line.",
                                                     second.empty() ? "one" : "more"));
    }
    edges.emplace_back(site_number(first, line), site_number(second, line));
    largest = std::max({largest, edges.back().first, edges.back().second});
  }
  if (edges.empty()) refuse_file(InputFault::missing, file, "it has no edge", "Give one per line");
  if (has_gaps(largest, edges.size())) {
    refuse_file(InputFault::out_of_range, file,
                fmt::format("its largest site is {}, but it has {} edges only", largest, edges.size()),
                "Number the sites from 0 without large gaps");
  }
  constexpr double bytes_per_site = 24.0, bytes_per_edge = 20.0;  // the pairs, the bonds, the labels
  if (bytes_per_site * largest + bytes_per_edge * static_cast<double>(edges.size()) > memory / 2) {
    refuse_file(InputFault::too_large, file,
                fmt::format("{} edges do not fit into the memory of this machine", edges.size()),
                "Use a smaller graph or a larger machine");
  }
  return Graph::from_edges(largest + 1, edges);
}

}}  // namespace glassworks::engine
