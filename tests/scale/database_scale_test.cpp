#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <span>

#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/campaign/work_order.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks { namespace {

using testing::CpuTime;
using testing::median;
using testing::SyntheticRounds;
using testing::Timer;

constexpr int realizations = 10'000;
constexpr std::int64_t now = 1'000'000, never = std::int64_t{1} << 60;

/// Rounds of each realization, or as many as GLASSWORKS_SCALE_ROUNDS says (44 is the mean of a real campaign).
int rounds_per_realization(int few) {
  const char* text = std::getenv("GLASSWORKS_SCALE_ROUNDS");
  return text == nullptr ? few : std::max(std::atoi(text), 1);
}

/// Time per round of what a worker does beside simulating, for each batch [s].
struct Overhead {
  std::vector<double> lease, decision, commit, all;
  double slowest_batch = 0.0;  ///< whole

  void add(double l, double d, double c, std::size_t batch) {
    const auto n = static_cast<double>(batch);
    lease.push_back(l / n);
    decision.push_back(d / n);
    commit.push_back(c / n);
    all.push_back((l + d + c) / n);
    slowest_batch = std::max(slowest_batch, l + d + c);
  }
};

/// A campaign of one size on a real file system whose rounds cost nothing.
class DatabaseScale : public ::testing::Test {
 protected:
  explicit DatabaseScale(int rounds = 4)
      : rounds_per_realization_(rounds_per_realization(rounds)),
        database_(Database::create(file_, "scale\n", {source_.size()}, realizations)),
        worker_(database_.add_worker(worker())) {
    for (const RealizationRow& row : database_.realizations()) {
      rows_[row.key] = row;
      order_.update(row, true);
    }
  }

  /// One batch as a worker makes it, if anything is open. Every realization ends at the maximum of rounds.
  void run_batch(std::size_t limit, Overhead& overhead) {
    if (open() == 0) return;
    Timer timer;
    std::vector<RealizationRow> wanted;
    for (const RealizationKey& key : order_.next([=](int) { return limit; }, 1).keys) wanted.push_back(rows_.at(key));
    const std::vector<RealizationRow> leased = database_.lease(worker_, wanted);
    for (const RealizationRow& row : leased) order_.update(row, false);
    const double lease = timer.lap();
    ASSERT_EQ(leased.size(), wanted.size());

    std::vector<RoundCommit> commits;
    for (const RealizationRow& row : leased) commits.push_back(source_.next(row));
    record_bytes_ = SyntheticRounds::bytes(commits.front().record);
    timer.lap();

    for (RoundCommit& commit : commits) decide_about(commit);
    const double decision = timer.lap();

    database_.commit(worker_, commits, {"test", "test", "test", "none", "host"}, now, 1.0);
    for (std::size_t i = 0; i < commits.size(); ++i) {
      RealizationRow row = leased[i];
      row.status = commits[i].status;
      row.rounds = commits[i].round + 1;
      row.judgement = commits[i].judgement;
      order_.update(rows_[row.key] = row, true);
    }
    rounds_ += commits.size();
    overhead.add(lease, decision, timer.lap(), commits.size());
  }

  [[nodiscard]] std::size_t open() const { return order_.open(); }

  const int rounds_per_realization_;
  /// Decisions are due from half of the rounds of a short run on, so that they read about as much per round as in a
  /// long one.
  const ConvergenceConfig convergence_{.min_rounds = std::min(16, std::max(rounds_per_realization_ / 2, 1)),
                                       .max_rounds = rounds_per_realization_};
  testing::DiskDirectory directory_;
  std::filesystem::path file_ = directory_.path() / database_file_name;
  SyntheticRounds source_;
  Database database_;
  std::int64_t worker_;
  WorkOrder order_{convergence_, {{SyntheticRounds::L, 1.0}}};
  std::map<RealizationKey, RealizationRow> rows_;
  std::size_t rounds_ = 0, record_bytes_ = 0;

