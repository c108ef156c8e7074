#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <ostream>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scheduler/campaign/work_order.hpp"
#include "scheduler/convergence/convergence.hpp"

namespace glassworks { namespace {

constexpr std::size_t realizations = 10'000;
const ConvergenceConfig convergence{.min_rounds = 16, .max_rounds = 1024};

/// How hard the realizations of a campaign are: the rounds after which each of them has finished. One that needs
/// n rounds finishes at the first decision from there on. The other decisions estimate n within a factor of 2.
class Hardness {
 public:
  using Law = std::function<double(std::mt19937_64&)>;

  /// first  rounds that realization 0 needs at least
  Hardness(const Law& law, unsigned seed, double first = 0.0) : random_(seed), needed_(realizations) {
    const auto maximum = static_cast<std::uint32_t>(convergence.max_rounds);
    std::vector<std::uint32_t> end(maximum + 1);  // the first decision at n rounds or later
    for (std::uint32_t n = maximum + 1, due = maximum; n-- > 0; end[n] = due)
      due = decision_due(convergence, n) ? n : due;
    for (double& n : needed_) n = std::min(law(random_), static_cast<double>(convergence.max_rounds));
    needed_[0] = std::max(needed_[0], first);
    for (const double n : needed_) rounds.push_back(end[static_cast<std::size_t>(std::ceil(n))]);
  }

  [[nodiscard]] std::uint32_t estimate(std::size_t realization) {
    return static_cast<std::uint32_t>(std::ceil(needed_[realization] * std::exp2(spread_(random_))));
  }

  std::vector<std::uint32_t> rounds;

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> spread_{-1.0, 1.0};
  std::vector<double> needed_;
};

/// Exponent 1.5 from 8 rounds on: one of three realizations needs more than the minimum, one of 1500 the maximum.
double pareto(std::mt19937_64& random) {
  return 8.0 * std::pow(1.0 - std::generate_canonical<double, 53>(random), -1.0 / 1.5);
}
double log_normal(std::mt19937_64& random) { return std::lognormal_distribution<double>(std::log(16.0), 1.2)(random); }

/// Workers of one kind. A round of m realizations takes ceil(m / width) units of time.
struct Workers {
  std::size_t count, batch, width;
};

/// Who decides what a worker takes next.
class Order {
 public:
  virtual ~Order() = default;
  virtual void release(const RealizationRow& row) = 0;
  virtual std::vector<RealizationKey> take() = 0;
};

/// First in, first out: what a worker gives back goes to the end.
class Queue : public Order {
 public:
  explicit Queue(const Workers& workers) : workers_(workers) {}
  void release(const RealizationRow& row) override {
    if (row.rounds == 0) ++open_;
    if (is_finished(row.status)) {
      --open_;
    } else {
      queue_.push(row.key);
    }
  }
  std::vector<RealizationKey> take() override {
    const std::size_t even = (open_ + workers_.count - 1) / workers_.count;
    const std::size_t size = std::min({workers_.batch, std::max(workers_.width, even), queue_.size()});
    std::vector<RealizationKey> batch;
    for (; batch.size() < size; queue_.pop()) batch.push_back(queue_.front());
    return batch;
  }

 private:
  Workers workers_;
  std::queue<RealizationKey> queue_;
  std::size_t open_ = 0;
};

class ByWorkOrder : public Order {
 public:
  explicit ByWorkOrder(const Workers& workers)
      : workers_(workers), order_(convergence, {{8, 1.0}}), rows_(realizations) {}
  void release(const RealizationRow& row) override {
    rows_[row.key.realization] = row;
    order_.update(row, true);
  }
  std::vector<RealizationKey> take() override {
    std::vector<RealizationKey> batch =
        order_.next([&](int) { return workers_.batch; }, workers_.count, [&](int) { return workers_.width; }).keys;
    for (const RealizationKey& key : batch) order_.update(rows_[key.realization], false);
    return batch;
  }

 private:
  Workers workers_;
  WorkOrder order_;
  std::vector<RealizationRow> rows_;
};

std::vector<RealizationRow> new_campaign() {
  std::vector<RealizationRow> rows(realizations);
  for (std::size_t i = 0; i < realizations; ++i) rows[i].key = {8, static_cast<std::uint32_t>(i)};
  return rows;
}

/// Time at which the last realization has finished. All members of a batch end their rounds together.
double makespan(const Workers& workers, Hardness hardness, Order& order,
                std::vector<RealizationRow> rows = new_campaign()) {
  for (const RealizationRow& row : rows) order.release(row);
  struct Round {
    double end;
    std::size_t worker;
    std::vector<RealizationKey> batch;
    bool operator<(const Round& other) const { return std::tie(other.end, other.worker) < std::tie(end, worker); }
  };
  std::priority_queue<Round> running;
  std::set<std::size_t> idle;
  for (std::size_t worker = 0; worker < workers.count; ++worker) idle.insert(worker);
  double now = 0.0;
  for (;;) {
    while (!idle.empty()) {
      std::vector<RealizationKey> batch = order.take();
      if (batch.empty()) break;
      const double time = static_cast<double>((batch.size() + workers.width - 1) / workers.width);
      running.push({now + time, *idle.begin(), std::move(batch)});
      idle.erase(idle.begin());
    }
    if (running.empty()) return now;
    now = running.top().end;
    for (const RealizationKey& key : running.top().batch) {
      RealizationRow& row = rows[key.realization];
      if (++row.rounds == hardness.rounds[key.realization]) {
        row.status = RealizationStatus::converged;
      } else if (decision_due(convergence, row.rounds)) {
        row.status = RealizationStatus::equilibrating;
        row.judgement.expected_rounds = hardness.estimate(key.realization);
      }
      order.release(row);
    }
    idle.insert(running.top().worker);
    running.pop();
  }
}

/// Times that no order can go below.
struct Bounds {
  double offline = 0.0;  ///< of an order that knows what it cannot know: all the work, or the hardest alone
  /// Before its first decision a realization looks like any other, so the hardest may be the last one to be judged. For
  /// an order that knows the rows only this is what it can promise.
  double online = 0.0;

