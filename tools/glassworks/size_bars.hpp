#pragma once

#include <string>
#include <vector>

#include "scheduler/campaign/run_observer.hpp"

namespace glassworks { inline namespace tools {

/// A line with a bar, in parts that may have colours: "L = 8  [", "####", "....] 3/8 converged".
struct BarLine {
  std::string begin, full, rest;
};

/// A line for each size of a campaign that runs, with bars as long as the columns allow; without bars where they allow
/// none. Of more sizes than rows those that are not finished come first.
///
/// columns, rows  of the terminal; 0: not known
/// word           for realizations that are done: "converged" or "complete"
[[nodiscard]] std::vector<BarLine> size_bars(std::vector<SizeProgress> sizes, int columns, int rows, const char* word);

}}  // namespace glassworks::tools
