#include "engine/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

#include "base/digest.hpp"
#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint_payload.hpp"
#include "engine/checkpoint/checkpoint_values.hpp"
#include "kernels/rounds/state_form.hpp"

namespace glassworks { inline namespace engine {

namespace {

constexpr std::uint32_t format_version = 5;
/// The last one without the reference states of a course; states that have none are still written in an earlier one.
constexpr std::uint32_t version_of_beside = 4;
/// The last one without what a local update keeps beside the spins; states that have none are still written in it.
constexpr std::uint32_t version_of_spins = 3;
/// The last one whose frame does not say which state it holds.
constexpr std::uint32_t version_without_identity = 1;
/// The last one whose sites carry vectors of three components; such states are still written in it.
constexpr std::uint32_t version_of_three_components = 2;
/// Larger version numbers count as damage, not as a newer format.
constexpr std::uint32_t plausible_version = 1000;
constexpr std::uint32_t byte_order_mark = 0x01020304;
/// A zstd block of 128 KiB takes at least 4 B: no intact payload expands more.
constexpr std::uint64_t largest_expansion = 32768;
constexpr const char* restore = "Delete it and restore the file from a copy, or begin the realization again";
constexpr const char* restore_or_rename = "Check the name of the file, or restore it from a copy";

/// Stored as it lies in memory (db/FORMAT.md); `digest` covers all before it, the identity and the payload.
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

/// Follows the frame from version 2 on.
struct StoredIdentity {
  std::uint32_t dim = 0, L = 0, copies = 0, slots = 0, realization = 0, rounds = 0;
  Digest::Bytes origin{};
  std::uint32_t components = 3;  ///< from version 3 on

