#include "tools/glassworks/campaign_view.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "db/copy.hpp"
#include "scheduler/campaign/process.hpp"
#include "scheduler/campaign/work_order.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Realizations whose latest round gives the acceptance: its counts hardly differ between realizations.
constexpr int acceptance_sample = CampaignCopier::copied_realizations_per_size;

/// here  name of this machine; empty if the campaign runs on another one
WorkerState worker_state(const WorkerRow& row, const std::string& here, std::int64_t now) {
  WorkerState state{.row = row};
  const auto seconds_since = [now](std::int64_t then) { return std::max(0.0, 1e-3 * static_cast<double>(now - then)); };
  state.silent_seconds = seconds_since(row.heartbeat);
  state.seconds = seconds_since(row.started);
  state.updates_per_ns = state.seconds > 0.0 ? row.updates / (1e9 * state.seconds) : 0.0;
  if (row.host == here && !is_running(row)) {
    state.signs = WorkerLiveness::ended;
  } else if (row.expires <= now) {
    state.signs = WorkerLiveness::silent;
  }
  return state;
}

}  // namespace

Quantiles quantiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double p) {
    return values[std::min(static_cast<std::size_t>(p * static_cast<double>(values.size())), values.size() - 1)];
  };
  return {values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

std::uint64_t SizeState::count(RealizationStatus status) const {
  const auto found = counts.find(status);
  return found == counts.end() ? 0 : found->second;
}

std::uint64_t SizeState::finished() const {
  std::uint64_t sum = 0;
  for (const auto& [status, n] : counts) sum += is_finished(status) ? n : 0;
  return sum;
}

const char* to_string(WorkerLiveness signs) {
  switch (signs) {
    case WorkerLiveness::alive:
      return "alive";
    case WorkerLiveness::silent:
      return "silent";
    case WorkerLiveness::ended:
      return "ended";
  }
  return "unknown";
}

std::uint64_t CampaignState::realizations() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const SizeState& size) { return sum + size.realizations; });
}

std::uint64_t CampaignState::count(RealizationStatus status) const {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0},
                         [status](std::uint64_t sum, const SizeState& size) { return sum + size.count(status); });
}

bool CampaignState::finished() const {
  return std::ranges::all_of(sizes, [](const SizeState& size) { return size.finished() == size.realizations; });
}

bool CampaignState::has_course() const {
  return std::ranges::any_of(sizes, [](const SizeState& size) { return size.course.has_value(); });
}

std::size_t CampaignState::alive() const {
  return static_cast<std::size_t>(
      std::ranges::count(workers, WorkerLiveness::alive, [](const WorkerState& worker) { return worker.signs; }));
}

double CampaignState::remaining_updates() const {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0,
                         [](double sum, const SizeState& size) { return sum + size.remaining_updates; });
}

double CampaignState::updates_per_ns() const {
  return std::accumulate(workers.begin(), workers.end(), 0.0, [](double sum, const WorkerState& worker) {
    return sum + (worker.signs == WorkerLiveness::alive ? worker.updates_per_ns : 0.0);
  });
}

bool CampaignState::remaining_is_least() const { return std::ranges::any_of(sizes, &SizeState::remaining_is_least); }

double CampaignState::remaining_seconds(double updates_per_ns) const {
  const double updates = remaining_updates();
  if (updates <= 0.0) return 0.0;
  return updates_per_ns > 0.0 ? updates / (1e9 * updates_per_ns) : -1.0;
}

double CampaignState::done() const {
  double done = 0.0, whole = 0.0;
  for (const SizeState& size : sizes) {
    done += size.course ? size.course->swept : static_cast<double>(size.finished());
    whole += size.course ? size.course->sweeps : static_cast<double>(size.realizations);
  }
  return whole > 0.0 ? done / whole : 0.0;
}

CampaignView::CampaignView(std::filesystem::path directory, LookDepth depth)
    : directory_(std::move(directory)), depth_(depth) {}

/// Opens the database anew: where its log had to be read into memory, an open one would never change.
CampaignState CampaignView::look() {
  const ViewedCampaign looked = open_for_viewing(directory_);
  const Database& database = looked.database;
  Changes changes = database.changes_since(sequence_);
  sequence_ = changes.sequence;
  for (RealizationRow& row : changes.rows) {
    auto& rows = rows_[row.key.L];
    rows.insert_or_assign(rows.end(), row.key.realization, std::move(row));
  }
  const Config config = parse_config(database.config_text());
  CampaignState state;
  state.copy = looked.copy;
  state.amendments = database.amendments();
  state.ladder_stages_wanted = config.ladder.adapt_rounds;
  for (const SizeRow& size : database.sizes()) {
    state.sizes.push_back(size_state(database, config, size));
    if (depth_ == LookDepth::state || config.course.exists()) continue;
    read_latest(database, size.L, state.copy ? acceptance_sample : figure_sample);
    for (const auto& [key, known] : latest_) {
      if (key.L == size.L) state.sizes.back().latest.emplace_back(key, known.row);
    }
  }
  state.config = config;
  const WorkerRow here = this_process("", 0);
  for (const WorkerRow& worker : database.workers()) {
    state.workers.push_back(worker_state(worker, state.copy ? "" : here.host, here.heartbeat));
  }
  return state;
}

