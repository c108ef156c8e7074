#include <algorithm>

#include "engine/loading/memory.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/course.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/campaign/work_order.hpp"
#include "tools/glassworks/dry_run.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Of a course all is known: every realization goes to its end.
RoundsLeft rounds_of_course(const Config& config, std::size_t size_index, const std::vector<RealizationRow>& rows) {
  const std::vector<CourseRound> course = rounds_of(make_course(config, {}));
  const auto end = static_cast<double>(course.back().to);
  double rounds = 0.0, steps = 0.0;
  const auto add = [&](std::size_t done) {
    done = std::min(done, course.size());
    rounds += static_cast<double>(course.size() - done);
    steps += done == 0 ? end : end - static_cast<double>(course[done - 1].to);
  };
  for (const RealizationRow& row : rows) {
    if (!is_finished(row.status)) add(row.rounds);
  }
  const std::size_t all = realization_numbers(config, size_index).size();
  for (std::size_t i = rows.size(); i < all; ++i) add(0);
  return {.least = rounds,
          .expected = rounds,
          .most = rounds,
          .judged = 0,
          .average = steps * static_cast<double>(course.size()) / end};
}

}  // namespace

RoundsLeft rounds_left(const Config& config, std::size_t size_index, const std::vector<RealizationRow>& rows,
                       double pilots) {
  if (config.course.exists()) return rounds_of_course(config, size_index, rows);
  const int L = config.model.L.at(size_index);
  RoundsLeft left{.least = pilots, .expected = pilots, .most = pilots};
  WorkOrder order(config.convergence, {{L, 1.0}});
  const auto add = [&](const RealizationRow& row) {
    order.update(row, false);
    if (row.judgement.expected_rounds > 0) ++left.judged;
    if (is_finished(row.status)) return;
    left.least += std::max<double>(config.convergence.min_rounds - static_cast<double>(row.rounds), 0.0);
    left.most += std::max<double>(config.convergence.max_rounds - static_cast<double>(row.rounds), 0.0);
  };
  for (const RealizationRow& row : rows) add(row);
  for (const std::uint32_t r : realization_numbers(config, size_index) | std::views::drop(rows.size())) {
    RealizationRow row;
    row.key = {L, r};
    add(row);
  }
  left.expected += order.remaining_work();
  if (order.open() == 0 || left.least == left.most) left.judged = 0;
  return left;
}

double database_bytes_per_round(const Chain& chain) {
  const double slots = chain.slots();
  const double observables = chain.course != nullptr ? series_layout(chain).size() : BinLayout(chain).size();
  const double samples = sample_bytes(BinLayout(chain), chain.slots(), chain.samples);
  return 1.1 * (8.0 * slots * observables + 24.0 * slots + 28.0 * chain.replicas() + samples);
}

}}  // namespace glassworks::tools
