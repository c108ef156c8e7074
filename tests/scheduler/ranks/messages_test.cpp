#include "scheduler/ranks/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>

#include "tests/message_of.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/ranks/distinct_values.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

template <typename Message>
Message decode(std::span<const std::byte> bytes) {
  if constexpr (std::is_same_v<Message, FromWorker>) return decode_from_worker(bytes);
  if constexpr (std::is_same_v<Message, FromCoordinator>) return decode_from_coordinator(bytes);
}

template <typename Message, std::size_t... Index>
std::vector<Message> one_of_each(std::index_sequence<Index...>) {
  testing::DistinctValues fill;
  std::vector<Message> all;
  (fill(std::get<Index>(all.emplace_back(std::in_place_index<Index>))), ...);
  return all;
}

template <typename Message>
std::vector<Message> one_of_each() {
  return one_of_each<Message>(std::make_index_sequence<std::variant_size_v<Message>>{});
}

Handshake some_hello() {
  Handshake hello;
  hello.version = "1.2.3";
  hello.commit = "v1.2.3-4-gabcdef-dirty";
  hello.compiler = "GNU 12.2.0";
  hello.host = "n1.cluster";
  hello.pid = 4711;
  hello.place = {"n1", {0, 1, 5}, 8, {"GPU-a", "GPU-b"}};
  return hello;
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

template <typename Message>
class EveryMessage : public ::testing::Test {};
using Both = ::testing::Types<FromWorker, FromCoordinator>;
struct DirectionName {
  template <typename Message>
  static std::string GetName(int) {
    return std::is_same_v<Message, FromWorker> ? "FromWorker" : "FromCoordinator";
  }
};
TYPED_TEST_SUITE(EveryMessage, Both, DirectionName);

TYPED_TEST(EveryMessage, EveryFieldComesBack) {
  for (TypeParam& message : one_of_each<TypeParam>()) {
    TypeParam back = decode<TypeParam>(encode(message));
    ASSERT_EQ(back.index(), message.index());
    std::visit([&](auto& sent) { EXPECT_TRUE(testing::same(sent, std::get<std::decay_t<decltype(sent)>>(back))); },
               message);
  }
}

TYPED_TEST(EveryMessage, TruncatedOrLongerBytesAreRefused) {
  for (const TypeParam& message : one_of_each<TypeParam>()) {
    std::vector<std::byte> bytes = encode(message);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_THROW((void)decode<TypeParam>(std::span(bytes).first(length)), std::runtime_error)
          << message.index() << " " << length;
    }
    bytes.push_back(std::byte{0});
    EXPECT_THAT(message_of([&] { (void)decode<TypeParam>(bytes); }), HasSubstr("cannot be read (bytes after its end)"));
  }
}

/// Whatever a changed byte makes of a message: it is read as another one or refused, and never takes much memory.
TYPED_TEST(EveryMessage, DamagedBytesAreReadOrRefused) {
  std::mt19937 random(7);
  const std::vector<TypeParam> all = one_of_each<TypeParam>();
  int refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<std::byte> bytes = encode(all[random() % all.size()]);
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random() % 4 == 0 ? 0xff : random());
    }
    try {
      (void)decode<TypeParam>(bytes);
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("Start the same build"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
}

TYPED_TEST(EveryMessage, RandomBytesAreRefused) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<std::byte> bytes(random() % 200);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    if (bytes.size() > 1) bytes[1] = static_cast<std::byte>(random() % 10);
    if (!bytes.empty()) bytes[0] = static_cast<std::byte>(trial % 2 == 0 ? 'w' : 'c');
    try {
      (void)decode<TypeParam>(bytes);
    } catch (const std::runtime_error&) {
    }
  }
}

TEST(Messages, ThoseOfTheOtherSideAreRefused) {
  EXPECT_THAT([] { (void)decode_from_coordinator(encode(FromWorker(Heartbeat{}))); }, Fails());
  EXPECT_THAT([] { (void)decode_from_worker(encode(FromCoordinator(Stop{}))); }, Fails());
}

