#include "scheduler/ranks/mpi_transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/request.hpp>
#include <boost/mpi/status.hpp>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <utility>

namespace glassworks { inline namespace scheduler {
namespace {

constexpr std::size_t largest_piece = std::size_t{16} << 20;  ///< [bytes]
/// Whether a piece is the last one of its message. Pieces of a rank arrive in the order in which they were sent.
enum Tag : int { more_follows = 1, message_ends = 2 };

class MpiTransport final : public Transport {
 public:
  [[nodiscard]] int rank() const override { return world_.rank(); }
  [[nodiscard]] int size() const override { return world_.size(); }

  void send(int to, std::vector<std::byte> bytes) override {
    Leaving& leaving = leaving_.emplace_back();
    leaving.bytes = std::move(bytes);
    const char* data = reinterpret_cast<const char*>(leaving.bytes.data());
    std::size_t left = leaving.bytes.size();
    do {
      const std::size_t piece = std::min(left, largest_piece);
      left -= piece;
      leaving.pieces.push_back(world_.isend(to, left > 0 ? more_follows : message_ends, data, static_cast<int>(piece)));
      data += piece;
    } while (left > 0);
    send_on();
  }

  [[nodiscard]] std::optional<Received> receive() override {
    send_on();
    if (complete_.empty()) {
      begin_pieces();
      end_pieces();
    }
    if (complete_.empty()) return std::nullopt;
    Received first = std::move(complete_.front());
    complete_.pop_front();
    return first;
  }

  [[nodiscard]] bool all_sent() override {
    send_on();
    return leaving_.empty();
  }

 private:
  struct Leaving {
    std::vector<std::byte> bytes;
    std::deque<boost::mpi::request> pieces;  ///< those that are not known to have left
  };
  struct Piece {
    std::vector<std::byte> bytes;
    Tag tag = message_ends;
    boost::mpi::request request;
  };
  struct Arriving {
    std::vector<std::byte> bytes;  ///< of the pieces that are complete
    std::deque<Piece> pieces;      ///< those after them
  };

  void send_on() {
    for (auto leaving = leaving_.begin(); leaving != leaving_.end();) {
      auto& pieces = leaving->pieces;
      while (!pieces.empty() && pieces.front().test()) pieces.pop_front();
      leaving = pieces.empty() ? leaving_.erase(leaving) : std::next(leaving);
    }
  }

  /// Gives every piece that is announced a place to arrive at.
  void begin_pieces() {
    while (const auto announced = world_.iprobe()) {
      Piece& piece = arriving_[announced->source()].pieces.emplace_back();
      piece.tag = static_cast<Tag>(announced->tag());
      piece.bytes.resize(static_cast<std::size_t>(announced->count<char>().value()));
      piece.request = world_.irecv(announced->source(), announced->tag(), reinterpret_cast<char*>(piece.bytes.data()),
                                   static_cast<int>(piece.bytes.size()));
    }
  }

  /// Joins what has arrived to messages.
  void end_pieces() {
    for (auto entry = arriving_.begin(); entry != arriving_.end();) {
      auto& [from, arriving] = *entry;
      while (!arriving.pieces.empty() && arriving.pieces.front().request.test()) {
        Piece piece = std::move(arriving.pieces.front());
        arriving.pieces.pop_front();
        if (arriving.bytes.empty()) {
          arriving.bytes = std::move(piece.bytes);
        } else {
          arriving.bytes.insert(arriving.bytes.end(), piece.bytes.begin(), piece.bytes.end());
        }
        if (piece.tag == message_ends) complete_.push_back({from, std::exchange(arriving.bytes, {})});
      }
      entry = arriving.pieces.empty() && arriving.bytes.empty() ? arriving_.erase(entry) : std::next(entry);
    }
  }

  boost::mpi::communicator world_;
  std::list<Leaving> leaving_;
  std::map<int, Arriving> arriving_;  ///< by the rank that sends
  std::deque<Received> complete_;
};

}  // namespace

struct MpiSession::Implementation {
  boost::mpi::environment environment{boost::mpi::threading::funneled};
  MpiTransport transport;
};

MpiSession::MpiSession() : implementation_(std::make_unique<Implementation>()) {
  if (boost::mpi::environment::thread_level() < boost::mpi::threading::funneled) {
    throw std::runtime_error(
        "the MPI library does not let one thread of several use it (MPI_THREAD_FUNNELED). Build Glassworks with one "
        "that does.");
  }
}

MpiSession::~MpiSession() = default;

Transport& MpiSession::transport() { return implementation_->transport; }

void MpiSession::abort(int status) {
  boost::mpi::environment::abort(status);
  std::abort();  // unreachable: MPI has ended this process
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  // Open MPI: "Open MPI v4.1.4, package: ..."; others end their first line.
  const std::string all(text.data(), static_cast<std::size_t>(length));
  return all.substr(0, std::min(all.find_first_of(",\n"), all.size()));
}

}}  // namespace glassworks::scheduler