 private:
  static WorkerRow worker() {
    WorkerRow row;
    row.host = "host";
    row.backend = "none";
    row.expires = never;
    return row;
  }
  void decide_about(RoundCommit& commit) const {
    if (!decision_due(convergence_, commit.round + 1)) return;
    std::vector<RoundRow> history = database_.rounds(commit.key, 0, RoundSamples::skip);
    RoundRow& newest = history.emplace_back();
    newest.round = commit.round;
    newest.record = commit.record;
    Decision decision =
        decide(convergence_, history, SyntheticRounds::slots, ChainObservables(source_.layout()), commit.round_trips);
    const bool last = commit.round + 1 == static_cast<std::uint32_t>(convergence_.max_rounds);
    commit.status = last ? RealizationStatus::converged : RealizationStatus::equilibrating;
    commit.reason = decision.reason;
    commit.judgement = decision.judgement;
  }
};

class WholeCampaignScale : public DatabaseScale {
 protected:
  WholeCampaignScale() : DatabaseScale(2) {}
};

TEST_F(WholeCampaignScale, ARoundCostsLessThanAMillisecondBesideItsSimulation) {
  const double empty = static_cast<double>(directory_.bytes());
  std::map<std::size_t, Overhead> by_limit{{32, {}}, {256, {}}};
  Timer whole;
  while (open() > 0) {
    for (auto& [limit, overhead] : by_limit) ASSERT_NO_FATAL_FAILURE(run_batch(limit, overhead));
  }
  std::printf("%zu rounds of %d realizations in %.1f s\n", rounds_, realizations, whole.lap());
  ASSERT_EQ(rounds_, static_cast<std::size_t>(realizations * rounds_per_realization_));
  EXPECT_EQ(database_.workers().at(0).rounds, rounds_);

  for (const auto& [limit, o] : by_limit) {
    const double sync = testing::sync_seconds(directory_.path(), limit * record_bytes_);
    std::printf(
        "batches of %3zu: %.3f ms per round (mean %.3f; medians: lease %.3f, decision %.3f, commit %.3f), slowest "
        "batch "
        "%.0f ms; writing and syncing as much: %.3f ms per round\n",
        limit, 1e3 * median(o.all), 1e3 * testing::mean(o.all), 1e3 * median(o.lease), 1e3 * median(o.decision),
        1e3 * median(o.commit), 1e3 * o.slowest_batch, 1e3 * sync / static_cast<double>(limit));
    // Where the disk is slow, the write-ahead log, the database and the lease are synced.
    EXPECT_LE(median(o.all), std::max(1e-3, 4.0 * sync / static_cast<double>(limit))) << "batches of " << limit;
  }

  const double growth = (static_cast<double>(directory_.bytes()) - empty) / static_cast<double>(rounds_);
  std::printf("database: %.0f bytes per round, %zu of them arrays\n", growth, record_bytes_);
  EXPECT_LT(growth, 1.5 * static_cast<double>(record_bytes_));
  EXPECT_GT(growth, static_cast<double>(record_bytes_));

  const Database reader = Database::open(file_, DatabaseAccess::read_only);
  Timer timer;
  const std::int64_t moment = reader.changes_since(0).sequence;
  const double first = timer.lap();
  std::vector<double> later, status;
  for (int i = 0; i < 5; ++i) {
    timer.lap();
    EXPECT_TRUE(reader.changes_since(moment).rows.empty());
    later.push_back(timer.lap());
    const Database opened = Database::open(file_, DatabaseAccess::read_only);
    EXPECT_EQ(opened.realizations().size(), static_cast<std::size_t>(realizations));
    EXPECT_EQ(opened.workers().size(), 1U);
    status.push_back(timer.lap());
  }
  std::printf("all rows as changes: %.1f ms; no change: %.3f ms; whole status: %.1f ms\n", 1e3 * first,
              1e3 * median(later), 1e3 * median(status));
  EXPECT_LT(first, 0.2);
  EXPECT_LT(median(later), 0.002);
  EXPECT_LT(median(status), 0.2);
}

