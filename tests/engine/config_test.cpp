#include <gmock/gmock.h>

#include "base/text_file.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class ConfigFile : public RefusedConfigTest {};

TEST(StoredConfig, AnOlderWordForAFieldIsRead) {
  const std::string text =
      "model.L = 4\nmodel.field = uniform\nmodel.field_strength = 0.5\ndisorder.realizations = 2\n"
      "ladder.T_min = 1\nladder.T_max = 2\nladder.slots = 3\n";
  EXPECT_EQ(parse_config(text).model.field, FieldKind::box);
}

TEST_F(ConfigFile, DefaultsAndSections) {
  const Config config = load(minimal_config);
  EXPECT_EQ(config.campaign.seed, 1U);
  EXPECT_EQ(config.campaign.directory, "campaigns/a");
  EXPECT_THAT(config.model.L, ElementsAre(4, 6));
  EXPECT_THAT(config.disorder.realizations, ElementsAre(3));
  EXPECT_EQ(config.replicas.copies, 2);
  EXPECT_EQ(config.ladder.kind, LadderKind::geometric);
  EXPECT_EQ(config.protocol, Protocol{});
  EXPECT_EQ(config.backend.options.kind, BackendKind::automatic);
}

TEST_F(ConfigFile, EveryKeyReachesItsMember) {
  const Config c = load(
      "campaign.seed = 18446744073709551615   # the largest\ncampaign.directory = out/x\n"
      "[model]\r\ndim = 2\r\nL = 8 16\r\ncouplings = bimodal\r\nfield = sphere\r\nfield_strength = 0.05\r\n"
      "[disorder]\nrealizations = 10000000\n[replicas]\ncopies = 4\n[ladder]\nkind = linear\nT_min=0.2\nT_max=1e0\n"
      "slots = 5,7\nadapt = feedback\npilots = 3\nadapt_rounds = "
      "14\n[protocol]\noverrelaxation=3\nheatbath=2\nsweeps_per_exchange=4\nexchanges_per_measurement=5\n"
      "exchange=sequential\ntile=4\n[round]\nmeasurements=6\n[convergence]\nmin_rounds=8\nmax_rounds=9\n"
      "min_round_trips=0\nn_tau=30.5\nequilibration_tau=12\n[workers]\nlease_seconds=7\nmax_attempts=4\n[backend]"
      "\nkind=cuda\nisa=avx2\nthreads=2\ndevices=2, 0\nbatch=3\n");
  EXPECT_EQ(c.campaign.seed, 18446744073709551615U);
  EXPECT_EQ(c.campaign.directory, "out/x");
  EXPECT_EQ(c.model.dim, 2);
  EXPECT_THAT(c.model.L, ElementsAre(8, 16));
  EXPECT_EQ(c.model.couplings, CouplingKind::bimodal);
  EXPECT_EQ(c.model.field, FieldKind::sphere);
  EXPECT_EQ(c.model.field_strength, 0.05);
  EXPECT_EQ(c.replicas.copies, 4);
  EXPECT_EQ(c.ladder.kind, LadderKind::linear);
  EXPECT_EQ(c.ladder.T_min, 0.2);
  EXPECT_EQ(c.ladder.T_max, 1.0);
  EXPECT_THAT(c.ladder.slots, ElementsAre(5, 7));
  EXPECT_EQ(c.ladder.adapt, LadderAdaptation::feedback);
  EXPECT_EQ(c.ladder.pilots, 3);
  EXPECT_EQ(c.ladder.adapt_rounds, 14);
  EXPECT_EQ(c.protocol, (Protocol{3, 2, 4, 5, ExchangeSchedule::sequential, 4}));
  EXPECT_EQ(c.round.measurements_per_round, std::vector<int>{6});
  EXPECT_EQ(c.convergence.min_rounds, 8);
  EXPECT_EQ(c.convergence.max_rounds, 9);
  EXPECT_EQ(c.convergence.min_round_trips, 0);
  EXPECT_EQ(c.convergence.n_tau, 30.5);
  EXPECT_EQ(c.convergence.equilibration_tau, 12.0);
  EXPECT_EQ(c.workers.lease_seconds, 7);
  EXPECT_EQ(c.workers.max_attempts, 4);
  EXPECT_EQ(c.backend.options.kind, BackendKind::cuda);
  EXPECT_EQ(c.backend.options.isa, InstructionSet::avx2);
  EXPECT_EQ(c.backend.options.threads, 2);
  EXPECT_THAT(c.backend.devices, ElementsAre(2, 0));
  EXPECT_EQ(c.backend.batch, 3);
}

