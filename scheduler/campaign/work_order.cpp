#include "scheduler/campaign/work_order.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace glassworks { inline namespace scheduler {
namespace {

/// n / d, rounded up.
std::size_t rounded_up(std::size_t n, std::size_t d) { return (n + d - 1) / d; }

/// The number of rounds at which decision_due is true next.
std::uint32_t next_decision(const ConvergenceConfig& config, std::uint32_t rounds) {
  if (config.lengths == Lengths::course) return std::max(static_cast<std::uint32_t>(config.max_rounds), rounds + 1);
  auto due = static_cast<std::uint32_t>(config.min_rounds);
  while (due <= rounds) due += std::max(1U, due / 4);
  return std::max(std::min(due, static_cast<std::uint32_t>(config.max_rounds)), rounds + 1);
}

}  // namespace

bool WorkOrder::Place::operator<(const Place& other) const {
  return std::tie(other.rest, rounds, realization) < std::tie(rest, other.rounds, other.realization);
}

std::int64_t WorkOrder::Size::steps_after(std::uint32_t rounds) const {
  return rounds < steps_left.size() ? static_cast<std::int64_t>(steps_left[rounds]) : 0;
}

double WorkOrder::Size::average_rounds(std::int64_t steps) const {
  const double all = static_cast<double>(steps_left.front()), rounds = static_cast<double>(steps_left.size() - 1);
  return all > 0.0 ? static_cast<double>(steps) * rounds / all : 0.0;
}

double WorkOrder::Size::rest_of(const Place& place) const {
  return steps_left.empty() ? place.rest : average_rounds(steps_after(place.rounds));
}

double WorkOrder::Size::rounds_of_unjudged(int min_rounds) const {
  const double minimum = min_rounds;  // each of the known has had its decision there, unless the minimum was raised
  return known == 0 ? minimum : std::max(static_cast<double>(known_rounds) / static_cast<double>(known), minimum);
}

double WorkOrder::Size::remaining_rounds(int min_rounds) const {
  if (!steps_left.empty()) return average_rounds(open_steps);
  return static_cast<double>(judged_rest) + static_cast<double>(unjudged) * rounds_of_unjudged(min_rounds) -
         static_cast<double>(unjudged_rounds);
}

WorkOrder::WorkOrder(const ConvergenceConfig& config, std::map<int, double> work_per_round,
                     std::map<int, std::vector<std::uint64_t>> steps_left, std::size_t of_word)
    : config_(config), of_word_(of_word) {
  for (const auto& [L, work] : work_per_round) sizes_[L].work_per_round = work;
  for (auto& [L, steps] : steps_left) sizes_.at(L).steps_left = std::move(steps);
}

WorkOrder::Entry WorkOrder::entry(const RealizationRow& row, bool free, Stops stops) const {
  Entry e{.free = free, .suspect = row.failures >= suspect_failures, .rounds = row.rounds, .stops = stops};
  if (row.status == RealizationStatus::quarantined) {
    e.stage = Stage::left_out;
  } else if (is_finished(row.status)) {
    e.stage = Stage::finished;
    e.needed = row.rounds;
  } else if (row.judgement.expected_rounds > 0 || row.rounds >= static_cast<std::uint32_t>(config_.min_rounds)) {
    e.stage = Stage::judged;
    e.needed = std::min(row.judgement.expected_rounds, static_cast<std::uint32_t>(config_.max_rounds));
    e.needed = std::max(e.needed, next_decision(config_, row.rounds));
  }
  return e;
}

WorkOrder::Place WorkOrder::place(std::uint32_t realization, const Entry& e) const {
  const auto maximum = static_cast<std::uint32_t>(config_.max_rounds);
  if (e.stage == Stage::unjudged) return {maximum - e.rounds, e.rounds, realization};
  const std::uint32_t needed = e.stops == Stops::together ? next_decision(config_, e.rounds) : e.needed;
  const std::uint32_t possible = std::max(std::min(doubt * needed, maximum), needed);
  return {possible - e.rounds, e.rounds, realization};
}

