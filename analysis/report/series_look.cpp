#include "analysis/report/series_look.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t most_kinds = 3;

/// "L = 8, median": 8 and "median".
struct SizeLabel {
  int L = 0;
  std::string kind;
};

std::optional<SizeLabel> parse(std::string_view label) {
  constexpr std::string_view start = "L = ";
  if (!label.starts_with(start)) return std::nullopt;
  label.remove_prefix(start.size());
  SizeLabel result;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), result.L);
  if (error != std::errc() || result.L <= 0) return std::nullopt;
  label.remove_prefix(static_cast<std::size_t>(end - label.data()));
  if (label.empty()) return result;
  const bool is_list = label.size() < 3 || !label.starts_with(", ") || (label[2] >= '0' && label[2] <= '9');
  if (is_list) return std::nullopt;
  result.kind = label.substr(2);
  return result;
}

const std::string& legend_of(const Series& series) { return series.legend.empty() ? series.name : series.legend; }

const std::string& group_of(const Series& series) { return series.group.empty() ? legend_of(series) : series.group; }

/// Place of a value in a list, at the end if it is new.
template <class Value>
int place_in(std::vector<Value>& list, const Value& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  const auto place = static_cast<int>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return place;
}

std::vector<int> sizes_in(const Figure& figure) {
  std::set<int> sizes;
  for (const Series& series : figure.series) {
    if (const auto size = size_of_label(group_of(series))) sizes.insert(*size);
  }
  return {sizes.begin(), sizes.end()};
}

/// Looks of one figure.
class Looks {
 public:
  explicit Looks(const Figure& figure)
      : figure_(figure), own_(sizes_in(figure)), sizes_(figure.sizes.empty() ? own_ : figure.sizes) {
    std::set<std::string> kinds;
    for (const Series& series : figure.series) {
      if (has_points(series)) marked_.insert(group_of(series));
      const auto label = parse(legend_of(series));
      if (label) kinds.insert(label->kind);
    }
    splits_ = kinds.size() <= most_kinds && (kinds.size() > 1 || !kinds.contains(""));
  }

  FigureLooks all() {
    for (const Series& series : figure_.series) {
      const auto size = size_of_label(group_of(series));
      result_.series.push_back(size ? of_size(series, *size) : of_group(series));
    }
    return std::move(result_);
  }

 private:
  SeriesLook of_size(const Series& series, int L) {
    const int place = place_in(sizes_, L);
    const auto label = parse(legend_of(series));
    const std::string kind = label ? label->kind : "";
    const int variant = place_in(has_points(series) ? point_kinds_ : line_kinds_, kind);
    const bool only_lines = !marked_.contains(group_of(series));
    SeriesLook look{.colour = place % colours,
                    .symbol = place,
                    .open = (place >= colours) != (has_points(series) && variant % 2 == 1),
                    .dash = variant,
                    .legend = legend_of(series)};
    if (only_lines && !splits_ && variant == 0) look.dash = place;
    if (label && splits_) {
      look.legend = "L = " + std::to_string(L);
      const bool known = std::any_of(result_.kinds.begin(), result_.kinds.end(),
                                     [&](const LegendKind& one) { return one.text == kind; });
      if (!kind.empty() && !known) {
        result_.kinds.push_back({kind, has_points(series), has_points(series) && variant % 2 == 1, variant});
      }
    }
    return look;
  }

  SeriesLook of_group(const Series& series) {
    const int place = place_in(groups_, group_of(series));
    const bool beside_sizes = !own_.empty();
    return {.colour = beside_sizes ? neutral_colour : place % colours,
            .symbol = place + (beside_sizes ? static_cast<int>(sizes_.size()) : 0),
            .open = !beside_sizes && place >= colours,
            .dash = marked_.contains(group_of(series)) ? 0 : place,
            .legend = legend_of(series)};
  }

  const Figure& figure_;
  std::vector<int> own_, sizes_;
  std::set<std::string> marked_;  ///< groups with points: lines of the others are told apart by dashes
  std::vector<std::string> groups_, point_kinds_, line_kinds_;
  bool splits_ = false;  ///< the legend holds sizes and kinds apart
  FigureLooks result_;
};

}  // namespace

bool has_points(const Series& series) {
  return series.style == SeriesStyle::points || series.style == SeriesStyle::points_and_line;
}

FigureLooks figure_looks(const Figure& figure) { return Looks(figure).all(); }

std::optional<int> size_of_label(std::string_view label) {
  const auto parsed = parse(label);
  return parsed ? std::optional(parsed->L) : std::nullopt;
}

void share_sizes(Document& document) {
  std::set<int> sizes;
  const auto for_each_figure = [&](const auto& use) {
    for (Section& section : document.sections) {
      for (Item& item : section.items) {
        if (auto* figure = std::get_if<Figure>(&item)) use(*figure);
      }
    }
  };
  for_each_figure([&](const Figure& figure) {
    for (const int L : sizes_in(figure)) sizes.insert(L);
  });
  for_each_figure([&](Figure& figure) { figure.sizes = {sizes.begin(), sizes.end()}; });
}

}}  // namespace glassworks::analysis
