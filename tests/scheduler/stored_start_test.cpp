#include <fstream>

#include "engine/checkpoint/checkpoint.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/starts/spins_file.hpp"
#include "engine/starts/stored_starts.hpp"
#include "scheduler/histories/second_history.hpp"
#include "scheduler/histories/start.hpp"
#include "scheduler/histories/validation.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Histories that begin with spins of another campaign, or of files.
namespace glassworks::testing { namespace {

class StoredStart : public SmallCampaign {
 protected:
  void SetUp() override { run_campaign(source()); }

  [[nodiscard]] Config source() const { return config("source"); }
  /// A campaign with other temperatures and fewer slots that begins with the spins of some folder.
  [[nodiscard]] Config from(const std::string& name, const std::filesystem::path& folder) const {
    Config config = SmallCampaign::config(name);
    config.ladder.T_min = 0.3;
    config.ladder.slots = {3};
    config.campaign.start = Start::stored;
    config.campaign.start_from = folder;
    open_stored_starts(config);
    return config;
  }
  /// Of the source, its last checkpoint.
  [[nodiscard]] ChainState last_state(std::uint32_t realization) const {
    const Database database = read_campaign(source());
    const RealizationRow row = database.realization({4, realization});
    const Chain chain = make_chain(source(), 0);
    return read_checkpoint(source().campaign.directory / "checkpoints" / row.checkpoint, row.checkpoint_digest,
                           checkpoint_identity(source(), chain, realization, row.rounds));
  }
  /// The last states of the source as files of spins.
  void write_spins(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    const Chain chain = make_chain(source(), 0);
    for (std::uint32_t r = 0; r < 6; ++r) {
      std::ofstream(coupling_sample(folder, 4, r)) << spins_text(chain, last_state(r), {0.5, 0.6, 0.7, 0.8, 0.9}, r, 1);
    }
  }
  static ChainState start_of(const Config& config, std::uint32_t realization) {
    const Chain chain = make_chain(config, 0);
    const Disorder disorder = make_disorder(config, chain.lattice, realization);
    ChainState state;
    const Beginning beginning{realization, &disorder, &state};
    RoundControl control;
    EXPECT_TRUE(make_starts(config, chain, {&beginning, 1}, *make_backend({.kind = BackendKind::reference}), control));
    return state;
  }
};

TEST_F(StoredStart, CopiesAndSlotsAreMatchedByNumber) {
  const ChainState there = last_state(2), here = start_of(from("a", source().campaign.directory), 2);
  const std::size_t size = std::size_t{3} * 64;
  EXPECT_EQ(here.steps, 0U);
  EXPECT_EQ(here.slot, (std::vector<std::uint16_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(here.round_trips, std::vector<std::uint32_t>(6, 0));
  ASSERT_EQ(here.spins.size(), 6 * size);
  bool wandered = false;
  for (std::size_t r = 0; r < 10; ++r) {
    const std::size_t copy = r / 5, slot = there.slot[r];
    wandered = wandered || slot != r % 5;
    if (slot >= 3) continue;
    EXPECT_TRUE(std::equal(there.spins.begin() + static_cast<std::ptrdiff_t>(r * size),
                           there.spins.begin() + static_cast<std::ptrdiff_t>((r + 1) * size),
                           here.spins.begin() + static_cast<std::ptrdiff_t>((copy * 3 + slot) * size)))
        << "replica " << r;
  }
  EXPECT_TRUE(wandered) << "the test would not see that a replica is taken for its slot";
}

/// Spins alone are taken: neither reference states nor widths of proposals.
TEST_F(StoredStart, ACourseBeginsWhereAnotherOneHasEnded) {
  const std::string both =
      "model.type = xy\nmodel.dim = 2\nmodel.L = 4\ndisorder.realizations = 2\nbackend.kind = cpu\n";
  Config first = parse_config(both +
                              "ladder.temperatures = 0.3, 0.5, 0.7\nreplicas.copies = 3\nprotocol.local = metropolis\n"
                              "course.sweeps = 20\ncourse.waiting_times = 0, 5\n");
  first.campaign.directory = source().campaign.directory / "first";
  run_campaign(first);
  Config next = parse_config(both + "ladder.temperatures = 0.4, 0.6\ncourse.sweeps = 10\ncourse.waiting_times = 3\n");
  next.campaign.directory = source().campaign.directory / "next";
  next.campaign.start = Start::stored;
  next.campaign.start_from = first.campaign.directory;
  open_stored_starts(next);
  const RealizationRow row = read_campaign(first).realization({4, 1});
  const Chain chain = make_chain(first, 0);
  const ChainState there = read_checkpoint(first.campaign.directory / "checkpoints" / row.checkpoint,
                                           row.checkpoint_digest, checkpoint_identity(first, chain, 1, row.rounds));
  EXPECT_EQ(there.kept.size(), 2U);
  EXPECT_EQ(there.beside.size(), 3U);
  const ChainState here = start_of(next, 1);
  EXPECT_TRUE(here.kept.empty());
  for (std::size_t replica = 0; replica < 4; ++replica) {
    const std::size_t copy = replica / 2, slot = replica % 2;
    EXPECT_TRUE(std::equal(here.spins.begin() + static_cast<std::ptrdiff_t>(32 * replica),
                           here.spins.begin() + static_cast<std::ptrdiff_t>(32 * (replica + 1)),
                           there.spins.begin() + static_cast<std::ptrdiff_t>(32 * (3 * copy + slot))))
        << "replica " << replica;
  }
  EXPECT_EQ(run_campaign(next), RunOutcome::complete);
}

TEST_F(StoredStart, FilesAndCampaignsBeginAlikeAndKillsChangeNothing) {
  const Config whole = from("whole", source().campaign.directory);
  EXPECT_EQ(run_campaign(whole), RunOutcome::complete);
  Config killed = from("killed", source().campaign.directory);
  EXPECT_EQ(run_campaign(killed, 2), RunOutcome::stopped);
  killed.backend.options.kind = BackendKind::reference;
  EXPECT_EQ(run_campaign(killed), RunOutcome::complete);
  EXPECT_EQ(outcome(killed), outcome(whole));
  write_spins(source().campaign.directory / "spins");
  const Config files = from("files", source().campaign.directory / "spins");
  EXPECT_EQ(run_campaign(files), RunOutcome::complete);
  EXPECT_EQ(outcome(files), outcome(whole));
  Config random = config("random");
  random.ladder = whole.ladder;
  EXPECT_EQ(run_campaign(random), RunOutcome::complete);
  EXPECT_NE(outcome(random), outcome(whole)) << "the start matters";

  // A checkpoint that is lost, and rounds that are simulated again.
  for (const std::string& name : checkpoint_files(whole)) {
    std::filesystem::remove(whole.campaign.directory / "checkpoints" / name);
  }
  const Database database = read_campaign(whole);
  const RealizationRow row = database.realization({4, 1});
  const Chain chain = make_chain(whole, 0);
  const Disorder disorder = make_disorder(whole, chain.lattice, 1);
  const StateSource states{whole.campaign.directory / "checkpoints", whole, chain};
  Restoration found = newest_state(states, row, disorder);
  EXPECT_EQ(found.read_rounds, 0U);
  RoundControl control;
  ASSERT_TRUE(simulate_missing_rounds(states, {&found, 1}, *make_backend({.kind = BackendKind::cpu}), control));
  EXPECT_EQ(found.lost, "");
  EXPECT_EQ(state_digest(found.state), row.state_digest);
  EXPECT_TRUE(verify(killed.campaign.directory, {.recompute = 6, .backend = nullptr, .progress = {}}, control)
                  .problems.empty());
}

TEST_F(StoredStart, ACampaignIsTiedToItsStart) {
  const std::filesystem::path folder = source().campaign.directory / "spins";
  write_spins(folder);
  Config given = from("tied", folder);
  given.ladder = source().ladder;  // with which realizations converge
  EXPECT_EQ(run_campaign(given, 2), RunOutcome::stopped);
  const Config stored = parse_config(read_campaign(given).config_text());
  EXPECT_EQ(stored.campaign.start_digest, given.campaign.start_digest);
  EXPECT_EQ(stored.campaign.start_from, folder);
  // Realizations and slots may be fewer in parts of it.
  EXPECT_EQ(run_campaign(given), RunOutcome::complete);
  const ValidationPlan plan =
      plan_validation(read_campaign(given), given, {.kind = CampaignPart::fivefold, .sample = 1, .sizes = {}});
  EXPECT_EQ(plan.config.campaign.start, Start::stored);
  EXPECT_FALSE(plan.config.campaign.start_digest.empty());
  std::filesystem::copy(coupling_sample(folder, 4, 1), coupling_sample(folder, 4, 0),
                        std::filesystem::copy_options::overwrite_existing);
  Config changed = given;
  changed.campaign.starts.reset();
  EXPECT_THAT([&] { open_stored_starts(changed); }, Refuses(InputFault::changed, folder.string()));
  changed.campaign.start_digest.clear();
  open_stored_starts(changed);
  EXPECT_THAT([&] { run_campaign(changed); }, Refuses(InputFault::changed, "campaign.start_digest"));
  RoundControl control;
  EXPECT_THAT(
      [&] { return verify(given.campaign.directory, {.recompute = 6, .backend = nullptr, .progress = {}}, control); },
      Refuses(InputFault::changed, folder.string()));
  EXPECT_THAT([&] { start_of(given, 0); }, Refuses(InputFault::changed, coupling_sample(folder, 4, 0).string()))
      << "changed after it was looked up";
  Config whole = stored;
  whole.campaign.starts.reset();
  EXPECT_THAT(
      [&] {
        static_cast<void>(
            plan_validation(read_campaign(given), whole, {.kind = CampaignPart::fivefold, .sample = 1, .sizes = {}}));
      },
      Refuses(InputFault::changed, folder.string()));
}

TEST_F(StoredStart, WhatDoesNotFitIsRefused) {
  const std::filesystem::path folder = source().campaign.directory;
  const auto start_with = [&](const auto& change) {
    return [=, this] {
      Config config = from("a", folder);
      config.campaign.starts.reset();
      config.campaign.start_digest.clear();
      change(config);
      open_stored_starts(config);
      static_cast<void>(start_of(config, 0));
    };
  };
  const std::string checkpoint =
      (folder / "checkpoints" / read_campaign(source()).realization({4, 0}).checkpoint).string();
  EXPECT_THAT(start_with([](Config& c) { c.ladder.slots = {6}; }), Refuses(InputFault::conflict, checkpoint));
  EXPECT_THAT(start_with([](Config& c) { c.replicas.copies = 4; }), Refuses(InputFault::conflict, checkpoint));
  EXPECT_THAT(start_with([](Config& c) { c.disorder.realizations = {7}; }),
              Refuses(InputFault::missing, folder.string()));
  EXPECT_THAT(start_with([](Config& c) { c.model.L = {6}; }), Refuses(InputFault::missing, folder.string()));
  EXPECT_THAT(start_with([&](Config& c) { c.campaign.start_from = folder / "campaign.db"; }),
              Refuses(InputFault::unusable_file, "campaign.start_from"));
  const auto spoiled = [&](const auto& change) { return start_with([=](Config& c) { change(c); }); };
  EXPECT_THROW(spoiled([](Config& c) {
                 c.model.spins.kind = ModelKind::ising;
                 c.protocol.overrelaxation = 0;
               })(),
               FileError)
      << "another kind of spin";

  write_spins(folder / "spins");
  const std::string name = coupling_sample(folder / "spins", 4, 0).string();
  std::ifstream file(name);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto with_text = [&](const std::string& changed) {
    return start_with([=](Config& c) {
      std::ofstream(name) << changed;
      c.campaign.start_from = folder / "spins";
    });
  };
  const std::size_t first = text.find("\n0 0 0 ") + 1, second = text.find('\n', first) + 1;
  EXPECT_NO_THROW(with_text(text)());
  EXPECT_THAT(with_text(text.substr(0, first) + text.substr(second)), Refuses(InputFault::missing, name));
  EXPECT_THAT(with_text(text + text.substr(first, second - first)), Refuses(InputFault::repeated, name));
  EXPECT_THAT(with_text(text + "0 0 64 1 0 0\n"), Refuses(InputFault::out_of_range, name));
  EXPECT_THAT(with_text(text + "0 0 1\n"), Refuses(InputFault::malformed, name));
  EXPECT_THAT(with_text("# none\n"), Refuses(InputFault::missing, name));
  for (const char* spin : {"0.5 0 0", "0 0 0", "nan 0 1", "inf 0 0"}) {
    EXPECT_THAT(with_text(text.substr(0, first) + "0 0 0 " + spin + "\n" + text.substr(second)),
                Refuses(InputFault::conflict, (folder / "spins").string()))
        << spin;
  }
  EXPECT_THAT(with_text(std::string("\xFF\xFE")), Refuses(InputFault::malformed, name));
}

}}  // namespace glassworks::testing
