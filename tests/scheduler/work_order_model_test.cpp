#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "scheduler/campaign/work_order.hpp"
#include "scheduler/convergence/convergence.hpp"

namespace glassworks { namespace {

const ConvergenceConfig convergence{.min_rounds = 16, .max_rounds = 1024};

/// What WorkOrder does, by looking at every row at every call.
class Model {
 public:
  explicit Model(std::map<int, double> work) : work_(std::move(work)) {}

  void update(const RealizationRow& r, bool free) { rows_[r.key] = {r, free}; }

  [[nodiscard]] std::size_t open(int L) const {
    return count([L](const RealizationRow& r, bool) { return r.key.L == L; });
  }
  [[nodiscard]] std::size_t free() const {
    return count([](const RealizationRow&, bool is_free) { return is_free; });
  }
  [[nodiscard]] double remaining_work() const {
    double sum = 0.0;
    for (const auto& [L, work] : work_) {
      for (const auto& [key, held] : rows_) {
        const RealizationRow& r = held.first;
        if (key.L == L && !is_finished(r.status)) sum += ((judged(r) ? needed(r) : mean_of(L)) - r.rounds) * work;
      }
    }
    return sum;
  }
  [[nodiscard]] std::vector<RealizationKey> next(std::size_t limit, std::size_t workers, std::size_t width) const {
    const double share = remaining_work() / static_cast<double>(workers);
    // Of those that are critical, and of the others, by work; but of one size, what is judged and critical comes first.
    using Rank = std::tuple<bool, double, std::uint32_t, std::uint32_t, int>;
    std::vector<std::pair<Rank, const RealizationRow*>> ranked;
    for (const auto& [key, held] : rows_) {
      const auto& [r, is_free] = held;
      if (is_finished(r.status) || !is_free) continue;
      ranked.emplace_back(Rank{!judged(r) || !is_critical(r, share / width), -rest(r) * work_.at(key.L), r.rounds,
                               key.realization, key.L},
                          &r);
    }
    if (ranked.empty()) return {};
    std::sort(ranked.begin(), ranked.end());
    std::map<std::pair<int, bool>, std::pair<Rank, const RealizationRow*>> heads;  // by size and whether it is suspect
    for (const auto& [rank, r] : ranked) heads.try_emplace({r->key.L, r->failures >= 3}, rank, r);
    for (auto& [size, head] : heads) std::get<0>(head.first) = !is_critical(*head.second, share / width);
    const RealizationRow& first =
        *std::ranges::min_element(heads, {}, [](const auto& head) { return head.second.first; })->second.second;
    const int L = first.key.L;
    std::size_t size = std::min(limit, std::max(width, (open(L) + workers - 1) / workers));
    if (judged(first)) {
      const auto full = [&] { return static_cast<double>((size + width - 1) / width * width); };  // what it costs
      while (size > width && full() * rest(first) * work_.at(L) > share) --size;
    }
    if (first.failures >= 3) size = 1;
    std::vector<RealizationKey> keys;
    for (const auto& [rank, r] : ranked) {
      if (keys.size() == size || r->key.L != L || (r->failures >= 3) != (first.failures >= 3)) continue;
      keys.push_back(r->key);
    }
    return keys;
  }

 private:
  static bool judged(const RealizationRow& r) { return r.rounds >= 16 || r.judgement.expected_rounds > 0; }
  static double needed(const RealizationRow& r) {
    std::uint32_t due = r.rounds + 1;
    while (!decision_due(convergence, due)) ++due;
    return std::max(due, std::min(r.judgement.expected_rounds, 1024U));
  }
  /// Rounds of one that is not judged yet, as far as is known.
  [[nodiscard]] double mean_of(int L) const {
    double known = 0.0, total = 0.0;
    for (const auto& [key, held] : rows_) {
      const RealizationRow& r = held.first;
      if (key.L != L || r.status == RealizationStatus::quarantined || !judged(r)) continue;
      known += 1.0;
      total += is_finished(r.status) ? r.rounds : needed(r);
    }
    return known == 0.0 ? 16.0 : std::max(16.0, total / known);
  }
  [[nodiscard]] bool is_critical(const RealizationRow& r, double work) const {
    return (judged(r) ? rest(r) : std::min(2.0 * mean_of(r.key.L) - r.rounds, rest(r))) >= work / work_.at(r.key.L);
  }
  static double rest(const RealizationRow& r) {
    return (judged(r) ? std::max(needed(r), std::min(2.0 * needed(r), 1024.0)) : 1024.0) - r.rounds;
  }
  [[nodiscard]] std::size_t count(const std::function<bool(const RealizationRow&, bool)>& counts) const {
    std::size_t n = 0;
    for (const auto& [key, held] : rows_) {
      if (!is_finished(held.first.status) && counts(held.first, held.second)) ++n;
    }
    return n;
  }

  std::map<int, double> work_;
  std::map<RealizationKey, std::pair<RealizationRow, bool>> rows_;
};

RC_GTEST_PROP(WorkOrderModel, SameAsLookingAtEveryRow, ()) {
  const std::map<int, double> work{{4, 1.0}, {6, 4.0}};  // powers of two: sums and quotients without rounding errors
  WorkOrder order(convergence, work);
  Model model(work);
  const auto steps = *rc::gen::inRange(1, 200);
  for (int step = 0; step < steps; ++step) {
    RealizationRow r;
    r.key = {*rc::gen::element(4, 6), *rc::gen::inRange(0U, 12U)};
    r.rounds = *rc::gen::element(0U, 3U, 15U, 16U, 18U, 40U, 300U, 1000U);
    if (r.rounds >= 16) r.judgement.expected_rounds = *rc::gen::element(0U, 16U, 60U, 100U, 500U, 2000U);
    r.failures = *rc::gen::element(0, 0, 0, 2, 3);
    if (r.rounds >= 16 && *rc::gen::inRange(0, 4) == 0) r.status = RealizationStatus::converged;
    if (*rc::gen::inRange(0, 20) == 0) r.status = RealizationStatus::quarantined;
    const bool free = *rc::gen::inRange(0, 4) > 0;
    order.update(r, free);
    model.update(r, free);

    RC_ASSERT(order.free() == model.free());
    RC_ASSERT(order.open(4) == model.open(4));
    RC_ASSERT(order.open() == model.open(4) + model.open(6));
    RC_ASSERT(std::abs(order.remaining_work() - model.remaining_work()) < 1e-6);
    const auto limit = *rc::gen::inRange<std::size_t>(1, 12);
    const std::size_t workers = *rc::gen::element(1, 2, 4, 16), width = *rc::gen::inRange<std::size_t>(1, limit + 1);
    RC_ASSERT(order.next([=](int) { return limit; }, workers, [=](int) { return width; }).keys ==
              model.next(limit, workers, width));
  }
}

}}  // namespace glassworks
