#include "analysis/statistics/for_each_realization.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <optional>
#include <utility>

#include "engine/threads.hpp"

namespace glassworks::inline analysis {
namespace {

constexpr int most_threads = 8;
constexpr std::size_t histories_per_thread = 3;  // one is read while two wait for their turn

/// A realization that has been looked at.
struct Visited {
  std::vector<RoundRow> rounds;
  Keep keep;
};

/// The history of a row and what the visitor finds in it; nothing if it is not wanted. The connection is that of the
/// thread, made when it is needed first.
Visited visit(const std::filesystem::path& file, std::optional<Database>& database, const RealizationRow& row,
              const RealizationVisitor& visitor, const PassOptions& options) {
  Visited result;
  if (row.rounds == 0 || (options.wanted && !options.wanted(row))) return result;
  if (!database) database = Database::open(file, DatabaseAccess::read_only);
  result.rounds = database->rounds(row.key, 0, options.samples);
  // A campaign that runs may have committed more since the rows were read; it cannot have less.
  result.rounds.resize(row.rounds);
  result.keep = visitor(row, result.rounds);
  return result;
}

}  // namespace

std::vector<RealizationRow> for_each_realization(const Database& database, int L, const RealizationVisitor& visitor,
                                                 const PassOptions& options) {
  using Visit = std::packaged_task<Visited(std::optional<Database>&)>;
  std::vector<RealizationRow> rows = database.realizations(L);
  const int threads = options.threads > 0 ? options.threads : std::min(hardware_threads(), most_threads);
  std::deque<std::future<Visited>> visits;  // of the next rows, in their order
  TaskQueue<Visit> queue(std::min(static_cast<std::size_t>(threads), rows.size()), [] {
    return [connection = std::optional<Database>()](Visit task) mutable { task(connection); };
  });
  auto next = rows.cbegin();
  const auto post_next = [&] {
    if (next == rows.cend()) return;
    Visit task([&, row = &*next++](std::optional<Database>& connection) {
      return visit(database.file(), connection, *row, visitor, options);
    });
    visits.push_back(task.get_future());
    queue.post(std::move(task));
  };
  for (std::size_t i = 0; i < histories_per_thread * static_cast<std::size_t>(threads); ++i) post_next();
  for (int done = 1, total = static_cast<int>(rows.size()); done <= total; ++done) {
    {
      const Visited visited = visits.front().get();
      visits.pop_front();
      if (visited.keep) visited.keep();
    }
    post_next();
    if (options.progress) options.progress(L, done, total);
  }
  return rows;
}

}  // namespace glassworks::inline analysis