TEST(Messages, AnUnknownStatusIsRefused) {
  Commit commit;
  commit.batch.rounds.resize(1);
  commit.batch.rounds[0].status = static_cast<RealizationStatus>(6);
  EXPECT_THAT([&] { (void)decode_from_worker(encode(FromWorker(commit))); }, Fails());
}

TEST(Messages, ALengthThatIsNotThereTakesNoMemory) {
  std::vector<std::byte> bytes = encode(FromWorker(Note{"text"}));
  const std::uint64_t length = std::uint64_t{1} << 40;
  std::memcpy(bytes.data() + 2, &length, sizeof length);
  EXPECT_THAT([&] { (void)decode_from_worker(bytes); }, Fails());
}

TEST(Handshake, ComesBack) {
  EXPECT_EQ(decode_handshake(encode(some_hello())), some_hello());
  EXPECT_EQ(decode_handshake(encode(Handshake{})), Handshake{});
}

TEST(Handshake, EveryFieldTravels) {
  Handshake hello;
  testing::DistinctValues fill;
  fill(hello);
  for (std::string& device : hello.place.devices) device.erase(4, 1);  // the identity of a device is one word
  EXPECT_EQ(decode_handshake(encode(hello)), hello);
}

TEST(Handshake, IsTextThatEveryVersionReads) {
  const auto bytes = encode(some_hello());
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_THAT(text, StartsWith("glassworks hello\nversion 1.2.3\ncommit v1.2.3-4-gabcdef-dirty\n"));
  const Handshake later =
      decode_handshake(bytes_of("glassworks hello\ncolour blue\nversion 9\npid 12\nnothing\nend\n"));
  EXPECT_EQ(later.version, "9");
  EXPECT_EQ(later.pid, 12);
  EXPECT_EQ(later.host, "");
}

TEST(Handshake, AValueCannotAddLines) {
  Handshake hello = some_hello();
  hello.host = "a\nend\nversion 0";
  EXPECT_EQ(decode_handshake(encode(hello)).host, "a end version 0");
  EXPECT_EQ(decode_handshake(encode(hello)).version, "1.2.3");
}

TEST(Handshake, AnythingElseIsRefused) {
  for (const std::string text : {"", "x", "glassworks hello", "glassworks hello\nversion 1\n", "GET / HTTP/1.1\n\n",
                                 "glassworks hello\npid many\nend\n", "glassworks hello\nprocessors 1 x\nend\n"}) {
    EXPECT_THAT([&] { (void)decode_handshake(bytes_of(text)); }, Fails()) << text;
  }
  EXPECT_THAT([&] { (void)decode_handshake(encode(FromWorker(Heartbeat{}))); }, Fails());
  EXPECT_THAT([&] { (void)decode_handshake(std::vector<std::byte>(2 << 20)); }, Fails());
}

/// A batch of 32 rounds of L = 8: about 21 kB each.
Commit large_commit() {
  Commit commit;
  commit.batch.rounds.resize(32);
  for (RoundCommit& round : commit.batch.rounds) {
    round.record.mean.assign(30 * 36, 0.5);
    round.record.samples.assign(2550, 0.5F);
    round.record.walk_mean.assign(60 * 3, 0.1);
    round.record.exchange_attempts = round.record.exchange_accepted = std::vector<std::uint64_t>(29, 100);
    round.record.walk_up = round.record.walk_down = std::vector<std::uint32_t>(30, 10);
    round.record.round_trips.assign(60, 3);
    round.checkpoint = round.state_digest = "0123456789abcdef0123456789abcdef";
  }
  return commit;
}

TEST(Messages, ALargeCommitIsTheSumOfItsArrays) {
  const std::size_t bytes = encode(FromWorker(large_commit())).size();
  EXPECT_GT(bytes, 32U * 20'000);
  EXPECT_LT(bytes, 32U * 23'000);
}

}}  // namespace glassworks
