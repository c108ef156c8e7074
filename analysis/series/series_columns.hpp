#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/series/campaign_series.hpp"

namespace glassworks { inline namespace analysis {

/// Columns of one family, "c4_axis(0)", "c4_axis(1)", ..., in the order of r; empty if the size has none.
[[nodiscard]] std::vector<std::size_t> columns_by_distance(const SizeSeries& series, const std::string& family);
/// The column of a name; none if the size does not have it.
[[nodiscard]] std::optional<std::size_t> column_of(const SizeSeries& series, const std::string& name);
/// Why copies were compared and there is no C_4(r) nevertheless; empty where there is one.
[[nodiscard]] std::string why_no_distances(const SizeSeries& series);
/// Waiting times of the columns "correlation(t_w)", ascending.
[[nodiscard]] std::vector<std::uint64_t> waiting_times(const SizeSeries& series);
/// The time t_w that a column refers to ("correlation(t_w)", "c22_axis(t_w,r)", ...), before which it holds 0; 0 for
/// other columns [column].
[[nodiscard]] std::vector<std::uint64_t> reference_times(const SizeSeries& series);

}}  // namespace glassworks::analysis
