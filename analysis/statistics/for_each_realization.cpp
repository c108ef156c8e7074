#include "analysis/statistics/for_each_realization.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/threads.hpp"

namespace glassworks::inline analysis {
namespace {

constexpr unsigned most_threads = 8;
constexpr std::size_t histories_per_thread = 3;  // one is read while two wait for their turn

/// A realization that has been looked at.
struct Visited {
  std::vector<RoundRow> rounds;
  Keep keep;
  std::exception_ptr failure;
};

/// Histories read by several threads and handed out in order.
class Pass {
 public:
  Pass(const Database& database, std::vector<RealizationRow> rows, const RealizationVisitor& visitor,
       const PassOptions& options)
      : file_(database.file()), rows_(std::move(rows)), visitor_(visitor), options_(options) {
    const unsigned processors = std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
    const std::size_t threads = options.threads > 0 ? static_cast<std::size_t>(options.threads) : processors;
    ahead_ = histories_per_thread * threads;
    try {
      start_threads(threads_, std::min(threads, rows_.size()), [this] { work(); });
    } catch (...) {
      stop();
      throw;
    }
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  ~Pass() { stop(); }

  /// The next realization in order.
  Visited next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || visited_.contains(kept_); });
    if (failure_) std::rethrow_exception(failure_);
    Visited result = std::move(visited_.extract(kept_).mapped());
    return result;
  }
  /// Its history is no longer needed.
  void kept() {
    const std::lock_guard lock(mutex_);
    ++kept_;
    changed_.notify_all();
  }
  [[nodiscard]] const std::vector<RealizationRow>& rows() const { return rows_; }

 private:
  /// What visits throw belongs to their realization; here the memory for what they found may be used up.
  void work() {
    try {
      visit_all();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  void visit_all() {
    std::optional<Database> database;
    for (;;) {
      std::size_t index;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || taken_ == rows_.size() || taken_ < kept_ + ahead_; });
        if (stopped_ || taken_ == rows_.size()) return;
        index = taken_++;
      }
      Visited result = visit(database, rows_[index]);
      const std::lock_guard lock(mutex_);
      visited_[index] = std::move(result);
      changed_.notify_all();
    }
  }

  Visited visit(std::optional<Database>& database, const RealizationRow& row) const {
    Visited result;
    if (row.rounds == 0 || (options_.wanted && !options_.wanted(row))) return result;
    try {
      if (!database) database = Database::open(file_, DatabaseAccess::read_only);
      result.rounds = database->rounds(row.key, 0, options_.samples);
      // A campaign that runs may have committed more since the rows were read; it cannot have less.
      result.rounds.resize(row.rounds);
      result.keep = visitor_(row, result.rounds);
    } catch (...) {
      result.failure = std::current_exception();
    }
    return result;
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    threads_.clear();  // joins
  }

  const std::filesystem::path file_;
  const std::vector<RealizationRow> rows_;
  const RealizationVisitor& visitor_;
  const PassOptions& options_;
  std::size_t ahead_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t taken_ = 0, kept_ = 0;  // realizations given to threads, and done with
  std::map<std::size_t, Visited> visited_;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<Thread> threads_;
};

}  // namespace

std::vector<RealizationRow> for_each_realization(const Database& database, int L, const RealizationVisitor& visitor,
                                                 const PassOptions& options) {
  Pass pass(database, database.realizations(L), visitor, options);
  const int total = static_cast<int>(pass.rows().size());
  for (int done = 1; done <= total; ++done) {
    {
      const Visited next = pass.next();
      if (next.failure) std::rethrow_exception(next.failure);
      if (next.keep) next.keep();
    }
    pass.kept();
    if (options.progress) options.progress(L, done, total);
  }
  return pass.rows();
}

}  // namespace glassworks::inline analysis
