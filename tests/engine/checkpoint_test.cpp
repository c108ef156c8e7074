#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "base/digest.hpp"
#include "base/durable_file.hpp"
#include "tests/engine/checkpoint_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

// The same cases in every run.
const int fixed_seed = ::setenv("RC_PARAMS", "seed=20240229", 0);

TEST(Digest, KnownValues) {
  EXPECT_EQ(Digest().hex(), "99aa06d3014798d86001c324468d497f");  // xxhsum -H128 of nothing
  const std::string abc = "abc";
  EXPECT_EQ(Digest().bytes(std::as_bytes(std::span(abc))).hex(), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(checksum64(std::as_bytes(std::span(abc))), 0x78af5f94892f3950ULL);
}

TEST(StateDigest, DependsOnEveryField) {
  const ChainState state = small_state();
  const std::string digest = state_digest(state);
  EXPECT_EQ(digest, state_digest(small_state()));
  EXPECT_EQ(digest.size(), 32U);
  std::vector<ChainState> others(7, state);
  others[6].beside = {1};
  ++others[0].steps;
  others[1].slot = {0, 1};
  others[2].heading[1] = 0;
  ++others[3].round_trips[0];
  others[4].spins[1] = 0.0F;  // equal as a number, not as bits
  others[5].spins.pop_back();
  for (const ChainState& other : others) EXPECT_NE(digest, state_digest(other));
}

TEST(StateDigest, IsTheDocumentedByteSequence) {
  const ChainState state = small_state();
  std::vector<std::byte> bytes;
  const auto append = [&](const auto* data, std::size_t count) {
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + count * sizeof *data);
  };
  const std::uint64_t two = 2, six = 6;
  append(&state.steps, 1);
  append(&two, 1);
  append(state.slot.data(), 2);
  append(&two, 1);
  append(state.heading.data(), 2);
  append(&two, 1);
  append(state.round_trips.data(), 2);
  append(&six, 1);
  append(state.spins.data(), 6);
  EXPECT_EQ(Digest().bytes(bytes).hex(), state_digest(state));
}

RC_GTEST_PROP(Checkpoint, DecodesToTheSameBits,
              (std::uint64_t steps, const std::vector<std::uint16_t>& slot, const std::vector<std::int8_t>& heading,
               const std::vector<std::uint32_t>& trips, const std::vector<std::uint32_t>& spin_bits)) {
  ChainState state{.steps = steps,
                   .slot = slot,
                   .heading = heading,
                   .round_trips = trips,
                   .spins = {},
                   .states = {},
                   .beside = {},
                   .kept = {}};
  for (const std::uint32_t bits : spin_bits) state.spins.push_back(std::bit_cast<float>(bits));
  const ChainState copy = decode_checkpoint(encode_checkpoint(state)).state;
  RC_ASSERT(same_bits(state, copy));
  RC_ASSERT(state_digest(state) == state_digest(copy));
}

/// Of one discrete spin, one copy, two slots.
ChainState discrete_state() {
  ChainState state = small_state();
  state.spins.clear();
  state.states = {1, 0};
  return state;
}

CheckpointIdentity discrete_identity() {
  CheckpointIdentity identity = small_identity();
  identity.components = 0;
  return identity;
}

TEST(StateDigest, HoldsDiscreteStatesOnlyWhereThereAreAny) {
  const ChainState state = discrete_state();
  ChainState none = state, other = state;
  none.states.clear();
  other.states = {0, 1};
  EXPECT_NE(state_digest(state), state_digest(other));
  EXPECT_NE(state_digest(state), state_digest(none));
  const std::uint8_t states[] = {1, 0};
  Digest expected;
  expected.value(none.steps).array(none.slot).array(none.heading).array(none.round_trips).array(none.spins);
  EXPECT_EQ(state_digest(none), expected.hex());
  Digest longer;
  longer.value(none.steps).array(none.slot).array(none.heading).array(none.round_trips).array(none.spins);
  longer.value(std::uint64_t{2}).bytes(std::as_bytes(std::span(states)));
  EXPECT_EQ(state_digest(state), longer.hex());
}

