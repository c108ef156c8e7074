#include "engine/graphs/graph_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.hpp"

namespace glassworks { inline namespace engine {

GraphLine::GraphLine(const std::filesystem::path& file, std::int64_t number, std::string_view text)
    : file_(file), number_(number) {
  text = text.substr(0, std::min(text.find_first_of("#%"), text.find("//")));
  constexpr std::string_view blanks = " \t\r,";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.empty()) break;
    const std::size_t length = std::min(text.find_first_of(blanks), text.size());
    if (count_ < words_.size()) words_[count_] = text.substr(0, length);
    ++count_;
    text.remove_prefix(length);
  }
  if (count_ > 0 && words_[0] == "c") count_ = 0;
}

void GraphLine::refuse(InputFault fault, const std::string& sentence) const {
  throw InputError(fault, file_.string(), fmt::format("{}:{}: {}", file_.string(), number_, sentence));
}

std::optional<std::int32_t> GraphLine::whole(std::size_t index) const {
  std::int32_t value = 0;
  const std::string_view text = words_[index];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::int32_t GraphLine::site(std::size_t index) const {
  if (const auto value = whole(index)) return *value;
  const std::string_view text = words_[index];
  if (std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    refuse(InputFault::out_of_range,
           fmt::format("site {} is out of range (0 to {}). Number the sites without large gaps.", in_quotes(text),
                       std::numeric_limits<std::int32_t>::max()));
  }
  refuse(InputFault::malformed,
         fmt::format("{} is not a site (sites are whole numbers from 0 or 1). Correct the line.", in_quotes(text)));
}

double GraphLine::value(std::size_t index, const char* name) const {
  std::string_view text = words_[index];
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range || (error == std::errc() && !(std::abs(value) <= largest_in_graph))) {
    refuse(InputFault::out_of_range,
           fmt::format("the {} {} is out of range (finite, up to {} in size). Rescale the values.", name,
                       in_quotes(words_[index]), largest_in_graph));
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(InputFault::malformed,
           fmt::format("the {} {} is not a number (it stands behind the sites). Correct the line.", name,
                       in_quotes(words_[index])));
  }
  return value;
}

void for_each_graph_line(const std::filesystem::path& file, std::string_view text,
                         const std::function<void(const GraphLine&)>& read) {
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const GraphLine line(file, number, text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.words() > 0) read(line);
  }
}

namespace {

/// Reads a list of bonds, a list of terms, or a file of qbsolv.
class BondList {
 public:
  void read(const GraphLine& line) {
    if (line.word(0) == "p") return read_problem(line);
    if (is_qubo_) return read_element(line);
    if (has_terms_) return read_term(line);
    if (!first_ && line.word(0) == "terms") return read_terms_header(line);
    if (!first_) {
      first_.emplace(line);
      return;
    }
    if (columns_ == 0) columns_ = line.words();
    if (line.words() < 2 || line.words() > 3 || line.words() != columns_) refuse_columns(line);
    add_bond(line);
  }

  RawGraph finished() {
    if (is_qubo_) {
      check_elements();
      return std::move(raw_);
    }
    if (has_terms_) {
      check_terms();
      return std::move(raw_);
    }
    if (first_) place_first();
    raw_.has_couplings = columns_ == 3;
    raw_.format = !raw_.has_couplings ? "edges" : (raw_.nodes ? "max-cut" : "couplings");
    return std::move(raw_);
  }

 private:
  void add_bond(const GraphLine& line) {
    const std::int32_t a = line.site(0), b = line.site(1);
    raw_.bonds.push_back({a, b, line.number(), line.words() == 3 ? line.value(2, "coupling") : 1.0});
    largest_ = std::max({largest_, a, b});
    smallest_ = std::min({smallest_, a, b});
  }

  void refuse_columns(const GraphLine& line) const {
    if (line.words() >= 2 && line.words() <= 3) {
      line.refuse(InputFault::malformed,
                  fmt::format("{} columns instead of {} (either all lines have a coupling or none). Correct the line.",
                              line.words(), columns_));
    }
    line.refuse(InputFault::malformed,
                fmt::format("a line holds two sites, or two sites and a coupling (this one has {}). {}.",
                            line.words() == 1 ? "one word" : "more",
                            line.words() == 1 ? "Correct the line"
                                              : "Correct the line; where more sites are coupled, begin the file with a "
                                                "line `terms`"));
  }

