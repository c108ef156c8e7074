#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "tests/engine/checkpoint_fixture.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

/// Files whose digests fit, as a defective or hostile program would write them.
class HostileCheckpoint : public CheckpointFile {
 protected:
  static Config config_of(const std::string& model) { return parse_config(minimal_config + model); }

  /// Reads a state of the chain that was changed, with digests that were made to fit; 6 rounds are done.
  void read_changed(const Config& config, const std::function<void(ChainState&)>& change) const {
    const Chain chain = make_chain(config, 0);
    ChainState state = initial_state(chain, 1);
    const CheckpointIdentity identity = checkpoint_identity(config, chain, 1, 6);
    state.steps = 6U * static_cast<unsigned>(chain.measurements * chain.protocol.exchanges_per_measurement);
    write_checkpoint(file(), state, identity);
    EXPECT_EQ(read_checkpoint(file(), state_digest(state), identity), state) << "the state as it was";
    change(state);
    write_checkpoint(file(), state, identity);
    static_cast<void>(read_checkpoint(file(), state_digest(state), identity));
  }
  [[nodiscard]] fs::path file() const { return directory_ / "a.ckpt"; }
};

TEST_F(HostileCheckpoint, EveryValueIsOneThatAChainCanHave) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::function<void(ChainState&)>> changes = {
      [](ChainState& s) { s.slot[7] = 65535; },
      [](ChainState& s) { s.slot[7] = 5; },
      [](ChainState& s) { s.slot[7] = 0; },
      [](ChainState& s) { s.heading[3] = 2; },
      [](ChainState& s) { s.heading[3] = -128; },
      [](ChainState& s) { s.round_trips[0] = 0xFFFFFFFFU; },
      [](ChainState& s) { s.steps = 0xFFFFFFFFFFFFFFFFU; },
      [](ChainState& s) { s.steps = 0; },
      [](ChainState& s) { s.spins[5] = nan; },
      [](ChainState& s) { s.spins.back() = -infinity; },
      [](ChainState& s) { s.spins[5] = 3e38F; },
      [](ChainState& s) { std::fill(s.spins.begin(), s.spins.end(), 0.0F); },
  };
  for (const auto& change : changes) {
    EXPECT_THAT([&] { read_changed(config_of(""), change); }, Refuses(FileFault::damaged));
  }
}

TEST_F(HostileCheckpoint, EveryModelHasItsOwnValues) {
  const auto model = [](const std::string& text) { return config_of("[model]\n" + text); };
  const auto sets_state = [](std::uint8_t sigma) { return [=](ChainState& s) { s.states[3] = sigma; }; };
  EXPECT_THAT([&] { read_changed(model("type = ising\n"), sets_state(2)); }, Refuses(FileFault::damaged));
  EXPECT_THAT([&] { read_changed(model("type = potts\nq = 5\n"), sets_state(255)); }, Refuses(FileFault::damaged));
  EXPECT_NO_THROW(read_changed(model("type = potts\nq = 5\n"), sets_state(4)));
  EXPECT_THAT([&] { read_changed(model("type = on\nn = 2\n"), [](ChainState& s) { s.spins[0] = 7.0F; }); },
              Refuses(FileFault::damaged));
  // Spins of absent sites, where there are such sites.
  const auto empties = [](ChainState& s) {
    for (std::size_t k = 0; k < 2; ++k) s.spins[64 * k] = 0.0F;
  };
  EXPECT_THAT([&] { read_changed(model("type = on\nn = 2\n"), empties); }, Refuses(FileFault::damaged));
  EXPECT_NO_THROW(read_changed(model("type = on\nn = 2\nsite_dilution = 0.2\n"), empties));
  EXPECT_NO_THROW(read_changed(model("type = ising\nsite_dilution = 0.2\n"), sets_state(2)));
  EXPECT_THAT([&] { read_changed(model("type = ising\nsite_dilution = 0.2\n"), sets_state(3)); },
              Refuses(FileFault::damaged));
  const Config phi4 = model("type = phi4\nlambda = 1\n");
  EXPECT_NO_THROW(read_changed(phi4, [](ChainState& s) { s.spins[0] = 7.0F; }));
  EXPECT_THAT([&] { read_changed(phi4, [](ChainState& s) { s.spins[0] = NAN; }); }, Refuses(FileFault::damaged));
}

/// 8 kB that become 64 MB.
TEST_F(HostileCheckpoint, LengthsAreCheckedBeforeMemoryIsTaken) {
  const Config config = config_of("");
  const Chain chain = make_chain(config, 0);
  const CheckpointIdentity identity = checkpoint_identity(config, chain, 1, 6);
  ChainState state = initial_state(chain, 1);
  state.spins.assign(std::size_t{1} << 24, 0.0F);
  write_checkpoint(file(), state, identity);
  EXPECT_LT(fs::file_size(file()), 100'000U);
  const auto peak = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  state = {};
  EXPECT_THAT([&] { return read_checkpoint(file(), "", identity); }, Refuses(FileFault::damaged));
  EXPECT_THAT([&] { return decode_checkpoint(read_file(file())); }, Refuses(FileFault::damaged))
      << "what the file itself states";
  // A file that is much larger than any of this state is not read at all.
  fs::resize_file(file(), std::uintmax_t{1} << 36);
  const auto before = peak();
  EXPECT_THAT([&] { return read_checkpoint(file(), "", identity); }, Refuses(FileFault::damaged));
  EXPECT_LT(peak() - before, 10'000);
}

TEST_F(HostileCheckpoint, OnlyARegularFileIsRead) {
  const CheckpointIdentity identity = small_identity();
  const auto reading = [&] { return read_checkpoint(file(), "", identity); };
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THAT(reading, Refuses(FileFault::damaged));
  fs::remove(file());
  fs::create_directory(file());
  EXPECT_THAT(reading, Refuses(FileFault::damaged));
  fs::remove(file());
  write_checkpoint(directory_ / "good", small_state(), identity);
  fs::create_symlink(directory_ / "good", file());
  EXPECT_THAT(reading, Refuses(FileFault::damaged));
  const std::vector<std::byte> good = read_file(directory_ / "good");
  ChainState other = small_state();
  other.round_trips = {1, 1};
  write_checkpoint(file(), other, identity);
  EXPECT_FALSE(fs::is_symlink(file())) << "the link is replaced";
  EXPECT_EQ(read_file(directory_ / "good"), good) << "and not its target";
  fs::remove(file());
  fs::create_symlink("/dev/zero", file());
  EXPECT_THAT(reading, Refuses(FileFault::damaged));
}

/// The name of the temporary file can be guessed.
TEST_F(HostileCheckpoint, ALinkInPlaceOfTheTemporaryFileIsNotFollowed) {
  const fs::path precious = directory_ / "precious";
  for (int i = 0; i < 200; ++i) {
    fs::create_symlink(precious, file().string() + "." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp");
  }
  for (int i = 0; i < 40; ++i) write_checkpoint(file(), small_state(), small_identity());
  EXPECT_FALSE(fs::exists(precious));
  EXPECT_FALSE(fs::is_symlink(file()));
}

}}  // namespace glassworks
