#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// A line of a file of a graph in words, without its comment.
class GraphLine {
 public:
  GraphLine(const std::filesystem::path& file, std::int64_t number, std::string_view text);

  [[nodiscard]] std::size_t words() const { return count_; }
  [[nodiscard]] std::string_view word(std::size_t index) const { return words_[index]; }
  [[nodiscard]] std::int64_t number() const { return number_; }

  [[noreturn]] void refuse(InputFault fault, const std::string& sentence) const;
  /// A number from 0 to 2^31 - 1; nothing where the word is none.
  [[nodiscard]] std::optional<std::int32_t> whole(std::size_t index) const;
  /// The same. Throws InputError, which calls it a site.
  [[nodiscard]] std::int32_t site(std::size_t index) const;
  /// A finite number of size up to 1e30. Throws InputError.
  [[nodiscard]] double value(std::size_t index, const char* name) const;

 private:
  const std::filesystem::path& file_;
  std::int64_t number_;
  /// Those that can be of use; a line may hold millions.
  std::array<std::string_view, SiteGraph::max_term_sites + 1> words_;
  std::size_t count_ = 0;
};

/// Calls read(line) for every line that holds anything but comments.
void for_each_graph_line(const std::filesystem::path& file, std::string_view text,
                         const std::function<void(const GraphLine&)>& read);

/// Largest size of a coupling, field or coordinate.
constexpr double largest_in_graph = 1e30;

/// Bonds and fields with the numbers of sites that a file has.
struct RawGraph {
  struct Bond {
    std::int32_t a = 0, b = 0;
    std::int64_t line = 0;  ///< 0: of a file without lines
    double coupling = 0;
  };
  struct Field {
    std::int32_t site = 0;
    std::int64_t line = 0;
    double field = 0;
  };
  /// A term of more than two sites.
  struct Term {
    std::vector<std::int32_t> sites;
    std::int64_t line = 0;
    double coupling = 0;
  };
  enum class Energy {
    couplings,  ///< - sum J s s
    ising,      ///< sum J s s + sum h s
    binary,     ///< sum b x x + sum a x
  };

  std::vector<Bond> bonds;
  std::vector<Term> terms;
  std::vector<Field> fields;        ///< a field may be there twice
  std::vector<std::int32_t> sites;  ///< that are there even without bonds
  bool has_couplings = false;
  Energy energy = Energy::couplings;
  std::optional<std::int32_t> nodes;  ///< that a header gives
  std::int64_t header_line = 0;
  bool from_zero = false;  ///< the format says so
  double constant = 0;
  std::string format;
};

[[nodiscard]] RawGraph read_graph_lines(const std::filesystem::path& file, std::string_view text);
[[nodiscard]] RawGraph read_quadratic_json(const std::filesystem::path& file, std::string_view text);

}}  // namespace glassworks::engine