TEST_F(ConfigFile, OverridesWinAndTheLastOneCounts) {
  const Config config = load(minimal_config, {"model.L=8", "campaign.seed=2", "campaign.seed = 3"});
  EXPECT_THAT(config.model.L, ElementsAre(8));
  EXPECT_EQ(config.campaign.seed, 3U);
}

TEST_F(ConfigFile, APathOfTheCommandLineIsNeverAnotherOne) {
  expect_refused(minimal_config, {"campaign.directory=a "}, InputFault::malformed, "campaign.directory");
  expect_refused(minimal_config, {"campaign.directory= a"}, InputFault::malformed, "campaign.directory");
  const Config config = load(minimal_config, {"campaign.directory=a b", "campaign.note= a b ", "campaign.seed= 3 "});
  EXPECT_EQ(config.campaign.directory, "a b");
  EXPECT_EQ(config.campaign.note, "a b");
  EXPECT_EQ(config.campaign.seed, 3U);
  write("J ", "0 0 1\n");
  expect_refused(minimal_config, {"model.L=4", "model.couplings=file", "model.couplings_file=J "},
                 InputFault::malformed, "model.couplings_file");
}

TEST_F(ConfigFile, TemperaturesAloneMakeAList) {
  const Config config = load("model.L=4\ndisorder.realizations=1\nladder.temperatures = 0.3, 0.5\n");
  EXPECT_EQ(config.ladder.kind, LadderKind::list);
  EXPECT_EQ(ladder_temperatures(config, 0), (std::vector<double>{0.3, 0.5}));
}

TEST_F(ConfigFile, UnknownKeysAreNamedWithLineAndSuggestion) {
  EXPECT_THAT(loading("# first\n\n[model]\n\nsize = 4\nLL = 4\n"), Refuses(InputFault::unknown, "model.size"));
  EXPECT_THAT(loading("[model]\nLL = 4\n"), Refuses(InputFault::unknown, "model.LL"));
  EXPECT_THAT(loading("protocol.over_relaxation = 4\n"), Refuses(InputFault::unknown, "protocol.over_relaxation"));
  EXPECT_THAT(loading("T_min = 4\n"), Refuses(InputFault::unknown, "T_min"));
  EXPECT_THAT(loading("[model]\nladder.T_max = 4\n"), Refuses(InputFault::unknown, "model.ladder.T_max"));
  EXPECT_THAT(loading("model.size = 4\n"), Refuses(InputFault::unknown, "model.size"));
  EXPECT_THAT(loading(minimal_config, {"model.copies=2"}), Refuses(InputFault::unknown, "model.copies"));
  EXPECT_THAT(loading(minimal_config + "[model]\ncouplings_digest=00\n"),
              Refuses(InputFault::unknown, "model.couplings_digest"));
  EXPECT_THAT(loading(minimal_config, {"model.L"}), Refuses(InputFault::malformed, "model.L"));
}

TEST_F(ConfigFile, ARoundHasALargestNumberOfExchanges) {
  const std::string long_round = "[round]\nmeasurements = 1000000\n[convergence]\nmax_rounds = 16\n";
  EXPECT_THAT(loading(minimal_config + long_round, {"protocol.exchanges_per_measurement=2148"}),
              Refuses(InputFault::too_large, "round.measurements"));
  EXPECT_NO_THROW(load(minimal_config + long_round, {"protocol.exchanges_per_measurement=2147"}));
}

TEST_F(ConfigFile, DamagedTextIsRefused) {
  EXPECT_THAT(loading("[model]\nL = 4\nfour sizes\n"), Refuses(InputFault::malformed, "four sizes"));
  EXPECT_THAT(loading("model.L = 4\n[model]\nL = 4\n"), Refuses(InputFault::repeated, "model.L"));
  EXPECT_THAT([&] { static_cast<void>(load_config(folder_ / "none.cfg", {})); },
              Refuses(InputFault::missing, (folder_ / "none.cfg").string()));
  EXPECT_THAT([&] { static_cast<void>(load_config(folder_, {})); },
              Refuses(InputFault::unusable_file, folder_.string()));
  EXPECT_THAT(loading(std::string(2 << 20, '#')), Refuses(InputFault::too_large, (folder_ / "a.cfg").string()));
}

