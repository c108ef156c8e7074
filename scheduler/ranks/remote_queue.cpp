#include "scheduler/ranks/remote_queue.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/durable_file.hpp"
#include "scheduler/ranks/checkpoint_transfer.hpp"

namespace glassworks { inline namespace scheduler {

RemoteQueue::RemoteQueue(RoundControl& control, std::filesystem::path scratch)
    : control_(control), scratch_(std::move(scratch)) {}

void RemoteQueue::send(FromWorker message) { outgoing_.put(encode(message)); }

Batch RemoteQueue::take(WorkerId who, const BatchLimits& limits) {
  std::future<BatchReply> future;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || closed_) return {};
    future = (waiting_[who] = std::promise<BatchReply>()).get_future();
  }
  send(Take{who, limits});
  BatchReply reply = future.get();
  if (!scratch_.empty() && !reply.batch.rows.empty()) keep(reply);
  return std::move(reply.batch);
}

/// Writes the received files without syncing: a restarted rank receives them again.
void RemoteQueue::keep(const BatchReply& reply) {
  for (const CheckpointFile& file : reply.files) {
    DurableFile out(scratch_ / file.name);
    out.append(file.bytes);
    out.rename();
  }
  const std::lock_guard lock(mutex_);
  for (const RealizationRow& row : reply.batch.rows) held_.insert_or_assign(row.key, row);
  for (const CheckpointFile& file : reply.files) received_.insert(file.name);
}

/// The files of a commit are those of what leaves with it, and those that had to be made again because rank 0 has them
/// no more.
std::vector<CheckpointFile> RemoteQueue::files_of(const FinishedBatch& batch, std::vector<std::string>& names) {
  std::vector<std::string> sent;
  {
    const std::lock_guard lock(mutex_);
    const auto add = [&](const RealizationKey& key, const std::string& checkpoint) {
      const RealizationRow before = std::move(held_.extract(key).mapped());
      names.insert(names.end(), {checkpoint, before.checkpoint, before.previous_checkpoint});
      sent.push_back(checkpoint);
      if (!before.checkpoint.empty() && !received_.contains(before.checkpoint)) sent.push_back(before.checkpoint);
    };
    if (batch.lease == LeaseAfter::ends) {
      for (const RoundCommit& round : batch.rounds) add(round.key, round.checkpoint);
    }
    for (const StateCommit& state : batch.states) add(state.key, state.checkpoint);
  }
  std::erase(names, "");
  std::vector<CheckpointFile> files;
  for (const std::string& name : sent) files.push_back({name, read_file(scratch_ / name)});
  return files;
}

std::future<Committed> RemoteQueue::commit(WorkerId who, FinishedBatch batch) {
  UnansweredCommit commitment;
  std::future<Committed> result = commitment.promise.get_future();
  std::vector<CheckpointFile> files;
  if (!scratch_.empty()) files = files_of(batch, commitment.files);
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      commitment.promise.set_value({});
      return result;
    }
    id = next_commit_++;
    commits_.emplace(id, std::move(commitment));
  }
  send(Commit{who, id, std::move(batch), std::move(files)});
  return result;
}

void RemoteQueue::forget(const Batch& batch) {
  if (scratch_.empty()) return;
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    for (const RealizationRow& row : batch.rows) {
      held_.erase(row.key);
      for (const std::string& name : {row.checkpoint, row.previous_checkpoint}) {
        received_.erase(name);
        if (!name.empty()) names.push_back(name);
      }
    }
  }
  remove_from_scratch(names);
}

void RemoteQueue::give_back(const Batch& batch) {
  forget(batch);
  send(GiveBack{batch});
}

void RemoteQueue::note(const std::string& text) { send(Note{text}); }

void RemoteQueue::round_failed(const Batch& batch, const std::string& reason) {
  forget(batch);
  send(Failed{-1, {}, reason, batch});
}

void RemoteQueue::device_failed(int device, const std::string& backend, const Batch& batch,
                                const std::exception& failure) {
  forget(batch);
  send(Failed{device, backend, failure.what(), batch});
}

void RemoteQueue::abort(std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (const std::bad_alloc&) {
    send(Abort{{}, true});
  } catch (const std::exception& failure) {
    send(Abort{failure.what(), false});
  }
  control_.stop = true;
}

/// Returns a batch to rank 0 if its `take` call has ended.
void RemoteQueue::receive(BatchReply reply) {
  const std::lock_guard lock(mutex_);
  auto waiting = waiting_.extract(reply.who);
  if (!waiting.empty()) {
    waiting.mapped().set_value(std::move(reply));
  } else if (!reply.batch.rows.empty()) {
    send(GiveBack{std::move(reply.batch)});
  }
}

void RemoteQueue::receive(CommitReply reply) {
  const std::lock_guard lock(mutex_);
  auto commitment = commits_.extract(reply.id);
  if (commitment.empty()) return;
  // Before the next message is looked at: it may bring one of these files again.
  remove_from_scratch(commitment.mapped().files);
  for (const std::string& name : commitment.mapped().files) received_.erase(name);
  commitment.mapped().promise.set_value(std::move(reply.result));
}

void RemoteQueue::end_waits() {
  for (auto& [who, promise] : waiting_) promise.set_value({});
  waiting_.clear();
}

void RemoteQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  control_.stop = true;
  end_waits();
}

void RemoteQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  control_.stop = true;
  end_waits();
  for (auto& [id, commitment] : commits_) commitment.promise.set_value({});
  commits_.clear();
}

void RemoteQueue::remove_from_scratch(const std::vector<std::string>& names) const {
  if (!scratch_.empty()) remove_states(scratch_, names);
}

}}  // namespace glassworks::scheduler
