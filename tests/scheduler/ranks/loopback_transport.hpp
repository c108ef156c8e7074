#pragma once

#include <memory>

#include "scheduler/ranks/transport.hpp"

namespace glassworks { inline namespace scheduler {

/// Ranks that are threads of one process: their messages go through memory. To be used from any threads; it outlives
/// the transports that it gives.
class LoopbackNetwork {
 public:
  explicit LoopbackNetwork(int ranks);
  ~LoopbackNetwork();
  LoopbackNetwork(const LoopbackNetwork&) = delete;
  LoopbackNetwork& operator=(const LoopbackNetwork&) = delete;

  [[nodiscard]] std::unique_ptr<Transport> transport(int rank);

  /// From now on nothing comes from this rank or gets to it, like a machine whose cable is pulled; what has arrived
  /// stays readable.
  void lose(int rank);
  /// Puts the cable back. What was sent meanwhile is lost.
  void restore(int rank);

 private:
  struct Inboxes;
  std::unique_ptr<Inboxes> inboxes_;
};

}}  // namespace glassworks::scheduler