  Bounds(const Workers& workers, const std::vector<std::uint32_t>& rounds) {
    const double speed = static_cast<double>(workers.count * workers.width), minimum = convergence.min_rounds;
    const double hardest = *std::max_element(rounds.begin(), rounds.end());
    offline = std::max(std::accumulate(rounds.begin(), rounds.end(), 0.0) / speed, hardest);
    online = std::max(offline, minimum * static_cast<double>(rounds.size()) / speed + hardest - minimum);
  }
};

struct Case {
  const char* name;
  Hardness::Law law;
  unsigned seed;
  std::size_t batch;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << ", batch " << c.batch; }

class LongMakespan : public ::testing::TestWithParam<Case> {};

// Everything is computed from fixed seeds: there are no false alarms.
TEST_P(LongMakespan, WithinFivePercentOfTheBoundAndBelowFirstInFirstOut) {
  const auto& [name, law, seed, batch] = GetParam();
  const Hardness hardness(law, seed);
  double order_sum = 0.0, queue_sum = 0.0;
  std::printf("%s, batch %zu, seed %u: makespan / offline bound (online bound)\n", name, batch, seed);
  for (const std::size_t width : {std::size_t{1}, batch}) {
    for (const std::size_t count : {1, 2, 8, 32}) {
      const Workers workers{count, batch, width};
      const Bounds bounds(workers, hardness.rounds);
      ByWorkOrder order(workers);
      Queue queue(workers);
      const double ordered = makespan(workers, hardness, order), queued = makespan(workers, hardness, queue);
      std::printf("%3zu workers, width %3zu: order of work %.3f (%.3f), first in first out %.3f (%.3f)\n", count, width,
                  ordered / bounds.offline, ordered / bounds.online, queued / bounds.offline, queued / bounds.online);
      EXPECT_GE(ordered, bounds.offline) << "the simulation is wrong";
      EXPECT_LE(ordered, 1.05 * bounds.online) << count << " workers, width " << width;
      EXPECT_LE(ordered, 1.01 * queued) << count << " workers, width " << width;
      order_sum += ordered / bounds.online;
      queue_sum += queued / bounds.online;
    }
  }
  EXPECT_LT(order_sum - 8.0, 0.2 * (queue_sum - 8.0)) << "what is lost, summed over all";
}

// More realizations were asked for while a hard one was still running.
TEST(LongMakespanContinued, AKnownHardRealizationDoesNotWaitForNewOnes) {
  const auto easy = [](std::mt19937_64& random) { return std::lognormal_distribution<double>(2.8, 0.2)(random); };
  const Hardness hardness(easy, 5, 1024.0);
  std::vector<RealizationRow> rows = new_campaign();
  rows[0].rounds = 100;
  rows[0].status = RealizationStatus::equilibrating;
  rows[0].judgement.expected_rounds = 900;
  for (std::size_t i = 1; i < realizations / 5; ++i) {
    rows[i].rounds = hardness.rounds[i];
    rows[i].status = RealizationStatus::converged;
  }
  for (const Workers& workers : {Workers{16, 32, 32}, Workers{256, 32, 1}}) {
    ByWorkOrder order(workers);
    const double time = makespan(workers, hardness, order, rows), alone = 1024.0 - 100.0;
    std::printf("%zu workers, width %zu: %.0f rounds of the hard one last %.0f\n", workers.count, workers.width, alone,
                time);
    EXPECT_LE(time, 1.05 * alone);
  }
}

std::string name_of(const ::testing::TestParamInfo<Case>& test) {
  return test.param.name + std::to_string(test.param.batch);
}

INSTANTIATE_TEST_SUITE_P(Laws, LongMakespan,
                         ::testing::Values(Case{"Pareto", pareto, 1, 32}, Case{"LogNormal", log_normal, 4, 256}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(SlowLaws, LongMakespan,
                         ::testing::Values(Case{"Pareto", pareto, 2, 256}, Case{"LogNormal", log_normal, 3, 32}),
                         name_of);

}}  // namespace glassworks
