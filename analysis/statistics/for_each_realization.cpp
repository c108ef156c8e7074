#include "analysis/statistics/for_each_realization.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <map>
#include <utility>

#include "base/task_queue.hpp"
#include "base/threads.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr int most_threads = 8;
constexpr std::size_t histories_per_thread = 3;  // one is read while two wait for their turn

/// A realization that has been looked at.
struct Visited {
  std::vector<RoundRow> rounds;
  Keep keep;
};

/// Connections of a thread, by campaign.
using Connections = std::map<const Database*, Database>;

/// A campaign, and where its provenances stand among those of all; empty: as in the campaign.
struct Source {
  const Database* campaign = nullptr;
  std::vector<std::int64_t> provenances;
};

/// Reads the history of a row and calls the visitor; returns nothing if the row is not wanted. Opens a connection when
/// it is first needed.
Visited visit(const Source& source, Connections& connections, const RealizationRow& row,
              const RealizationVisitor& visitor, const PassOptions& options) {
  Visited result;
  if (row.rounds == 0 || (options.wanted && !options.wanted(row))) return result;
  auto connection = connections.find(source.campaign);
  if (connection == connections.end()) {
    Database opened = Database::open(source.campaign->file(), DatabaseAccess::read_only);
    connection = connections.emplace(source.campaign, std::move(opened)).first;
  }
  result.rounds = connection->second.rounds(row.key, 0, options.samples);
  // A campaign that runs may have committed more since the rows were read; it cannot have less.
  result.rounds.resize(row.rounds);
  for (RoundRow& round : result.rounds) {
    if (!source.provenances.empty()) {
      round.provenance = source.provenances.at(static_cast<std::size_t>(round.provenance) - 1);
    }
  }
  result.keep = visitor(row, result.rounds);
  return result;
}

}  // namespace

std::vector<RealizationRow> for_each_realization(const CampaignSet& campaigns, int L, const RealizationVisitor& visitor,
                                                 const PassOptions& options) {
  using Visit = std::packaged_task<Visited(Connections&)>;
  std::vector<RealizationRow> rows;
  std::deque<Source> sources;
  std::vector<const Source*> source_of;  // [row]
  for (const Database* campaign : campaigns.with_size(L)) {
    std::vector<RealizationRow> of_one = campaign->realizations(L);
    std::ranges::move(of_one, std::back_inserter(rows));
    sources.push_back({campaign, {}});
    if (campaigns.members().size() > 1) sources.back().provenances = campaigns.provenance_places(*campaign);
    source_of.resize(rows.size(), &sources.back());
  }
  const int threads = options.threads > 0 ? options.threads : std::min(hardware_threads(), most_threads);
  std::deque<std::future<Visited>> visits;  // of the next rows, in their order
  TaskQueue<Visit> queue(std::min(static_cast<std::size_t>(threads), rows.size()),
                         [] { return [connections = Connections()](Visit task) mutable { task(connections); }; });
  auto next = rows.cbegin();
  const auto post_next = [&] {
    if (next == rows.cend()) return;
    const Source* source = source_of[static_cast<std::size_t>(next - rows.cbegin())];
    Visit task([&, source, row = &*next++](Connections& connections) {
      return visit(*source, connections, *row, visitor, options);
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

}}  // namespace glassworks::analysis
