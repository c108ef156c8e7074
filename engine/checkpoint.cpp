#include "engine/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string_view>

#include "engine/checkpoint_payload.hpp"
#include "engine/digest.hpp"
#include "engine/durable_file.hpp"

namespace glassworks {

namespace {

constexpr std::uint32_t format_version = 1;
/// Above it a version number is damage, not the future.
constexpr std::uint32_t plausible_version = 1000;
constexpr std::uint32_t byte_order_mark = 0x01020304;
/// A zstd block of 128 KiB takes at least 4 B: no intact payload expands more.
constexpr std::uint64_t largest_expansion = 32768;
constexpr const char* restore = "Delete it and restore the file from a copy, or start the realization anew";

/// Stored as it lies in memory (db/FORMAT.md); `digest` covers all before it and the payload.
struct Frame {
  char magic[8] = {'G', 'L', 'A', 'S', 'S', 'W', 'R', 'K'};
  std::uint32_t version = format_version;
  std::uint32_t byte_order = byte_order_mark;
  std::uint64_t payload_length = 0;  ///< compressed
  std::uint64_t archive_length = 0;  ///< before compression
  Digest::Bytes digest{};

  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(this, 1)); }
};
static_assert(sizeof(Frame) == 48 && offsetof(Frame, digest) == 32);

Digest::Bytes frame_digest(const Frame& frame, const Digest::Bytes& payload_digest) {
  return Digest().bytes(frame.bytes().first(offsetof(Frame, digest))).bytes(payload_digest).result();
}

/// Sends a frame yet without lengths and digest, then the payload; returns the frame to put in its place.
Frame stream_checkpoint(const ChainState& state, const ByteSink& sink) {
  Frame frame;
  sink(frame.bytes());
  Digest digest;
  frame.archive_length = write_payload(state, [&](std::span<const std::byte> piece) {
    digest.bytes(piece);
    frame.payload_length += piece.size();
    sink(piece);
  });
  frame.digest = frame_digest(frame, digest.result());
  return frame;
}

[[noreturn]] void damaged(std::string_view name, std::string_view reason) {
  throw std::runtime_error(fmt::format("Checkpoint {} is damaged ({}). {}.", name, reason, restore));
}

ChainState decode(std::string_view name, std::span<const std::byte> bytes) {
  Frame frame;
  const auto magic = std::as_bytes(std::span(frame.magic)).first(std::min(bytes.size(), sizeof frame.magic));
  if (!std::ranges::equal(magic, bytes.first(magic.size()))) {
    throw std::runtime_error(fmt::format(
        "{} is not a checkpoint (it does not begin with GLASSWRK). Check the name of the file, or restore it.", name));
  }
  if (bytes.size() < sizeof frame) damaged(name, fmt::format("only {} bytes of its header are left", bytes.size()));
  std::memcpy(&frame, bytes.data(), sizeof frame);
  const auto payload = bytes.subspan(sizeof frame);
  if (frame.byte_order != byte_order_mark) damaged(name, "its byte order mark is not that of this machine");
  if (frame.version > format_version && frame.version <= plausible_version) {
    throw std::runtime_error(
        fmt::format("Checkpoint {} cannot be read (format version {}; this program knows up to {}). Use a newer "
                    "version of the program.",
                    name, frame.version, format_version));
  }
  if (frame.version != format_version) damaged(name, fmt::format("there is no format version {}", frame.version));
  if (frame.payload_length != payload.size()) {
    damaged(name, fmt::format("it holds {} bytes of data instead of {}", payload.size(), frame.payload_length));
  }
  if (frame.digest != frame_digest(frame, Digest().bytes(payload).result())) {
    damaged(name, "its content does not match its digest");
  }
  if (frame.archive_length / largest_expansion > frame.payload_length) damaged(name, "its length is impossible");
  try {
    return read_payload(payload, frame.archive_length);
  } catch (const std::runtime_error& error) {
    damaged(name, error.what());
  }
}

}  // namespace

std::string state_digest(const ChainState& state) {
  return Digest()
      .value(state.steps)
      .array(state.slot)
      .array(state.heading)
      .array(state.round_trips)
      .array(state.spins)
      .hex();
}

std::vector<std::byte> encode_checkpoint(const ChainState& state) {
  std::vector<std::byte> bytes;
  bytes.reserve(sizeof(Frame) + 1024 + state.spins.size() * sizeof(float));
  const Frame frame = stream_checkpoint(state, [&](std::span<const std::byte> piece) {
    std::copy(piece.begin(), piece.end(), std::back_inserter(bytes));
  });
  std::ranges::copy(frame.bytes(), bytes.begin());
  return bytes;
}

ChainState decode_checkpoint(const std::vector<std::byte>& bytes) { return decode("data", bytes); }

void write_checkpoint(const std::filesystem::path& file, const ChainState& state) {
  DurableFile output(file);
  const Frame frame = stream_checkpoint(state, [&](std::span<const std::byte> piece) { output.append(piece); });
  output.overwrite(0, frame.bytes());
  output.publish();
}

ChainState read_checkpoint(const std::filesystem::path& file, const std::string& expected_digest) {
  ChainState state = decode(file.string(), read_file(file));
  if (expected_digest.empty()) return state;
  const std::string digest = state_digest(state);
  if (digest != expected_digest) {
    throw std::runtime_error(
        fmt::format("Checkpoint {} does not belong to the campaign's last round (its state has digest {}, the database "
                    "says {}). Restore the file from a copy.",
                    file.string(), digest, expected_digest));
  }
  return state;
}

}  // namespace glassworks