  [[nodiscard]] std::span<const std::byte> bytes(std::uint32_t version) const {
    return std::as_bytes(std::span(this, 1)).first(length(version));
  }
  [[nodiscard]] static std::size_t length(std::uint32_t version) {
    if (version == version_without_identity) return 0;
    return version == version_of_three_components ? offsetof(StoredIdentity, components) : sizeof(StoredIdentity);
  }
};
static_assert(sizeof(StoredIdentity) == 44 && offsetof(StoredIdentity, origin) == 24);

StoredIdentity to_stored(const CheckpointIdentity& identity) {
  return {static_cast<std::uint32_t>(identity.dim),
          static_cast<std::uint32_t>(identity.L),
          static_cast<std::uint32_t>(identity.copies),
          static_cast<std::uint32_t>(identity.slots),
          identity.realization,
          identity.rounds,
          identity.origin,
          static_cast<std::uint32_t>(identity.components)};
}

CheckpointIdentity from_stored(const StoredIdentity& stored) {
  CheckpointIdentity identity;
  identity.dim = static_cast<int>(stored.dim);
  identity.L = static_cast<int>(stored.L);
  identity.copies = static_cast<int>(stored.copies);
  identity.slots = static_cast<int>(stored.slots);
  identity.realization = stored.realization;
  identity.rounds = stored.rounds;
  identity.origin = stored.origin;
  identity.components = static_cast<int>(stored.components);
  return identity;
}

Digest::Bytes frame_digest(const Frame& frame, std::span<const std::byte> identity,
                           const Digest::Bytes& payload_digest) {
  return Digest().bytes(frame.bytes().first(offsetof(Frame, digest))).bytes(identity).bytes(payload_digest).result();
}

PayloadArrays arrays_of(std::uint32_t version) {
  if (version <= version_of_three_components) return PayloadArrays::spins;
  if (version <= version_of_spins) return PayloadArrays::spins_and_states;
  return version <= version_of_beside ? PayloadArrays::with_beside : PayloadArrays::all;
}

/// Sends a frame yet without lengths and digest, the identity and the payload; returns the frame to put in its place.
Frame stream_checkpoint(const ChainState& state, const CheckpointIdentity& identity, const ByteSink& sink) {
  Frame frame;
  const bool three_components = identity.components == 3 && state.states.empty() && state.beside.empty();
  if (!state.kept.empty()) {
    frame.version = format_version;
  } else if (three_components) {
    frame.version = version_of_three_components;
  } else {
    frame.version = state.beside.empty() ? version_of_spins : version_of_beside;
  }
  const StoredIdentity stored = to_stored(identity);
  sink(frame.bytes());
  sink(stored.bytes(frame.version));
  Digest digest;
  frame.archive_length = write_payload(state, arrays_of(frame.version), [&](std::span<const std::byte> piece) {
    digest.bytes(piece);
    frame.payload_length += piece.size();
    sink(piece);
  });
  frame.digest = frame_digest(frame, stored.bytes(frame.version), digest.result());
  return frame;
}

[[noreturn]] void damaged(std::string_view name, std::string_view reason) {
  throw FileError(FileFault::damaged, fmt::format("Checkpoint {} is damaged ({})", name, reason), restore);
}

[[noreturn]] void not_expected(std::string_view name, std::string_view reason) {
  throw FileError(FileFault::damaged, fmt::format("Checkpoint {} is not the expected one ({})", name, reason),
                  restore_or_rename);
}

/// Checks all of the frame that can be checked without the payload.
Frame read_frame(std::string_view name, std::span<const std::byte> bytes) {
  Frame frame;
  const auto magic = std::as_bytes(std::span(frame.magic)).first(std::min(bytes.size(), sizeof frame.magic));
  if (!std::ranges::equal(magic, bytes.first(magic.size()))) {
    throw FileError(FileFault::damaged, fmt::format("{} is not a checkpoint (it does not begin with GLASSWRK)", name),
                    restore_or_rename);
  }
  if (bytes.size() < sizeof frame) damaged(name, fmt::format("only {} bytes of its header are left", bytes.size()));
  std::memcpy(&frame, bytes.data(), sizeof frame);
  if (frame.byte_order != byte_order_mark) damaged(name, "its byte order mark is not that of this machine");
  if (frame.version > format_version && frame.version <= plausible_version) {
    throw FileError(FileFault::withheld,
                    fmt::format("Checkpoint {} cannot be read (format version {}; this program reads up to {})", name,
                                frame.version, format_version),
                    "Use a newer version of the program");
  }
  if (frame.version == 0 || frame.version > format_version) {
    damaged(name, fmt::format("there is no format version {}", frame.version));
  }
  return frame;
}

/// Before memory is taken: what comes out of the payload must have the length of a state of this identity. (The version
/// of three components is written for other vectors too where no identity is stated.)
void check_length(std::string_view name, std::uint64_t archive_length, const CheckpointIdentity& identity) {
  if (!identity.stated()) return;
  const std::uint64_t needed = state_bytes(identity);
  if (needed > 0 && archive_length + archive_header_bytes >= needed && archive_length <= needed + archive_header_bytes)
    return;
  damaged(name, fmt::format("its {} bytes are not a state of d = {}, L = {}, {} copies and {} slots", archive_length,
                            identity.dim, identity.L, identity.copies, identity.slots));
}

/// What of an identity a file must have: all, or only its lattice and kind of spin.
enum class Fit { all, sites };

/// The identity of a file, where it has the sites and spins of another one.
CheckpointIdentity with_sites_of(std::string_view name, const CheckpointIdentity& found,
                                 const CheckpointIdentity& sites) {
  if (!found.stated()) not_expected(name, "it does not say what it holds");
  if (found.dim != sites.dim || found.L != sites.L) {
    not_expected(
        name, fmt::format("it holds d = {}, L = {} instead of d = {}, L = {}", found.dim, found.L, sites.dim, sites.L));
  }
  if (found.components != sites.components) not_expected(name, "its sites carry another kind of spin");
  CheckpointIdentity both = sites;
  both.copies = found.copies;
  both.slots = found.slots;
  both.realization = found.realization;
  both.rounds = found.rounds;
  both.origin = found.origin;
  both.steps = 0;
  return both;
}

/// The same of what a state holds beside its spins, and of its reference states: of a course, or of another local
/// update.
void keep_what_it_has(const ChainState& state, CheckpointIdentity& identity) {
  identity.widths = 0;
  identity.reserves = state.beside.size();
  identity.references.clear();
  for (const KeptSpins& kept : state.kept) identity.references.push_back(kept.time);
  identity.kept_words = state.kept.empty() ? 0 : state.kept.front().bits.size();
}

/// wanted  throws before anything is decompressed if the file states another identity; not stated: any
Checkpoint decode(std::string_view name, std::span<const std::byte> bytes, const CheckpointIdentity& wanted,
                  Fit fit = Fit::all) {
  const Frame frame = read_frame(name, bytes);
  StoredIdentity stored;
  const std::size_t identity_length = StoredIdentity::length(frame.version);
  const auto rest = bytes.subspan(sizeof frame);
  if (rest.size() < identity_length) damaged(name, fmt::format("only {} bytes of its header are left", bytes.size()));
  const auto identity = rest.first(identity_length), payload = rest.subspan(identity_length);
  if (frame.payload_length != payload.size()) {
    damaged(name, fmt::format("it holds {} bytes of data instead of {}", payload.size(), frame.payload_length));
  }
  if (frame.digest != frame_digest(frame, identity, Digest().bytes(payload).result())) {
    damaged(name, "its content does not match its digest");
  }
  if (frame.archive_length / largest_expansion > frame.payload_length) damaged(name, "its length is impossible");
  if (!identity.empty()) std::memcpy(&stored, identity.data(), identity.size());

  Checkpoint checkpoint{{}, from_stored(stored)};
  CheckpointIdentity expected = fit == Fit::sites ? with_sites_of(name, checkpoint.identity, wanted) : wanted;
  if (expected.stated() && checkpoint.identity.stated() && checkpoint.identity != expected) {
    not_expected(name, difference(checkpoint.identity, expected));
  }
  // How much a local update keeps, and a course, is known of the expected state alone.
  const bool known = (expected.stated() && fit == Fit::all) || frame.version <= version_of_spins;
  if (known) check_length(name, frame.archive_length, expected.stated() ? expected : checkpoint.identity);
  try {
    checkpoint.state = read_payload(payload, arrays_of(frame.version), frame.archive_length);
  } catch (const std::runtime_error& error) {
    damaged(name, error.what());
  }
  if (!expected.stated()) return checkpoint;
  if (fit == Fit::sites) keep_what_it_has(checkpoint.state, expected);
  if (const std::string reason = misfit(checkpoint.state, expected); !reason.empty()) not_expected(name, reason);
  if (const std::string reason = impossible_value(checkpoint.state, expected); !reason.empty()) damaged(name, reason);
  return checkpoint;
}

}  // namespace

std::string state_digest(const ChainState& state) {
  Digest digest;
  digest.bytes(bytes_before_sites(state, state.spins.size(), state.states.size()))
      .bytes(std::as_bytes(std::span(state.spins)))
      .bytes(std::as_bytes(std::span(state.states)));
  if (!state.beside.empty()) digest.array(state.beside);
  return digest.hex();
}

std::vector<std::byte> encode_checkpoint(const ChainState& state, const CheckpointIdentity& identity) {
  std::vector<std::byte> bytes;
  bytes.reserve(sizeof(Frame) + sizeof(StoredIdentity) + 1024 + state.spins.size() * sizeof(float) +
                state.states.size() + state.beside.size() * sizeof(std::int64_t));
  const Frame frame = stream_checkpoint(state, identity, [&](std::span<const std::byte> piece) {
    std::copy(piece.begin(), piece.end(), std::back_inserter(bytes));
  });
  std::ranges::copy(frame.bytes(), bytes.begin());
  return bytes;
}

Checkpoint decode_checkpoint(const std::vector<std::byte>& bytes, const CheckpointIdentity& expected) {
  return decode("data", bytes, expected);
}

std::uint64_t largest_checkpoint(const CheckpointIdentity& identity) {
  if (!identity.stated()) return std::uint64_t{1} << 40;
  return sizeof(Frame) + sizeof(StoredIdentity) + largest_payload(state_bytes(identity) + archive_header_bytes);
}

DurableFile prepare_checkpoint(const std::filesystem::path& file, const ChainState& state,
                               const CheckpointIdentity& identity) {
  DurableFile output(file);
  const Frame frame =
      stream_checkpoint(state, identity, [&](std::span<const std::byte> piece) { output.append(piece); });
  output.overwrite(0, frame.bytes());
  return output;
}

void write_checkpoint(const std::filesystem::path& file, const ChainState& state, const CheckpointIdentity& identity) {
  prepare_checkpoint(file, state, identity).publish();
}

Checkpoint read_foreign_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& sites) {
  constexpr std::uint64_t most_times = 1024;  // as many replicas as here
  return decode(file.string(), read_file(file, most_times * largest_checkpoint(sites)), sites, Fit::sites);
}

ChainState read_checkpoint(const std::filesystem::path& file, const std::string& expected_digest,
                           const CheckpointIdentity& expected) {
  ChainState state = decode(file.string(), read_file(file, largest_checkpoint(expected)), expected).state;
  if (expected_digest.empty()) return state;
  const std::string digest = state_digest(state);
  if (digest != expected_digest) {
    throw FileError(
        FileFault::damaged,
        fmt::format(
            "Checkpoint {} does not hold the state that the database names (its digest is {}, the database has {})",
            file.string(), digest, expected_digest),
        "Restore the file from a copy");
  }
  return state;
}

}}  // namespace glassworks::engine