TEST_F(CheckpointFile, DiscreteStatesHaveAFormatOfTheirOwn) {
  const ChainState state = discrete_state();
  const std::vector<std::byte> vectors = encode_checkpoint(small_state(), small_identity());
  EXPECT_EQ(vectors.at(8), std::byte{2}) << "vectors of three components are written as before";
  const std::vector<std::byte> bytes = encode_checkpoint(state, discrete_identity());
  EXPECT_EQ(bytes.at(8), std::byte{3});
  const Checkpoint read = decode_checkpoint(bytes);
  EXPECT_EQ(read.state, state);
  EXPECT_EQ(read.identity, discrete_identity());
  const fs::path file = directory_ / "a.ckpt";
  write_checkpoint(file, state, discrete_identity());
  EXPECT_EQ(read_checkpoint(file, state_digest(state), discrete_identity()), state);
  EXPECT_THAT([&] { return read_checkpoint(file, "", small_identity()); }, Refuses(FileFault::damaged));
  for (std::size_t at : {std::size_t{48}, std::size_t{88}, bytes.size() - 1}) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{1};
    EXPECT_THAT([&] { return decode_checkpoint(damaged); }, Refuses(FileFault::damaged));
  }
}

TEST_F(CheckpointFile, AStateOfAnotherShapeIsNotTheExpectedOne) {
  ChainState state = discrete_state();
  state.states.pop_back();
  const fs::path file = directory_ / "a.ckpt";
  write_checkpoint(file, state, discrete_identity());
  EXPECT_THAT([&] { return read_checkpoint(file, "", discrete_identity()); }, Refuses(FileFault::damaged));
}

/// What a local update keeps beside the spins, in format version 4.
TEST(Checkpoint, HasTheNumbersBesideTheSpins) {
  CheckpointIdentity identity = small_identity();
  identity.widths = 2;
  identity.reserves = 2;
  ChainState state = small_state();
  state.beside = {70000, smallest_width, 5'000'000'000, 0};
  const std::vector<std::byte> bytes = encode_checkpoint(state, identity);
  EXPECT_EQ(std::to_integer<int>(bytes[8]), 4);
  EXPECT_EQ(decode_checkpoint(bytes, identity).state.beside, state.beside);
  EXPECT_EQ(decode_checkpoint(bytes, {.L = 0}).state.beside, state.beside);
  EXPECT_THROW(static_cast<void>(decode_checkpoint(bytes, small_identity())), FileError);
  for (const std::vector<std::int64_t>& wrong :
       {std::vector<std::int64_t>{70000, 0, 0, 0}, {70000, 70000, -1, 0}, {70000, 70000, 0}}) {
    state.beside = wrong;
    EXPECT_THROW(static_cast<void>(decode_checkpoint(encode_checkpoint(state, identity), identity)), FileError);
  }
  state.beside.clear();
  EXPECT_EQ(std::to_integer<int>(encode_checkpoint(state, small_identity())[8]), 2);
}

TEST(Checkpoint, HoldsTheReferenceStatesOfACourse) {
  CheckpointIdentity identity = small_identity();
  identity.references = {0, 12};
  ChainState state = small_state();
  for (const std::uint64_t time : identity.references) {
    KeptSpins& kept = state.kept.emplace_back();
    kept.time = time;
    kept.spins = state.spins;
    kept.spins.front() += static_cast<float>(time);
  }
  const std::vector<std::byte> bytes = encode_checkpoint(state, identity);
  EXPECT_EQ(std::to_integer<int>(bytes[8]), 5);
  EXPECT_EQ(decode_checkpoint(bytes, identity).state, state);
  EXPECT_EQ(state_digest(state), state_digest(small_state()));
  EXPECT_THROW(static_cast<void>(decode_checkpoint(bytes, small_identity())), FileError);
  identity.references = {0, 13};
  EXPECT_THROW(static_cast<void>(decode_checkpoint(bytes, identity)), FileError);
  identity.references = {0, 12};
  state.kept.back().spins.pop_back();
  EXPECT_THROW(static_cast<void>(decode_checkpoint(encode_checkpoint(state, identity), identity)), FileError);
}

TEST(Checkpoint, LargeStateGoesThroughInPieces) {
  ChainState state = small_state();
  state.spins.resize(3'000'000);
  std::uint32_t x = 1;
  for (float& s : state.spins) {
    x = x * 1664525U + 1013904223U;
    s = static_cast<float>(x >> 8) * 0x1p-23F - 1.0F;
  }
  EXPECT_TRUE(same_bits(state, decode_checkpoint(encode_checkpoint(state)).state));
}

TEST(Checkpoint, EveryTruncationIsDetected) {
  const std::vector<std::byte> bytes = encode_checkpoint(small_state(), small_identity());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(static_cast<void>(decode_checkpoint(part)), std::runtime_error) << length << " bytes";
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(static_cast<void>(decode_checkpoint(longer)), std::runtime_error);
}

TEST(Checkpoint, EveryFlippedBitIsDetected) {
  const std::vector<std::byte> bytes = encode_checkpoint(small_state(), small_identity());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> damaged = bytes;
      damaged[i] ^= std::byte{1} << bit;
      EXPECT_THROW(static_cast<void>(decode_checkpoint(damaged)), std::runtime_error)
          << "byte " << i << ", bit " << bit;
    }
  }
}