/// Adds (by = 1) or takes back (by = -1) what an entry counts for.
void WorkOrder::count(Size& size, std::uint32_t realization, const Entry& e, std::int64_t by) const {
  const bool judged = e.stage == Stage::judged;
  if (judged || e.stage == Stage::finished) {
    size.known += by;
    size.known_rounds += by * e.needed;
  }
  if (e.stage == Stage::finished || e.stage == Stage::left_out) return;
  size.open += by;
  size.open_steps += by * size.steps_after(e.rounds);
  if (judged) {
    size.judged_rest += by * (e.needed - e.rounds);
  } else {
    size.unjudged += by;
    size.unjudged_rounds += by * e.rounds;
  }
  if (!e.free) return;
  size.free += by;
  FreeLists& lists = e.suspect ? size.suspects : size.ordinary;
  std::set<Place>& list = judged ? lists.judged : lists.unjudged;
  if (by > 0) {
    list.insert(place(realization, e));
  } else {
    list.erase(place(realization, e));
  }
}

void WorkOrder::update(const RealizationRow& row, bool free, Stops stops) {
  Size& size = sizes_.at(row.key.L);
  const Entry now = entry(row, free, stops);
  const auto [known, added] = size.entries.try_emplace(row.key.realization, now);
  if (!added) count(size, row.key.realization, known->second, -1);
  known->second = now;
  count(size, row.key.realization, now, 1);
}

/// Takes places from the lists of a size in order.
class WorkOrder::Source {
 public:
  /// share       work that each worker has to do until the end [spin updates]
  /// min_rounds  of the criteria
  Source(const Size& size, const FreeLists& lists, std::size_t width, double share, int min_rounds)
      : size_(size),
        lists_(lists),
        judged_(lists.judged.begin()),
        unjudged_(lists.unjudged.begin()),
        width_(static_cast<double>(width)),
        time_(share / (width_ * size.work_per_round)),
        unjudged_rounds_(size.steps_left.empty() ? doubt * size.rounds_of_unjudged(min_rounds) : 0.0) {}

  [[nodiscard]] bool empty() const { return judged_ == lists_.judged.end() && unjudged_ == lists_.unjudged.end(); }
  [[nodiscard]] const Place& next() const { return judged_next() ? *judged_ : *unjudged_; }
  Place take() { return judged_next() ? *judged_++ : *unjudged_++; }

  [[nodiscard]] bool precedes(const Source& other) const {
    if (critical() != other.critical()) return critical();
    const Place &mine = next(), &others = other.next();
    const double my_work = size_.rest_of(mine) * size_.work_per_round,
                 other_work = other.size_.rest_of(others) * other.size_.work_per_round;
    return std::tie(other_work, mine.rounds, mine.realization) < std::tie(my_work, others.rounds, others.realization);
  }
  /// Members, at most `limit`, of a batch with the next one that ends in time; up to width they cost no time.
  [[nodiscard]] std::size_t batch_size(std::size_t limit) const {
    if (!judged_next()) return limit;
    const double in_time = width_ * std::max(1.0, std::floor(time_ / size_.rest_of(next())));
    return in_time < static_cast<double>(limit) ? static_cast<std::size_t>(in_time) : limit;
  }

 private:
  [[nodiscard]] bool critical() const {
    if (judged_next()) return size_.rest_of(*judged_) >= time_;
    return std::min(unjudged_rounds_ - unjudged_->rounds, size_.rest_of(*unjudged_)) >= time_;
  }
  [[nodiscard]] bool judged_next() const {
    if (judged_ == lists_.judged.end()) return false;
    if (unjudged_ == lists_.unjudged.end()) return true;
    return size_.rest_of(*judged_) >= time_ || *judged_ < *unjudged_;
  }

  const Size& size_;
  const FreeLists& lists_;
  std::set<Place>::const_iterator judged_, unjudged_;
  double width_;
  double time_;             ///< until the end [rounds]
  double unjudged_rounds_;  ///< that those may need; 0 of a course, which is as long for all
};