/// Of a copy, `sample` has to be what it holds. Rounds of realizations that were not read before come first.
void CampaignView::read_latest(const Database& database, int L, std::size_t sample) {
  std::vector<const RealizationRow*> wanted, newer;
  std::size_t seen = 0;
  for (const auto& [realization, row] : rows_.at(L)) {
    if (row.rounds == 0) continue;
    if (seen++ == sample) break;
    const auto known = latest_.find(row.key);
    if (known == latest_.end())
      wanted.push_back(&row);
    else if (known->second.rounds != row.rounds)
      newer.push_back(&row);
  }
  wanted.insert(wanted.end(), newer.begin(), newer.end());
  if (wanted.size() > rounds_per_look) wanted.resize(rounds_per_look);
  for (const RealizationRow* row : wanted) {
    for (RoundRow& round : database.rounds(row->key, row->rounds - 1, RoundSamples::skip)) {
      latest_.insert_or_assign(row->key, KnownRound{row->rounds, std::move(round)});
    }
  }
}

SizeState CampaignView::size_state(const Database& database, const Config& config, const SizeRow& size) const {
  const auto place = std::ranges::find(config.model.L, size.L);
  const Chain chain = make_chain(config, static_cast<std::size_t>(place - config.model.L.begin()), size.temperatures);
  SizeState state;
  state.L = size.L;
  state.temperatures = size.temperatures;
  state.observables = size.observables;
  state.adapting = size.adapting;
  if (size.adapting) state.ladder_stages = static_cast<int>(database.ladder_stages(size.L).size());
  WorkOrder order(config.convergence, {{size.L, 1.0}});
  std::vector<double> rounds, tau, reached;
  std::vector<CourseRound> course;
  if (chain.course) course = rounds_of(*chain.course);
  const auto time_of = [&](const RealizationRow& row) {
    return row.rounds == 0 || course.empty()
               ? 0.0
               : static_cast<double>(course[std::min<std::size_t>(row.rounds, course.size()) - 1].to);
  };
  for (const auto& [realization, row] : rows_.at(size.L)) {
    ++state.realizations;
    ++state.counts[row.status];
    state.rounds += row.rounds;
    if (chain.course) reached.push_back(time_of(row));
    if (!chain.course) state.updates += row.rounds * chain.updates_per_round();
    state.round_trips += row.round_trips;
    rounds.push_back(row.rounds);
    if (row.judgement.expected_rounds > 0) tau.push_back(row.judgement.tau);
    order.update(row, false);
  }
  state.rounds_of_one = quantiles_of(std::move(rounds));
  state.judged = tau.size();
  state.tau = quantiles_of(std::move(tau));
  state.remaining_rounds = order.remaining_work();
  state.remaining_is_least = order.remaining_is_least() || size.adapting;
  state.remaining_updates = state.remaining_rounds * mean_updates_of_round(chain);
  if (chain.course) {
    CourseState& along = state.course.emplace();
    along.end = course.empty() ? 0 : course.back().to;
    const auto end = static_cast<double>(along.end);
    double left = 0.0;
    for (const auto& [realization, row] : rows_.at(size.L)) {
      along.swept += time_of(row);
      along.sweeps += end;
      if (!is_finished(row.status)) left += end - time_of(row);
    }
    along.reached = quantiles_of(std::move(reached));
    const double updates_per_sweep = chain.updates_per_stretch() / chain.protocol.exchanges_per_measurement;
    state.updates = along.swept * updates_per_sweep;
    state.remaining_updates = left * updates_per_sweep;
    state.remaining_is_least = false;
  }
  if (chain.protocol.exchange != ExchangeSchedule::none) state.acceptance = acceptance(database, size);
  return state;
}

std::optional<AcceptanceRange> CampaignView::acceptance(const Database& database, const SizeRow& size) const {
  const std::size_t pairs = size.temperatures.size() - 1;
  std::vector<double> attempts(pairs), accepted(pairs);
  AcceptanceRange range;
  for (const auto& [realization, row] : rows_.at(size.L)) {
    if (range.realizations == acceptance_sample) break;
    if (row.rounds == 0) continue;
    ++range.realizations;
    for (const RoundRow& round : database.rounds(row.key, row.rounds - 1, RoundSamples::skip)) {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        attempts[pair] += static_cast<double>(round.record.exchange_attempts[pair]);
        accepted[pair] += static_cast<double>(round.record.exchange_accepted[pair]);
      }
    }
  }
  if (pairs == 0 || range.realizations == 0) return std::nullopt;
  range.smallest = 1.0;
  for (std::size_t pair = pairs; pair-- > 0;) {  // among equal ones the coldest is named
    const double part = attempts[pair] > 0.0 ? accepted[pair] / attempts[pair] : 0.0;
    range.largest = std::max(range.largest, part);
    if (part > range.smallest) continue;
    range.smallest = part;
    range.T_of_smallest = size.temperatures[pair];
  }
  return range;
}

std::vector<RealizationRow> CampaignView::hardest(std::size_t n) const {
  std::vector<const RealizationRow*> open;
  for (const auto& [L, rows] : rows_) {
    for (const auto& [realization, row] : rows) {
      if (!is_finished(row.status) && row.judgement.expected_rounds > 0) open.push_back(&row);
    }
  }
  const auto harder = [](const RealizationRow* a, const RealizationRow* b) {
    const auto key = [](const RealizationRow& row) {
      return std::make_tuple(row.judgement.expected_rounds, row.judgement.tau, row.key);
    };
    return key(*a) > key(*b);
  };
  const auto shown = open.begin() + static_cast<std::ptrdiff_t>(std::min(n, open.size()));
  std::partial_sort(open.begin(), shown, open.end(), harder);
  std::vector<RealizationRow> rows;
  for (auto row = open.begin(); row != shown; ++row) rows.push_back(**row);
  return rows;
}

}}  // namespace glassworks::tools
