// Messages between MPI processes: mpirun -n 3 transport_check. Ends with 0 if everything arrived as it was sent.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "scheduler/ranks/mpi_transport.hpp"

namespace {

using glassworks::Transport;

constexpr std::size_t MiB = std::size_t{1} << 20;
/// Lengths of the messages from each rank to each other one: around those of pieces, and many short ones.
constexpr std::array lengths{std::size_t{0}, std::size_t{1},    std::size_t{4096}, 16 * MiB - 1,    16 * MiB,
                             16 * MiB + 1,   std::size_t{1000}, 33 * MiB,          std::size_t{100}};
constexpr int short_messages = 300, pings = 100;
constexpr int long_message = 7;  ///< 33 MiB

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

std::size_t length_of(int index) {
  return index < static_cast<int>(lengths.size()) ? lengths[static_cast<std::size_t>(index)]
                                                  : static_cast<std::size_t>(index) % 300;
}

/// Message number `index` of one rank to another; any two differ.
std::vector<std::byte> message(int from, int to, int index) {
  std::vector<std::byte> bytes(length_of(index));
  const auto state = static_cast<std::uint32_t>((from * 64 + to) * 65536 + index);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>((state + static_cast<std::uint32_t>(i)) * 2654435761U >> 24U);
  }
  return bytes;
}

/// What has arrived, by sender: ranks do not go from part to part at the same time.
class Mailbox {
 public:
  explicit Mailbox(Transport& transport) : transport_(transport) {}

  std::vector<std::byte> wait_for(int from) {
    auto& arrived = arrived_[from];
    while (arrived.empty()) {
      if (auto received = transport_.receive()) {
        arrived_[received->from].push_back(std::move(received->bytes));
      } else {
        std::this_thread::yield();
      }
    }
    std::vector<std::byte> first = std::move(arrived.front());
    arrived.pop_front();
    return first;
  }

 private:
  Transport& transport_;
  std::map<int, std::deque<std::vector<std::byte>>> arrived_;
};

void finish_sending(Transport& transport) {
  while (!transport.all_sent()) std::this_thread::yield();
}

void everybody_writes_to_everybody(Transport& transport, Mailbox& mailbox) {
  const int messages = static_cast<int>(lengths.size()) + short_messages, self = transport.rank();
  for (int index = 0; index < messages; ++index) {
    for (int to = 0; to < transport.size(); ++to) {
      if (to != self) transport.send(to, message(self, to, index));
    }
  }
  for (int index = 0; index < messages; ++index) {
    for (int from = 0; from < transport.size(); ++from) {
      if (from == self) continue;
      require(mailbox.wait_for(from) == message(from, self, index),
              fmt::format("message {} from {} to {} is another one", index, from, self));
    }
  }
  finish_sending(transport);
}

bool is_stopped(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find(") T ") != std::string::npos;
}

/// Rank 1 stops in the middle of a long message: ranks 0 and 2 must not notice.
void a_stopped_rank_holds_nobody_up(Transport& transport, Mailbox& mailbox) {
  const int self = transport.rank(), last = transport.size() - 1;
  if (self == 1) {
    const pid_t pid = getpid();
    std::vector<std::byte> bytes(sizeof pid);
    std::memcpy(bytes.data(), &pid, sizeof pid);
    transport.send(0, bytes);
    finish_sending(transport);
    transport.send(0, message(1, 0, long_message));
    (void)raise(SIGSTOP);
  }
  if (self == 0) {
    pid_t pid = 0;
    const std::vector<std::byte> bytes = mailbox.wait_for(1);
    require(bytes.size() == sizeof pid, "rank 1 was to tell its process");
    std::memcpy(&pid, bytes.data(), sizeof pid);
    while (!is_stopped(pid)) std::this_thread::yield();
    for (int i = 0; i < pings; ++i) {
      transport.send(last, message(0, last, i + 20));
      require(mailbox.wait_for(last) == message(0, last, i + 20), "another answer than the question");
    }
    kill(pid, SIGCONT);
    require(mailbox.wait_for(1) == message(1, 0, long_message), "the long message is another one");
  }
  if (self == last) {
    for (int i = 0; i < pings; ++i) transport.send(0, mailbox.wait_for(0));
  }
  finish_sending(transport);
}

}  // namespace

int main() {
  try {
    glassworks::MpiSession session;
    try {
      Transport& transport = session.transport();
      require(transport.size() >= 3, "at least three ranks are needed");
      Mailbox mailbox(transport);
      everybody_writes_to_everybody(transport, mailbox);
      a_stopped_rank_holds_nobody_up(transport, mailbox);
      if (transport.rank() == 0) fmt::print("{} ranks, {}\n", transport.size(), glassworks::mpi_library());
      return 0;
    } catch (const std::exception& error) {
      fmt::print(stderr, "rank {}: {}\n", session.transport().rank(), error.what());
      std::fflush(nullptr);
      session.abort(1);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