WorkOrder::Choice WorkOrder::next(const BySize& limit, std::size_t workers, const BySize& width) const {
  const std::size_t among = std::max(workers, std::size_t{1});
  const double work = remaining_work() / static_cast<double>(among);
  Choice choice;
  std::optional<Source> best;
  std::size_t batch = 0, largest = 0;
  for (const auto& [L, size] : sizes_) {
    if (size.free == 0) continue;
    const std::size_t wide = std::max(width ? width(L) : limit(L), std::size_t{1});
    for (const FreeLists* lists : {&size.ordinary, &size.suspects}) {
      const Source source(size, *lists, wide, work, config_.min_rounds);
      if (source.empty() || (best && !source.precedes(*best))) continue;
      best.emplace(source);
      choice.L = L;
      largest = limit(L);
      batch = lists == &size.suspects ? 1 : source.batch_size(share(L, among, wide, limit(L)));
    }
  }
  if (!best) return choice;
  // A course is one for the whole batch: its members are at the same time.
  const bool together = config_.lengths == Lengths::course;
  const std::uint32_t rounds = best->next().rounds;
  do {
    choice.keys.push_back({choice.L, best->take().realization});
  } while (choice.keys.size() < batch && !best->empty() && !(together && best->next().rounds != rounds));
  if (batch > 1 && !together) end_with_group(choice.keys, *best, largest);
  return choice;
}

/// A group that a batch would divide is taken as a whole, or left to the next batch where the limit does not allow it.
void WorkOrder::end_with_group(std::vector<RealizationKey>& keys, Source& rest, std::size_t limit) const {
  const Size& size = sizes_.at(keys.front().L);
  const auto group = [&](std::uint32_t realization) { return realization / of_word_; };
  const std::uint32_t last = keys.back().realization;
  const auto divided = [&] {
    return !rest.empty() && group(rest.next().realization) == group(last) &&
           size.entries.at(last).stops == Stops::together;
  };
  while (divided() && keys.size() < limit) keys.push_back({keys.front().L, rest.take().realization});
  if (!divided()) return;
  const auto first =
      std::ranges::find_if(keys, [&](const RealizationKey& k) { return group(k.realization) == group(last); });
  if (first != keys.begin()) keys.erase(first, keys.end());
}

bool WorkOrder::prefers_others(const std::vector<RealizationRow>& held, bool shrunk) const {
  if (held.empty()) return false;
  const Size& own = sizes_.at(held.front().key.L);
  if (shrunk && own.free > 0) return true;
  double in_hand = 0.0, waiting = 0.0;
  for (const RealizationRow& row : held) {
    const Place p = place(row.key.realization, entry(row, false, Stops::alone));
    in_hand = std::max(in_hand, own.rest_of(p) * own.work_per_round);
  }
  for (const auto& [L, size] : sizes_) {
    for (const FreeLists* lists : {&size.ordinary, &size.suspects}) {
      for (const std::set<Place>* list : {&lists->judged, &lists->unjudged}) {
        if (!list->empty()) waiting = std::max(waiting, size.rest_of(*list->begin()) * size.work_per_round);
      }
    }
  }
  return waiting > 0.0 && waiting >= urgency * in_hand;
}

bool WorkOrder::remaining_is_least() const {
  if (config_.max_rounds <= config_.min_rounds) return false;
  return std::ranges::any_of(sizes_, [](const auto& size) {
    return size.second.steps_left.empty() && size.second.unjudged > 0 && size.second.known == 0;
  });
}

double WorkOrder::remaining_work() const {
  double work = 0.0;
  for (const auto& [L, size] : sizes_) work += size.remaining_rounds(config_.min_rounds) * size.work_per_round;
  return work;
}

std::size_t WorkOrder::share(int L, std::size_t workers, std::size_t width, std::size_t limit) const {
  if (config_.lengths != Lengths::course || width >= limit) {
    return std::min(limit, std::max(width, rounded_up(open(L), workers)));
  }
  const std::size_t batches = workers * std::max<std::size_t>(rounded_up(open(L), limit * workers), 1);
  return std::min(limit, of_word_ * rounded_up(rounded_up(open(L), batches), of_word_));
}

std::size_t WorkOrder::free() const {
  std::size_t sum = 0;
  for (const auto& [L, size] : sizes_) sum += static_cast<std::size_t>(size.free);
  return sum;
}

std::size_t WorkOrder::open(int L) const {
  const auto size = sizes_.find(L);
  return size == sizes_.end() ? 0 : static_cast<std::size_t>(size->second.open);
}

std::size_t WorkOrder::open() const {
  std::size_t sum = 0;
  for (const auto& [L, size] : sizes_) sum += static_cast<std::size_t>(size.open);
  return sum;
}

}}  // namespace glassworks::scheduler