  /// Decides whether the first line is a header.
  void place_first() {
    const GraphLine& line = *first_;
    if (line.words() < 2 || line.words() > 3) refuse_columns(line);
    const auto nodes = line.whole(0), edges = line.whole(1);
    const auto count = static_cast<std::int64_t>(raw_.bonds.size());
    const bool other_columns = line.words() != columns_;
    if (count > 0 && nodes && edges && *nodes >= 2 && (other_columns || line.words() == 2 || line.word(2) == "0")) {
      const bool sites_fit = smallest_ == 0 ? largest_ < *nodes : largest_ <= *nodes;
      // The nodes are right, and as a bond the line would leave sites without bonds.
      const bool miscounted = (*nodes == largest_ || *nodes == largest_ + 1) && *edges > largest_ + 1;
      if (*edges == count && sites_fit) {
        if (!other_columns && line.words() == 2) require_one_meaning(line, *nodes, *edges);
        if (line.words() == 3) static_cast<void>(line.value(2, "third number of the header"));
        raw_.nodes = nodes;
        raw_.header_line = line.number();
        return;
      }
      if (miscounted || (other_columns && (*edges == count || sites_fit))) refuse_header(line, *nodes, *edges);
    }
    if (columns_ == 0) columns_ = line.words();
    if (line.words() != columns_) refuse_columns(line);
    add_bond(line);
  }

  /// A header that fits could be a bond as well if both of its numbers are those of sites.
  void require_one_meaning(const GraphLine& line, std::int32_t nodes, std::int32_t edges) const {
    const auto is_same = [&](const RawGraph::Bond& b) { return std::minmax(b.a, b.b) == std::minmax(nodes, edges); };
    if (edges >= nodes || std::ranges::any_of(raw_.bonds, is_same)) return;
    line.refuse(
        InputFault::conflict,
        fmt::format(
            "the line can be a bond or a header of {} nodes and {} edges (both fit the file). Write `{} {} 0` for a "
            "header, or move the bond to another line.",
            nodes, edges, nodes, edges));
  }

  void refuse_header(const GraphLine& line, std::int32_t nodes, std::int32_t edges) const {
    const auto count = static_cast<std::int64_t>(raw_.bonds.size());
    if (edges != count) {
      line.refuse(
          InputFault::conflict,
          fmt::format("the header has {} edges, but the file {} (a header is `nodes edges`). Complete the file, "
                      "or correct the header.",
                      edges, count));
    }
    line.refuse(InputFault::conflict, fmt::format("the header has {} nodes, but a bond leads to site {} (sites are "
                                                  "numbered from {}). Correct the header.",
                                                  nodes, largest_, smallest_ == 0 ? 0 : 1));
  }

  /// `terms`, perhaps with the numbers of sites and of lines behind it
  void read_terms_header(const GraphLine& line) {
    if (line.words() != 1 && line.words() != 3) {
      line.refuse(InputFault::malformed,
                  fmt::format("the line `terms` has {} words (it is `terms` or `terms sites lines`). Correct it.",
                              line.words()));
    }
    has_terms_ = raw_.has_couplings = true;
    raw_.format = "terms";
    first_.emplace(line);
    if (line.words() == 1) return;
    raw_.nodes = line.site(1);
    elements_ = line.site(2);
    raw_.header_line = line.number();
  }