/// Puts the digest right again, as a defective writer would.
std::vector<std::byte> with_valid_digest(std::vector<std::byte> bytes) {
  const std::span<const std::byte> all(bytes);
  const auto payload = Digest().bytes(all.subspan(88)).result();
  const auto digest = Digest().bytes(all.first(32)).bytes(all.subspan(48, 40)).bytes(payload).result();
  std::copy(digest.begin(), digest.end(), bytes.begin() + 32);
  return bytes;
}

TEST(Checkpoint, AbsurdLengthAllocatesNothing) {
  const std::vector<std::byte> good = encode_checkpoint(small_state());
  EXPECT_EQ(with_valid_digest(good), good);
  std::vector<std::byte> bytes = good;
  const std::uint64_t length = std::uint64_t{1} << 60;
  std::memcpy(bytes.data() + 24, &length, sizeof length);
  EXPECT_THAT([&] { return decode_checkpoint(with_valid_digest(bytes)); }, Refuses(FileFault::damaged));
  const std::uint64_t too_small = 60;
  std::memcpy(bytes.data() + 24, &too_small, sizeof too_small);
  EXPECT_THROW(static_cast<void>(decode_checkpoint(with_valid_digest(bytes))), std::runtime_error);
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const std::vector<std::byte> good = encode_checkpoint(small_state());
  std::vector<std::byte> newer = good;
  newer[8] = std::byte{6};
  EXPECT_THAT([&] { return decode_checkpoint(newer); }, Refuses(FileFault::withheld));
  const std::vector<std::byte> foreign(100, std::byte{'x'});
  EXPECT_THAT([&] { return decode_checkpoint(foreign); }, Refuses(FileFault::damaged));
}

TEST_F(CheckpointFile, RoundTripThroughAFile) {
  const ChainState state = small_state();
  const fs::path file = directory_ / "a.ckpt";
  write_checkpoint(file, state);
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(read_file(file), encode_checkpoint(state));
  EXPECT_TRUE(same_bits(state, read_checkpoint(file, state_digest(state))));
  EXPECT_TRUE(same_bits(state, read_checkpoint(file, "")));
  EXPECT_THAT([&] { return read_checkpoint(file, std::string(32, '0')); }, Refuses(FileFault::damaged));
}

TEST_F(CheckpointFile, FailuresNameTheFileAndLeaveNothing) {
  const fs::path missing = directory_ / "no" / "a.ckpt";
  EXPECT_THAT([&] { write_checkpoint(missing, small_state()); }, Refuses(FileFault::missing));
  EXPECT_THAT([&] { return read_checkpoint(missing, ""); }, Refuses(FileFault::missing));
  fs::create_directory(directory_ / "taken");
  EXPECT_THAT([&] { return read_checkpoint(directory_ / "taken", ""); }, Refuses(FileFault::damaged));
  EXPECT_THAT([&] { write_checkpoint(directory_ / "taken", small_state()); }, Refuses(FileFault::damaged));
  EXPECT_EQ(files(), 1U);
}

TEST_F(CheckpointFile, FullDiskKeepsTheOldFile) {
  const fs::path file = directory_ / "a.ckpt";
  const ChainState old = small_state();
  write_checkpoint(file, old);
  ChainState larger = old;
  larger.spins.resize(100'000);
  for (std::size_t i = 0; i < larger.spins.size(); ++i) larger.spins[i] = 1.0F / static_cast<float>(i + 1);

  // A limit on the size of files fails the write in the middle, as a full disk does.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1024, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto writing = outcome_of([&] { write_checkpoint(file, larger); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  static_cast<void>(std::signal(SIGXFSZ, handler));

  EXPECT_THAT(writing, Refuses(FileFault::withheld));
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(same_bits(old, read_checkpoint(file, state_digest(old))));
  write_checkpoint(file, larger);
  EXPECT_TRUE(same_bits(larger, read_checkpoint(file, state_digest(larger))));
}

}}  // namespace glassworks
