#pragma once

#include <concepts>
#include <type_traits>

#include "scheduler/ranks/messages.hpp"

namespace glassworks { inline namespace scheduler {

/// T or const T.
template <typename U, typename T>
concept Either = std::same_as<std::remove_const_t<U>, T>;

/// visit_fields(value, visit) calls visit(fields of the value ...), in the order in which they travel. The structured
/// bindings name every field, so that one that is added to a struct does not compile before it is added here.

void visit_fields(Either<RealizationKey> auto& key, auto& visit) {
  auto& [L, realization] = key;
  visit(L, realization);
}

void visit_fields(Either<Judgement> auto& judgement, auto& visit) {
  auto& [tau, equilibration_rounds, expected_rounds] = judgement;
  visit(tau, equilibration_rounds, expected_rounds);
}

void visit_fields(Either<RealizationRow> auto& row, auto& visit) {
  auto& [key, status, rounds, state_digest, checkpoint, checkpoint_digest, previous_checkpoint, previous_digest,
         round_trips, reason, attempt, judgement, failures, worker] = row;
  visit(key, status, rounds, state_digest, checkpoint, checkpoint_digest, previous_checkpoint, previous_digest,
        round_trips, reason, attempt, judgement, failures, worker);
}

void visit_fields(Either<Provenance> auto& provenance, auto& visit) {
  auto& [version, commit, compiler, backend, host] = provenance;
  visit(version, commit, compiler, backend, host);
}

void visit_fields(Either<RoundRecord> auto& record, auto& visit) {
  auto& [measurements, mean, exchange_attempts, exchange_accepted, walk_up, walk_down, walk_mean, round_trips,
         samples_per_slot, samples] = record;
  visit(measurements, mean, exchange_attempts, exchange_accepted, walk_up, walk_down, walk_mean, round_trips,
        samples_per_slot, samples);
}

void visit_fields(Either<RoundCommit> auto& round, auto& visit) {
  auto& [key, attempt, index, record, checkpoint, state_digest, round_trips, status, reason, judgement, seconds] =
      round;
  visit(key, attempt, index, record, checkpoint, state_digest, round_trips, status, reason, judgement, seconds);
}

void visit_fields(Either<WorkerId> auto& who, auto& visit) {
  auto& [device, worker] = who;
  visit(device, worker);
}

void visit_fields(Either<Batch> auto& batch, auto& visit) {
  auto& [rows, idle_seconds] = batch;
  visit(rows, idle_seconds);
}

void visit_fields(Either<BatchLimits> auto& limits, auto& visit) {
  auto& [largest, width] = limits;
  visit(largest, width);
}

void visit_fields(Either<FinishedBatch> auto& batch, auto& visit) {
  auto& [rounds, lease, states, holder, provenance] = batch;
  visit(rounds, lease, states, holder, provenance);
}

void visit_fields(Either<StateCommit> auto& state, auto& visit) {
  auto& [key, attempt, rounds, checkpoint] = state;
  visit(key, attempt, rounds, checkpoint);
}

void visit_fields(Either<Committed> auto& result, auto& visit) {
  auto& [written, yield, rows] = result;
  visit(written, yield, rows);
}

void visit_fields(Either<RankShare> auto& share, auto& visit) {
  auto& [simulates, threads, devices, sharers] = share;
  visit(simulates, threads, devices, sharers);
}

void visit_fields(Either<CheckpointFile> auto& file, auto& visit) {
  auto& [name, bytes] = file;
  visit(name, bytes);
}

void visit_fields(Either<DeviceOfRank> auto& device, auto& visit) {
  auto& [description, workers] = device;
  visit(description, workers);
}

void visit_fields(Either<Ready> auto& ready, auto& visit) {
  auto& [devices, threads, sees_directory, problem] = ready;
  visit(devices, threads, sees_directory, problem);
}

void visit_fields(Either<Take> auto& take, auto& visit) {
  auto& [who, limits] = take;
  visit(who, limits);
}

void visit_fields(Either<Commit> auto& commit, auto& visit) {
  auto& [who, id, batch, files] = commit;
  visit(who, id, batch, files);
}

void visit_fields(Either<GiveBack> auto& give_back, auto& visit) {
  auto& [batch] = give_back;
  visit(batch);
}

void visit_fields(Either<Failed> auto& failed, auto& visit) {
  auto& [device, backend, reason, batch] = failed;
  visit(device, backend, reason, batch);
}

void visit_fields(Either<Note> auto& note, auto& visit) {
  auto& [text] = note;
  visit(text);
}

void visit_fields(Either<Abort> auto& abort, auto& visit) {
  auto& [reason, out_of_memory] = abort;
  visit(reason, out_of_memory);
}

void visit_fields(Either<Finished> auto& finished, auto& visit) {
  auto& [rounds, checkpoints, database, idle, measurements] = finished;
  visit(rounds, checkpoints, database, idle, measurements);
}

void visit_fields(Either<Refusal> auto& refusal, auto& visit) {
  auto& [reason] = refusal;
  visit(reason);
}

void visit_fields(Either<Welcome> auto& welcome, auto& visit) {
  auto& [config_text, directory, token_file, token, temperatures, seconds_left, share] = welcome;
  visit(config_text, directory, token_file, token, temperatures, seconds_left, share);
}

void visit_fields(Either<BatchReply> auto& reply, auto& visit) {
  auto& [who, batch, files] = reply;
  visit(who, batch, files);
}

void visit_fields(Either<CommitReply> auto& reply, auto& visit) {
  auto& [id, result] = reply;
  visit(id, result);
}

/// Messages without fields.
template <typename T>
requires std::is_empty_v<T>
void visit_fields(T&, auto&) {}

[[nodiscard]] constexpr RealizationStatus last_value(RealizationStatus) { return RealizationStatus::quarantined; }
[[nodiscard]] constexpr LeaseAfter last_value(LeaseAfter) { return LeaseAfter::goes_on; }

}}  // namespace glassworks::scheduler