  /// Sites, then J.
  void read_term(const GraphLine& line) {
    constexpr std::size_t most = SiteGraph::max_term_sites;
    if (line.words() < 2 || line.words() > most + 1) {
      line.refuse(InputFault::malformed,
                  fmt::format("{} (a line is 1 to {} sites, and the coupling behind them). Correct the line.",
                              line.words() < 2 ? "one word alone" : "too many words", most));
    }
    std::vector<std::int32_t> sites;
    for (std::size_t k = 0; k + 1 < line.words(); ++k) sites.push_back(line.site(k));
    const double J = line.value(line.words() - 1, "coupling");
    ++lines_;
    std::ranges::sort(sites);
    if (const auto twice = std::ranges::adjacent_find(sites); twice != sites.end()) {
      line.refuse(InputFault::conflict,
                  fmt::format("site {} stands twice in a term (s^2 = 1, so that it drops out). Remove both.", *twice));
    }
    if (sites.size() == 1) {
      raw_.fields.push_back({sites[0], line.number(), -J});  // of sum h s
    } else if (sites.size() == 2) {
      raw_.bonds.push_back({sites[0], sites[1], line.number(), J});
    } else {
      raw_.terms.push_back({std::move(sites), line.number(), J});
    }
  }

  void check_terms() const {
    if (!raw_.nodes || lines_ == elements_) return;
    first_->refuse(InputFault::conflict,
                   fmt::format("the line `terms` has {} lines, but {} follow (it is `terms sites lines`). Complete the "
                               "file, or correct the line.",
                               elements_, lines_));
  }

  /// `p qubo 0 N diagonals elements`
  void read_problem(const GraphLine& line) {
    if (is_qubo_ || first_) {
      line.refuse(InputFault::repeated, "a `p` line is not the first one (it says what follows). Move it to the top.");
    }
    if (line.words() != 6 || line.word(1) != "qubo") {
      line.refuse(
          InputFault::unsupported,
          "the kind of the `p` line is unknown (`p qubo 0 N diagonals elements` is known). Write lines `i j J`.");
    }
    is_qubo_ = raw_.from_zero = raw_.has_couplings = true;
    raw_.format = "qubo";
    raw_.energy = RawGraph::Energy::binary;
    raw_.nodes = line.site(3);
    raw_.header_line = line.number();
    diagonals_ = line.site(4);
    elements_ = line.site(5);
    first_.emplace(line);
  }

  void read_element(const GraphLine& line) {
    if (line.words() != 3) {
      line.refuse(InputFault::malformed,
                  fmt::format("{} columns instead of 3 (a line of a qubo file is `i j value`). Correct the line.",
                              line.words()));
    }
    const std::int32_t a = line.site(0), b = line.site(1);
    const double value = line.value(2, "value");
    if (std::max(a, b) >= *raw_.nodes) {
      line.refuse(InputFault::out_of_range,
                  fmt::format("site {} is out of range (0 to {}, as the `p` line says). Correct it.", std::max(a, b),
                              *raw_.nodes - 1));
    }
    if (a == b) {
      raw_.fields.push_back({a, line.number(), value});
    } else {
      raw_.bonds.push_back({a, b, line.number(), value});
    }
  }

  void check_elements() const {
    if (static_cast<std::int64_t>(raw_.fields.size()) == diagonals_ &&
        static_cast<std::int64_t>(raw_.bonds.size()) == elements_)
      return;
    first_->refuse(
        InputFault::conflict,
        fmt::format("the `p` line has {} diagonals and {} elements, but the file {} and {} (`p qubo 0 N diagonals "
                    "elements`). Complete the file, or correct the line.",
                    diagonals_, elements_, raw_.fields.size(), raw_.bonds.size()));
  }

  RawGraph raw_;
  std::optional<GraphLine> first_;  ///< a header, a bond or the `p` line
  std::size_t columns_ = 0;         ///< of lines after the first one
  std::int32_t largest_ = 0, smallest_ = std::numeric_limits<std::int32_t>::max();
  bool is_qubo_ = false, has_terms_ = false;
  std::int64_t diagonals_ = 0, elements_ = 0, lines_ = 0;
};

}  // namespace

RawGraph read_graph_lines(const std::filesystem::path& file, std::string_view text) {
  if (text.starts_with("%%MatrixMarket")) {
    throw InputError(
        InputFault::unsupported, file.string(),
        fmt::format("The graph file '{}' cannot be used (it is a Matrix Market file). Write one line `i j J` "
                    "for each pair i < j.",
                    file.string()));
  }
  BondList list;
  for_each_graph_line(file, text, [&](const GraphLine& line) { list.read(line); });
  return list.finished();
}

}}  // namespace glassworks::engine
