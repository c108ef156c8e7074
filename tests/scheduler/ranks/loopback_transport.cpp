#include "tests/scheduler/ranks/loopback_transport.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace glassworks { inline namespace scheduler {

struct LoopbackNetwork::Inboxes {
  class Member;

  explicit Inboxes(int ranks)
      : arrived(static_cast<std::size_t>(ranks)), is_lost(static_cast<std::size_t>(ranks), false) {}

  void set_lost(int rank, bool lost) {
    const std::lock_guard lock(mutex);
    is_lost.at(static_cast<std::size_t>(rank)) = lost;
  }

  std::mutex mutex;
  std::vector<std::deque<Received>> arrived;  ///< [rank]
  std::vector<bool> is_lost;                  ///< [rank]
};

class LoopbackNetwork::Inboxes::Member final : public Transport {
 public:
  Member(Inboxes& inboxes, int rank) : inboxes_(inboxes), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(inboxes_.arrived.size()); }

  void send(int to, std::vector<std::byte> bytes) override {
    const std::lock_guard lock(inboxes_.mutex);
    if (is_lost(rank_) || is_lost(to)) return;
    inboxes_.arrived.at(static_cast<std::size_t>(to)).push_back({rank_, std::move(bytes)});
  }

  [[nodiscard]] std::optional<Received> receive() override {
    const std::lock_guard lock(inboxes_.mutex);
    auto& own = inboxes_.arrived[static_cast<std::size_t>(rank_)];
    if (own.empty()) return std::nullopt;
    Received first = std::move(own.front());
    own.pop_front();
    return first;
  }

  [[nodiscard]] bool all_sent() override { return true; }

 private:
  [[nodiscard]] bool is_lost(int rank) const { return inboxes_.is_lost.at(static_cast<std::size_t>(rank)); }

  Inboxes& inboxes_;
  int rank_;
};

LoopbackNetwork::LoopbackNetwork(int ranks) : inboxes_(std::make_unique<Inboxes>(ranks)) {}
LoopbackNetwork::~LoopbackNetwork() = default;

std::unique_ptr<Transport> LoopbackNetwork::transport(int rank) {
  return std::make_unique<Inboxes::Member>(*inboxes_, rank);
}

void LoopbackNetwork::lose(int rank) { inboxes_->set_lost(rank, true); }
void LoopbackNetwork::restore(int rank) { inboxes_->set_lost(rank, false); }

}}  // namespace glassworks::scheduler
