#include "kernels/series/course_batch.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/threads.hpp"
#include "kernels/rounds/course_driver.hpp"
#include "kernels/rounds/kept_spins.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/series/ising_energy.hpp"
#include "kernels/series/measure_series.hpp"
#include "kernels/series/series_measurer.hpp"

namespace glassworks { inline namespace series {
namespace {

/// A chain whose rounds are pieces of a course, as backends know it.
Chain without_course(Chain chain) {
  chain.course = nullptr;
  chain.measurements = 0;
  chain.samples = 0;
  return chain;
}

class CourseBatch final : public HeldBatch {
 public:
  CourseBatch(Backend& backend, const Chain& chain, std::vector<HeldTask> tasks, int threads)
      : chain_(chain), layout_(series_layout(chain)), rounds_(rounds_of(*chain.course)), threads_(threads) {
    time_ = tasks.empty() ? 0 : tasks.front().state.steps;
    for (HeldTask& task : tasks) {
      if (task.state.steps != time_) throw std::logic_error("CourseBatch: the tasks are at different times");
      kept_.push_back(std::move(task.state.kept));
      task.state.kept.clear();
      disorder_.push_back(task.disorder);
    }
    held_ = backend.hold(without_course(chain), std::move(tasks));
    measurer_ = held_->series_measurer();
    energy_.resize(kept_.size());
  }

  RoundOutcome run_round(std::span<RoundRecord> records, RoundControl& control) override {
    if (!before_.empty()) throw std::logic_error("CourseBatch: a round of it was abandoned");
    const auto round = std::ranges::find(rounds_, time_, &CourseRound::from);
    if (round == rounds_.end()) throw std::logic_error("CourseBatch: the course has no round from here");
    if (held_->state_in_memory(0) != nullptr) return run_and_keep(*round, records, control);
    // States that lie on a device would have to be copied before each round: it is finished instead, which takes less
    // than a person waits.
    RoundControl patient;
    const RoundOutcome outcome = follow(*round, records, patient);
    control.updates += patient.updates;
    return outcome;
  }

  void set_conditions(const Conditions&, RoundLength) override {
    throw std::logic_error("CourseBatch: the course sets the conditions");
  }

  [[nodiscard]] ChainState state(std::size_t task) const override {
    ChainState state = before_.empty() ? held_->state(task) : before_[task];
    state.kept = kept_[task];
    return state;
  }
  [[nodiscard]] double measuring_seconds() const override { return measuring_seconds_; }
  [[nodiscard]] std::vector<StateDigest> digests() const override {
    return before_.empty() ? held_->digests() : std::vector<StateDigest>();
  }

 private:
  /// Leaves the states as they were if the round is abandoned: those before it are kept.
  RoundOutcome run_and_keep(const CourseRound& round, std::span<RoundRecord> records, RoundControl& control) {
    for (std::size_t task = 0; task < kept_.size(); ++task) before_.push_back(held_->state(task));
    const RoundOutcome outcome = follow(round, records, control);
    if (outcome == RoundOutcome::finished) before_.clear();
    return outcome;
  }

  RoundOutcome follow(const CourseRound& round, std::span<RoundRecord> records, RoundControl& control) {
    Course course = *chain_.course;
    course.measured = {};  // of a chain in equilibrium
    course.references.clear();
    if (round.from == 0) keep(0);
    if (follow_course(*held_, kept_.size(), course, round.from, round.to, {}, control) < round.to) {
      if (round.from == 0) std::ranges::for_each(kept_, &std::vector<KeptSpins>::clear);
      return RoundOutcome::abandoned;
    }
    time_ = round.to;
    keep(time_);
    for (std::size_t task = 0; task < kept_.size(); ++task) {
      records[task] = empty_record(chain_, layout_.size());
      records[task].measurements = round.measured ? 1 : 0;
    }
    if (round.measured) {
      const auto begin = std::chrono::steady_clock::now();
      measure(conditions_at(*chain_.course, round.to - 1).field, records);
      measuring_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return RoundOutcome::finished;
  }

  /// field  its factor during the last step: the energy is that of the field that acts
  void measure(float field, std::span<RoundRecord> records) {
    if (measured_in_place(records)) return;
    const int of_each = useful_threads(chain_, threads_);
    std::mutex mutex;  // of a batch that is not in memory
    parallel_for(kept_.size(), std::max(1, threads_ / of_each), [&](std::size_t task) {
      const Disorder* disorder = disorder_[task];
      Disorder in_field;
      if (field != 1.0F) {
        in_field = *disorder;
        in_field.fields = scaled_fields(*disorder, field);
        disorder = &in_field;
      }
      const ChainState* state = held_->state_in_memory(task);
      ChainState copy;
      if (state == nullptr) {
        const std::lock_guard lock(mutex);
        copy = held_->state(task);
        state = &copy;
      }
      measure_series(chain_, *disorder, *state, kept_[task], layout_, of_each, records[task].mean, energy_of(task));
    });
  }

  /// The energy of a task of ising, made once where it is small; null: to be made for each measurement.
  const IsingEnergy* energy_of(std::size_t task) {
    if (!IsingEnergy::measures(chain_) || !disorder_[task]->fields.empty()) return nullptr;
    std::optional<IsingEnergy>& energy = energy_[task];
    if (!energy) energy.emplace(chain_.lattice, *disorder_[task]);
    if (energy->is_small()) return &*energy;
    energy.reset();
    return nullptr;
  }

  /// False: the host has to measure.
  bool measured_in_place(std::span<RoundRecord> records) {
    if (measurer_ == nullptr) return false;
    const auto of_task = static_cast<std::size_t>(chain_.slots() * layout_.size());
    std::vector<double> rows(kept_.size() * of_task);
    if (!measurer_->measure(0, layout_, kept_, threads_, rows)) return false;
    for (std::size_t task = 0; task < kept_.size(); ++task) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(task * of_task), of_task, records[task].mean.begin());
    }
    return true;
  }

  /// Keeps the states if this is a reference time.
  void keep(std::uint64_t time) {
    if (!std::ranges::binary_search(chain_.course->references, time)) return;
    for (std::size_t task = 0; task < kept_.size(); ++task) {
      kept_[task].push_back(keep_spins(chain_, held_->state(task)));
    }
  }

  Chain chain_;
  SeriesLayout layout_;
  std::vector<CourseRound> rounds_;
  int threads_;
  std::uint64_t time_ = 0;
  double measuring_seconds_ = 0.0;
  std::vector<std::vector<KeptSpins>> kept_;        ///< [task]
  std::vector<const Disorder*> disorder_;           ///< [task]
  std::vector<std::optional<IsingEnergy>> energy_;  ///< [task]
  std::vector<ChainState> before_;                  ///< a round that runs, or was abandoned [task]; else empty
  std::unique_ptr<HeldBatch> held_;
  SeriesMeasurer* measurer_ = nullptr;  ///< of that batch
};

}  // namespace

SeriesLayout series_layout(const Chain& chain) {
  return SeriesLayout({chain.model, chain.lattice, chain.copies, chain.course->pairs, chain.course->references});
}

std::unique_ptr<HeldBatch> hold_batch(Backend& backend, const Chain& chain, std::vector<HeldTask> tasks, int threads) {
  if (chain.course == nullptr) return backend.hold(chain, std::move(tasks));
  return std::make_unique<CourseBatch>(backend, chain, std::move(tasks), threads);
}

}}  // namespace glassworks::series