TEST_F(ConfigFile, RequiredKeysAreNamed) {
  EXPECT_THAT(loading(""), Refuses(InputFault::missing, "model.L, disorder.realizations, ladder.T_min, ladder.T_max"));
  EXPECT_THAT(loading("ladder.T_max=2\nmodel.L=4\n"),
              Refuses(InputFault::missing, "disorder.realizations, ladder.T_min"));
  EXPECT_THAT(
      loading("ladder.T_max=2\nmodel.L=4\nmodel.couplings=file\nmodel.field=file\n"),
      Refuses(InputFault::missing, "disorder.realizations, ladder.T_min, model.couplings_file, model.field_file"));
  EXPECT_THAT(loading("model.L=4\ndisorder.realizations=1\nladder.T_min=1\n"),
              Refuses(InputFault::missing, "ladder.T_max"));
  EXPECT_THAT(loading("model.L=4\ndisorder.realizations=1\nladder.kind=list\n"),
              Refuses(InputFault::missing, "ladder.temperatures"));
}

TEST_F(ConfigFile, FilesAreFoundBesideTheConfigurationAndPinnedByContent) {
  const std::string text =
      "model.L = 4\nmodel.couplings = file\nmodel.couplings_file = J.txt\nmodel.field = file\nmodel.field_file = "
      "H.txt\n"
      "disorder.realizations = 1\nladder.temperatures = 1\n";
  EXPECT_THAT(loading(text), Refuses(InputFault::missing, (folder_ / "J.txt").string()));
  write("J.txt", "0 0 1.5\n");
  EXPECT_THAT(loading(text), Refuses(InputFault::missing, (folder_ / "H.txt").string()));
  write("H.txt", "0 0 0 oops\n");
  EXPECT_THAT(loading(text), Refuses(InputFault::malformed, (folder_ / "H.txt").string()));
  write("H.txt", "0 0 0 1\n");
  const Config config = load(text);
  EXPECT_EQ(config.model.couplings_file, folder_ / "J.txt");
  EXPECT_EQ(config.model.couplings_digest, text_digest("0 0 1.5\n"));
  EXPECT_EQ(config.model.field_digest, text_digest("0 0 0 1\n"));
  const Config stored = parse_config(canonical_text(config));
  EXPECT_EQ(canonical_text(stored), canonical_text(config));
  EXPECT_THAT(campaign_changes(stored, config), IsEmpty());

  Config moved = config;
  moved.model.couplings_file = "/elsewhere/J.txt";
  EXPECT_THAT(campaign_changes(stored, moved), IsEmpty());
  write("J.txt", "0 0 1.25\n");
  EXPECT_THAT(texts(campaign_changes(stored, load(text))),
              ElementsAre("model.couplings_digest: " + text_digest("0 0 1.5\n") + " -> " + text_digest("0 0 1.25\n")));
}

TEST_F(ConfigFile, ChangesNameWhatBelongsToTheCampaign) {
  const Config stored = load(minimal_config);
  EXPECT_THAT(
      campaign_changes(stored, load(minimal_config, {"backend.threads=2", "backend.devices=1", "campaign.directory=x",
                                                     "workers.lease_seconds=7", "workers.max_attempts=3"})),
      IsEmpty());
  const auto changes = campaign_changes(
      stored, load(minimal_config,
                   {"ladder.T_max=0.7", "model.field=gaussian", "model.field_strength=0.1", "ladder.slots=auto"}));
  EXPECT_THAT(texts(changes), ElementsAre("model.field: none -> gaussian", "model.field_strength: 0 -> 0.1",
                                          "ladder.T_max: 0.6 -> 0.7", "ladder.slots: 5 -> auto"));
  EXPECT_THAT(changes, Each(Field(&ConfigChange::allowed, false)));
}

/// A campaign decides how many samples its rounds have, unless the number is given; one of an earlier version has none.
TEST_F(ConfigFile, SamplesThatAreNotGivenAreThoseOfTheCampaign) {
  const Config open = load(minimal_config), three = load(minimal_config, {"round.samples=3"});
  EXPECT_EQ(open.round.samples(), 5);
  EXPECT_EQ(load(minimal_config, {"round.measurements=4"}).round.samples(), 4);
  EXPECT_EQ(load(minimal_config, {"round.samples=0"}).round.samples(), 0);
  EXPECT_EQ(make_chain(three, 0).samples, 3);

  const std::string line = "round.samples = 5\n";
  std::string text = canonical_text(open);
  ASSERT_THAT(text, HasSubstr("\n" + line));
  EXPECT_EQ(parse_config(text).round.samples(), 5);
  text.erase(text.find(line), line.size());
  const Config earlier = parse_config(text);
  EXPECT_EQ(earlier.round.samples(), 0);
  EXPECT_THAT(canonical_text(earlier), HasSubstr("\nround.samples = 0\n"));

  EXPECT_THAT(campaign_changes(earlier, open), IsEmpty());
  EXPECT_EQ(continued(earlier, open).round.samples(), 0);
  EXPECT_THAT(campaign_changes(three, open), IsEmpty());
  EXPECT_EQ(continued(three, open).round.samples(), 3);
  EXPECT_EQ(continued(earlier, three).round.samples(), 3);
  EXPECT_THAT(texts(campaign_changes(earlier, three)), ElementsAre("round.samples: 0 -> 3"));
  EXPECT_THAT(campaign_changes(earlier, three), Each(Field(&ConfigChange::allowed, false)));
}