/// As the coordinator of many workers does it: in one transaction many batches are committed and the next ones leased.
TEST_F(DatabaseScale, GroupsOfBatchesCostAFifthOfAMillisecondPerRound) {
  constexpr std::size_t batches = 64, rounds_of_a_measurement = 16'384;
  const Provenance provenance{"test", "test", "test", "none", "host"};
  const RoundCommit pattern = source_.next(database_.realization({SyntheticRounds::L, 0}));
  const auto as_leased = [&](const RealizationRow& row) {
    RoundCommit commit = pattern;
    commit.key = row.key;
    commit.attempt = row.attempt;
    commit.round = row.rounds;
    commit.checkpoint = checkpoint_name(row.key, row.rounds + 1, commit.state_digest);
    commit.status = RealizationStatus::equilibrating;
    return commit;
  };
  for (const std::size_t batch : {1, 32}) {
    std::vector<RealizationRow> free = database_.realizations();
    std::vector<std::vector<RealizationRow>> held(batches);
    double wall = 0.0, user = 0.0, system = 0.0, slowest = 0.0;
    std::size_t rounds = 0, position = 0;
    while (rounds < rounds_of_a_measurement) {
      std::vector<std::vector<RoundCommit>> finished;
      for (const auto& rows : held) {
        auto& commits = finished.emplace_back();
        for (const RealizationRow& row : rows) commits.push_back(as_leased(row));
      }
      const CpuTime before = CpuTime::now();
      Timer timer;
      database_.together([&] {
        for (const auto& commits : finished) database_.commit(worker_, commits, provenance, now, 1.0);
        for (auto& rows : held) {
          const auto wanted = std::span(free).subspan(position, batch);
          position = position + 2 * batch > free.size() ? 0 : position + batch;
          rows = database_.lease(worker_, wanted);
        }
      });
      const double lap = timer.lap();
      const CpuTime after = CpuTime::now();
      for (const auto& rows : held) {
        ASSERT_EQ(rows.size(), batch);
        for (const RealizationRow& row : rows) {
          RealizationRow& next = free[row.key.realization];
          next = row;
          next.worker = 0;
          ++next.rounds;
        }
      }
      for (const auto& commits : finished) rounds += commits.size();
      if (finished.front().empty()) continue;
      wall += lap;
      user += after.user - before.user;
      system += after.system - before.system;
      slowest = std::max(slowest, lap);
    }
    for (const auto& rows : held) database_.release(worker_, rows, LeaseEnd::given_back);
    const double per_round = user / static_cast<double>(rounds);
    std::printf(
        "groups of %zu batches of %zu: %.0f rounds/s of user time, %.0f of all time of the processor, %.0f of wall "
        "time; slowest group %.0f ms\n",
        batches, batch, 1.0 / per_round, static_cast<double>(rounds) / (user + system),
        static_cast<double>(rounds) / wall, 1e3 * slowest);
    EXPECT_LT(per_round, 0.2e-3) << "batches of " << batch;
  }
}

TEST_F(DatabaseScale, AFewChangesAreFoundQuickly) {
  Overhead overhead;
  std::int64_t moment = database_.changes_since(0).sequence;
  std::vector<double> seconds;
  for (int i = 0; i < 10; ++i) {
    run_batch(32, overhead);
    Timer timer;
    const Changes changes = database_.changes_since(moment);
    seconds.push_back(timer.lap());
    ASSERT_EQ(changes.rows.size(), 32U);
    moment = changes.sequence;
  }
  std::printf("32 changes among %d realizations: %.3f ms\n", realizations, 1e3 * median(seconds));
  EXPECT_LT(median(seconds), 0.005);
}

}}  // namespace glassworks
