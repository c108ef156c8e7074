#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "scheduler/campaign/work_source.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/work/mailbox.hpp"

namespace glassworks { inline namespace scheduler {

/// Client side of rank 0's queue, used by the workers of another rank. Requests become messages; the thread that uses
/// the transport sends them and delivers the answers. Only `take` blocks.
class RemoteQueue final : public WorkSource {
 public:
  /// scratch  checkpoints of this rank's batches, where it does not see the campaign's directory; empty: it does
  RemoteQueue(RoundControl& control, std::filesystem::path scratch);

  [[nodiscard]] Batch take(WorkerId who, const BatchLimits& limits) override;
  [[nodiscard]] std::future<Committed> commit(WorkerId who, FinishedBatch batch) override;
  void give_back(const Batch& batch) override;
  void note(const std::string& text) override;
  void round_failed(const Batch& batch, const std::string& reason) override;
  void device_failed(int device, const std::string& backend, const Batch& batch,
                     const std::exception& failure) override;
  void abort(std::exception_ptr error) override;

  // --- of the thread that uses the transport ---

  /// What is to be sent, encoded.
  [[nodiscard]] Mailbox<std::vector<std::byte>>& outgoing() { return outgoing_; }
  void receive(BatchReply reply);
  void receive(CommitReply reply);
  /// Abandons the running rounds. Pending `take` calls return an empty batch.
  void stop();
  /// Called when rank 0 is gone: pending requests get no answer, and unanswered commits count as lost.
  void close();

 private:
  struct UnansweredCommit {
    std::promise<Committed> promise;
    std::vector<std::string> files;  ///< in the scratch directory, of what leaves with it
  };

  void send(FromWorker message);
  void end_waits();  // with the mutex held
  void keep(const BatchReply& reply);
  void forget(const Batch& batch);
  [[nodiscard]] std::vector<CheckpointFile> files_of(const FinishedBatch& batch, std::vector<std::string>& names);
  void remove_from_scratch(const std::vector<std::string>& names) const;

  RoundControl& control_;
  const std::filesystem::path scratch_;
  Mailbox<std::vector<std::byte>> outgoing_;

  std::mutex mutex_;  ///< of everything below
  bool closed_ = false, stopped_ = false;
  std::uint64_t next_commit_ = 1;
  std::map<WorkerId, std::promise<BatchReply>> waiting_;
  std::map<std::uint64_t, UnansweredCommit> commits_;
  std::map<RealizationKey, RealizationRow> held_;  ///< where files are sent
  std::set<std::string> received_;                 ///< files that rank 0 has sent and the scratch directory holds
};

}}  // namespace glassworks::scheduler