TEST_F(ConfigFile, ValuesOfSizesAreComparedSizeBySize) {
  const auto sizes = [&](const std::string& L, const std::string& realizations, const std::string& slots) {
    return load(minimal_config, {"model.L=" + L, "disorder.realizations=" + realizations, "ladder.slots=" + slots});
  };
  const Config stored = sizes("4, 6", "8, 3", "5, 9");
  EXPECT_THAT(campaign_changes(stored, sizes("6, 4", "3, 8", "9, 5")), IsEmpty()) << "the order is no difference";
  EXPECT_THAT(texts(campaign_changes(stored, sizes("4, 6, 8", "8, 3, 1", "5, 9, 12"))),
              ElementsAre("model.L: 4, 6 -> 4, 6, 8"));
  EXPECT_THAT(campaign_changes(stored, sizes("8, 6, 4", "1, 4, 8", "12, 9, 5")),
              Each(Field(&ConfigChange::allowed, true)));
  // Larger at one size does not make up for less at another.
  EXPECT_THAT(campaign_changes(stored, sizes("4, 6", "9, 2", "5, 9")), Each(Field(&ConfigChange::allowed, false)));
  EXPECT_THAT(texts(campaign_changes(stored, sizes("4, 6", "8", "5, 9"))),
              ElementsAre("disorder.realizations: 8, 3 -> 8"));
  EXPECT_THAT(texts(campaign_changes(stored, sizes("4, 6, 8", "8, 3, 1", "5, 10, 12"))),
              ElementsAre("model.L: 4, 6 -> 4, 6, 8", "ladder.slots: 5, 9 -> 5, 10, 12"));
  EXPECT_THAT([&] { sizes("4, 6", "8, 3, 1", "5"); }, Refuses(InputFault::conflict, "disorder.realizations"));
  EXPECT_THAT([&] { sizes("4, 6", "", "5"); }, Refuses(InputFault::missing, "disorder.realizations"));
}

TEST_F(ConfigFile, ACampaignGoesOnFromWhatItStores) {
  const Config begun = settled(load(minimal_config, {"model.L=4, 6", "ladder.slots=5"}));
  const std::string text = canonical_text(begun);
  Config same = load_stored_config(text, "here", {});
  EXPECT_EQ(same.campaign.directory, "here");
  EXPECT_THAT(campaign_changes(begun, same), IsEmpty());
  const Config more = load_stored_config(text, "here", {"model.L=4, 6, 8", "convergence.max_rounds=5000"});
  EXPECT_THAT(campaign_changes(begun, more), Each(Field(&ConfigChange::allowed, true)));
  EXPECT_THAT([&] { static_cast<void>(load_stored_config(text, "here", {"campaign.directory=there"})); },
              Refuses(InputFault::conflict, "campaign.directory"));
}

TEST_F(ConfigFile, ACampaignKeepsTheRuleThatItBeganWith) {
  const Config fresh = load(minimal_config);
  EXPECT_EQ(fresh.convergence.rule(), 2);
  const std::string text = canonical_text(settled(fresh));
  EXPECT_THAT(text, HasSubstr("convergence.rule = 2\n"));
  EXPECT_EQ(parse_config(text).convergence.rule(), 2);
  std::string earlier = text;
  earlier.erase(earlier.find("convergence.rule"), std::string("convergence.rule = 2\n").size());
  const Config old = parse_config(earlier);
  EXPECT_EQ(old.convergence.rule(), 1) << "an earlier version did not name it";
  EXPECT_EQ(canonical_text(old), earlier);
  EXPECT_THAT(campaign_changes(old, fresh), IsEmpty()) << "none given";
  EXPECT_EQ(continued(old, fresh).convergence.rule(), 1);
  const auto raised = campaign_changes(old, load(minimal_config, {"convergence.rule=2"}));
  EXPECT_THAT(texts(raised), ElementsAre("convergence.rule: 1 -> 2"));
  EXPECT_TRUE(raised.front().allowed);
  EXPECT_FALSE(campaign_changes(parse_config(text), load(minimal_config, {"convergence.rule=1"})).front().allowed);
}

