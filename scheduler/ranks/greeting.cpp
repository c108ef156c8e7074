#include "scheduler/ranks/greeting.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "engine/config/config.hpp"
#include "scheduler/ranks/pace.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

using Clock = std::chrono::steady_clock;

std::string program_of(const Handshake& hello) {
  return fmt::format("Glassworks {} ({}, {})", hello.version, hello.commit, hello.compiler);
}

std::string build_difference(int rank, const Handshake& other, const Handshake& self) {
  return fmt::format(
      "rank {} on {} is {}, but rank 0 on {} is {} (all ranks of a run must be the same version). Start the same "
      "executable on all machines.",
      rank, other.host, program_of(other), self.host, program_of(self));
}

InputError silence(const std::vector<std::optional<Handshake>>& handshakes, std::chrono::milliseconds max_wait) {
  std::size_t first = 0, missing = 0;
  for (std::size_t rank = handshakes.size(); rank-- > 0;) {
    if (handshakes[rank]) continue;
    first = rank;
    ++missing;
  }
  return InputError(
      InputFault::missing, fmt::format("rank {}", first),
      fmt::format("rank {}{} has not answered for {} s (its machine may be slow or gone, or another program was "
                  "started there). "
                  "Look at its machine, then start the run again.",
                  first, missing > 1 ? fmt::format(" and {} others", missing - 1) : "", max_wait.count() / 1000));
}

}  // namespace

std::string name_of_rank(int rank, const Handshake& hello) {
  return fmt::format("rank {} on {} (process {})", rank, hello.host, hello.pid);
}

bool flush(Transport& transport, std::chrono::milliseconds max_wait) {
  const auto end = Clock::now() + max_wait;
  while (!transport.all_sent()) {
    if (Clock::now() > end) return false;
    if (!transport.receive()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

void dismiss(Transport& transport, const std::string& reason) {
  for (int rank = 1; rank < transport.size(); ++rank) transport.send(rank, encode(FromCoordinator{Refusal{reason}}));
  flush(transport, std::chrono::seconds(10));
}

std::vector<Handshake> gather(Transport& transport, const Handshake& self, const RoundControl& control,
                              std::chrono::milliseconds max_wait) {
  std::vector<std::optional<Handshake>> handshakes(static_cast<std::size_t>(transport.size()));
  handshakes[0] = self;
  const auto end = Clock::now() + max_wait;
  Pace pace;
  for (std::size_t known = 1; known < handshakes.size();) {
    if (control.stop) return {};
    if (Clock::now() > end) throw silence(handshakes, max_wait);
    const std::optional<Received> received = transport.receive();
    std::this_thread::sleep_for(pace.pause(received.has_value()));
    if (!received) continue;
    std::optional<Handshake>& hello = handshakes.at(static_cast<std::size_t>(received->from));
    try {
      if (!hello) ++known;
      hello = decode_handshake(received->bytes);
    } catch (const std::exception& error) {
      throw InputError(InputFault::malformed, fmt::format("rank {}", received->from),
                       fmt::format("rank {} does not answer as Glassworks does ({}). Start the same executable on "
                                   "all machines.",
                                   received->from, error.what()));
    }
  }
  std::vector<Handshake> all;
  for (std::optional<Handshake>& hello : handshakes) all.push_back(std::move(*hello));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const bool same = all[rank].version == self.version && all[rank].commit == self.commit;
    if (!same)
      throw InputError(InputFault::conflict, fmt::format("rank {}", rank),
                       build_difference(static_cast<int>(rank), all[rank], self));
  }
  return all;
}

}}  // namespace glassworks::scheduler
