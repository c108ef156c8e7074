#include <algorithm>

#include "engine/loading/memory.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/campaign/work_order.hpp"
#include "tools/glassworks/dry_run.hpp"

namespace glassworks { inline namespace tools {

RoundsLeft rounds_left(const Config& config, std::size_t size_index, const std::vector<RealizationRow>& rows,
                       double pilots) {
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
  if (config.convergence.lengths == Lengths::course) left.least = left.expected = left.most;
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
