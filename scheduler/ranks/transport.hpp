#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace glassworks { inline namespace scheduler {

/// Bytes that came from another rank.
struct Received {
  int from = 0;
  std::vector<std::byte> bytes;
};

/// Carries messages between the ranks of a run; those of one rank to another arrive in order, whole, and of any length.
/// One thread uses it. Nothing here waits for the other side, so that no rank can hold another one up.
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Starts sending and returns; `receive` and `all_sent` make progress on it.
  virtual void send(int to, std::vector<std::byte> bytes) = 0;
  /// The next message that has arrived whole, if there is one. Goes on with what is being sent.
  [[nodiscard]] virtual std::optional<Received> receive() = 0;
  /// Whether everything that was sent has left this rank.
  [[nodiscard]] virtual bool all_sent() = 0;
};

}}  // namespace glassworks::scheduler