TEST_F(ConfigFile, OnlyThresholdsAndNumbersMayChangeAndOnlyUpwards) {
  const std::string one_less = minimal_config + "[convergence]\nmax_rounds = 99\nmin_round_trips = 9\nn_tau = 19.5\n";
  const std::vector<std::string> one_more = {"disorder.realizations=4", "convergence.max_rounds=100",
                                             "convergence.min_round_trips=10", "convergence.n_tau=20"};
  const Config less = load(one_less), more = load(one_less, one_more);
  EXPECT_THAT(texts(campaign_changes(less, more)),
              ElementsAre("disorder.realizations: 3 -> 4", "convergence.max_rounds: 99 -> 100",
                          "convergence.min_round_trips: 9 -> 10", "convergence.n_tau: 19.5 -> 20"));
  EXPECT_THAT(campaign_changes(less, more), Each(Field(&ConfigChange::allowed, true)));
  EXPECT_THAT(texts(campaign_changes(more, less)),
              ElementsAre("disorder.realizations: 4 -> 3", "convergence.max_rounds: 100 -> 99",
                          "convergence.min_round_trips: 10 -> 9", "convergence.n_tau: 20 -> 19.5"));
  EXPECT_THAT(campaign_changes(more, less), Each(Field(&ConfigChange::allowed, false)));
  for (const char* larger :
       {"convergence.min_rounds=17", "convergence.equilibration_tau=11", "campaign.seed=2", "replicas.copies=4",
        "round.measurements=101", "ladder.pilots=9", "ladder.adapt_rounds=13", "ladder.T_max=0.7"}) {
    const auto changes = campaign_changes(less, load(one_less, {larger}));
    ASSERT_EQ(changes.size(), 1U) << larger;
    EXPECT_FALSE(changes.front().allowed) << larger;
  }
}

TEST(ConfigKeys, AreTheseInThisOrder) {
  std::vector<std::string> names;
  for (const ConfigKey& key : config_keys()) {
    names.push_back(key.name);
    EXPECT_FALSE(key.values.empty() || key.meaning.empty()) << key.name;
  }
  EXPECT_THAT(
      names,
      ElementsAre("campaign.seed", "campaign.directory", "campaign.note", "campaign.second_start",
                  "campaign.second_start_fraction", "campaign.start", "campaign.start_from", "campaign.history",
                  "campaign.generator", "model.type", "model.q", "model.n", "model.lambda", "model.crystal_field",
                  "model.lattice", "model.graph", "model.positions", "model.periods", "model.degree", "model.body",
                  "model.sigma", "model.graphs", "model.dim", "model.L", "model.shape", "model.boundary",
                  "model.couplings", "model.bimodal_p", "model.couplings_mean", "model.bond_dilution",
                  "model.site_dilution", "model.anisotropy", "model.couplings_file", "model.field",
                  "model.field_strength", "model.field_direction", "model.field_file", "disorder.realizations",
                  "disorder.first", "replicas.copies", "ladder.kind", "ladder.T_min", "ladder.T_max", "ladder.slots",
                  "ladder.temperatures", "ladder.kappas", "ladder.adapt", "ladder.pilots", "ladder.adapt_rounds",
                  "protocol.kind", "protocol.cluster_sweeps", "protocol.overrelaxation", "protocol.heatbath",
                  "protocol.multispin", "protocol.lanes", "protocol.local", "protocol.adaptation",
                  "protocol.isoenergetic", "protocol.isoenergetic_T_max", "protocol.moves", "protocol.p_flip",
                  "protocol.seed_tile", "protocol.sweeps_per_exchange", "protocol.exchanges_per_measurement",
                  "protocol.exchange", "protocol.tile", "protocol.tile_repeats", "course.sweeps", "course.segments",
                  "course.times", "course.waiting_times", "course.pairs", "course.longest_round", "round.measurements",
                  "round.samples", "round.observables", "convergence.min_rounds", "convergence.max_rounds",
                  "convergence.min_round_trips", "convergence.n_tau", "convergence.equilibration_tau",
                  "convergence.left_out", "convergence.rule", "convergence.group_share", "convergence.group_n_tau",
                  "convergence.lengths", "backend.kind", "backend.isa", "backend.threads", "backend.devices",
                  "backend.batch", "workers.lease_seconds", "workers.max_attempts", "checkpoint.interval"));
}

TEST(TextDigest, KnownAnswer) { EXPECT_EQ(text_digest(""), "99aa06d3014798d86001c324468d497f"); }

}}  // namespace glassworks
