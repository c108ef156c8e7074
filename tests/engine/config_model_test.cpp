#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/rounds/modulus_scale.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// Configurations of models other than heisenberg.
namespace glassworks { namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string ising =
    "[model]\ntype = ising\ndim = 2\nL = 8, 16\ncouplings = ferromagnet\n[disorder]\nrealizations = 3\n"
    "[ladder]\ntemperatures = 2.2, 2.4\n[protocol]\nkind = swendsen-wang\nexchange = none\n";

class ModelConfigs : public RefusedConfigTest {};

TEST_F(ModelConfigs, DefaultsFollowTheModelAndTheProtocol) {
  const Config sw = load(ising);
  EXPECT_EQ(sw.model.spins.kind, ModelKind::ising);
  EXPECT_EQ(sw.replicas.copies, 1);
  EXPECT_EQ(sw.protocol, (Protocol{.overrelaxation = 0,
                                   .heatbath = 0,
                                   .exchange = ExchangeSchedule::none,
                                   .kind = ProtocolKind::swendsen_wang,
                                   .cluster_sweeps = 1}));
  const Config local = load(ising, {"protocol.kind=local", "model.couplings=gaussian"});
  EXPECT_EQ(local.replicas.copies, 2);
  EXPECT_EQ(local.protocol.heatbath, 1);
  EXPECT_EQ(local.protocol.cluster_sweeps, 0);
  const std::string rest =
      "dim = 4\nL = 4\n[disorder]\nrealizations = 1\n[ladder]\nkappas = 0.1, 0.12\n"
      "[protocol]\nkind = swendsen-wang\n";
  const Config phi4 = load("[model]\ntype = phi4\nlambda = 0.5\n" + rest);
  EXPECT_EQ(phi4.model.couplings, CouplingKind::ferromagnet);
  EXPECT_EQ(phi4.model.spins.lambda, 0.5);
  EXPECT_EQ(phi4.protocol.heatbath, 1) << "reflections leave |phi|";
  EXPECT_THAT(phi4.ladder.temperatures, ElementsAre(1.0 / 0.24, 1.0 / 0.2));
  EXPECT_EQ(phi4.ladder.kind, LadderKind::list);
  EXPECT_EQ(load("[model]\ntype = phi4\n" + rest).protocol.heatbath, 0) << "lambda = inf";
}

TEST_F(ModelConfigs, ReachTheChain) {
  const Config config = load(ising, {"model.type=potts", "model.q=5", "protocol.kind=few-cluster",
                                     "protocol.seed_tile=4", "protocol.p_flip=0.25"});
  const Chain chain = make_chain(config, 1);
  EXPECT_EQ(chain.model, (SpinModel{.kind = ModelKind::potts, .states = 5, .components = 1}));
  EXPECT_EQ(chain.lattice, (Lattice{2, 16}));
  EXPECT_EQ(chain.copies, 1);
  EXPECT_EQ(chain.protocol.seed_tile, 4);
  EXPECT_EQ(chain.protocol.p_flip, 0.25);
  const Config on = load(ising, {"model.type=on", "model.n=2"});
  EXPECT_EQ(make_chain(on, 0).model.components, 2);
  EXPECT_EQ(checkpoint_identity(on, make_chain(on, 0), 0, 1).components, 2);
  EXPECT_EQ(checkpoint_identity(config, chain, 0, 1).components, 0);
}

TEST_F(ModelConfigs, StoredTextIsReadBack) {
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{},
        {"model.type=potts", "model.q=7"},
        {"model.type=on", "model.n=4"},
        {"protocol.kind=few-cluster", "protocol.seed_tile=8", "protocol.p_flip=0.7"},
        {"replicas.copies=2", "protocol.isoenergetic=3"},
        {"replicas.copies=2", "protocol.isoenergetic=3", "protocol.isoenergetic_T_max=2.5"}}) {
    const Config config = load(ising, overrides);
    const std::string text = canonical_text(config);
    EXPECT_EQ(canonical_text(parse_config(text)), text);
    EXPECT_EQ(make_chain(parse_config(text), 0).model, make_chain(config, 0).model);
    EXPECT_EQ(make_chain(parse_config(text), 0).protocol, make_chain(config, 0).protocol);
    EXPECT_THAT(campaign_changes(parse_config(text), config), IsEmpty());
  }
  EXPECT_THAT(texts(campaign_changes(load(ising), load(ising, {"protocol.kind=wolff"}))),
              ElementsAre("protocol.kind: swendsen-wang -> wolff"));
}

TEST_F(ModelConfigs, TextOfHeisenbergIsWhatItWas) {
  std::vector<std::string> keys;
  std::string text = canonical_text(load(minimal_config));
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    keys.push_back(text.substr(begin, text.find(" = ", begin) - begin));
  }
  EXPECT_THAT(keys,
              ElementsAre("campaign.seed", "campaign.directory", "model.dim", "model.L", "model.couplings",
                          "model.couplings_file", "model.field", "model.field_strength", "model.field_file",
                          "disorder.realizations", "replicas.copies", "ladder.kind", "ladder.T_min", "ladder.T_max",
                          "ladder.slots", "ladder.temperatures", "ladder.adapt", "ladder.pilots", "ladder.adapt_rounds",
                          "protocol.overrelaxation", "protocol.heatbath", "protocol.sweeps_per_exchange",
                          "protocol.exchanges_per_measurement", "protocol.exchange", "protocol.tile",
                          "round.measurements", "round.samples", "convergence.min_rounds", "convergence.max_rounds",
                          "convergence.min_round_trips", "convergence.n_tau", "convergence.equilibration_tau",
                          "convergence.rule", "backend.kind", "backend.isa", "backend.threads", "backend.devices",
                          "backend.batch", "workers.lease_seconds", "workers.max_attempts"));
  EXPECT_EQ(canonical_text(load(minimal_config, {"model.type=heisenberg", "protocol.kind=local"})), text);
}

TEST_F(ModelConfigs, NonsenseIsRefusedInOneSentence) {
  const auto refused = [&](const std::vector<std::string>& overrides, InputFault fault, const std::string& subject) {
    expect_refused(ising, overrides, fault, subject);
  };
  refused({"model.field=gaussian", "model.field_strength=0.1"}, InputFault::conflict, "model.field");
  refused({"model.type=potts", "model.couplings=bimodal"}, InputFault::conflict, "model.couplings");
  refused({"model.type=potts", "model.q=1"}, InputFault::out_of_range, "model.q");
  refused({"model.type=potts", "model.q=21"}, InputFault::out_of_range, "model.q");
  refused({"model.type=on", "model.n=9"}, InputFault::out_of_range, "model.n");
  refused({"model.type=on", "model.n=5", "backend.kind=cuda"}, InputFault::conflict, "backend.kind");
  refused({"model.type=on", "model.n=1"}, InputFault::out_of_range, "model.n");
  refused({"replicas.copies=3"}, InputFault::out_of_range, "replicas.copies");
  refused({"protocol.overrelaxation=1"}, InputFault::conflict, "protocol.overrelaxation");
  refused({"protocol.tile=4"}, InputFault::conflict, "protocol.tile");
  refused({"protocol.isoenergetic=1"}, InputFault::conflict, "protocol.isoenergetic");
  refused({"protocol.isoenergetic=1", "replicas.copies=2", "model.type=on"}, InputFault::conflict,
          "protocol.isoenergetic");
  refused({"protocol.isoenergetic_T_max=1", "replicas.copies=2"}, InputFault::conflict, "protocol.isoenergetic_T_max");
  refused({"protocol.isoenergetic_T_max=0.05", "protocol.isoenergetic=1", "replicas.copies=2"}, InputFault::conflict,
          "protocol.isoenergetic_T_max");
  refused({"protocol.cluster_sweeps=0"}, InputFault::out_of_range, "protocol.cluster_sweeps");
  refused({"protocol.multispin=metropolis", "protocol.kind=swendsen-wang"}, InputFault::conflict, "protocol.multispin");
  const auto multispin_refuses = [&](const std::string& key, const std::string& value, std::vector<std::string> others,
                                     const std::string& subject) {
    others.insert(others.end(), {"protocol.kind=local", "protocol.multispin=heat-bath", key + "=" + value});
    refused(others, InputFault::conflict, subject);
  };
  multispin_refuses("model.couplings", "gaussian", {}, "protocol.multispin");
  multispin_refuses("model.field", "gaussian", {"model.field_strength=0.1"}, "protocol.multispin");
  multispin_refuses("model.lattice", "triangular", {}, "protocol.multispin");
  multispin_refuses("model.dim", "1", {"backend.kind=cuda"}, "backend.kind");
  refused({"protocol.multispin=yes"}, InputFault::unknown, "protocol.multispin");
  refused({"protocol.kind=local", "protocol.heatbath=0"}, InputFault::conflict, "protocol.heatbath");
  refused({"protocol.kind=few-cluster"}, InputFault::conflict, "protocol.seed_tile");
  refused({"protocol.kind=few-cluster", "protocol.seed_tile=6"}, InputFault::conflict, "protocol.seed_tile");
  for (const char* p : {"0", "1", "-0.5", "1.5"}) {
    refused({"protocol.kind=few-cluster", "protocol.seed_tile=4", std::string("protocol.p_flip=") + p},
            InputFault::out_of_range, "protocol.p_flip");
  }
  refused({"model.L=2"}, InputFault::out_of_range, "model.L");
  refused({"model.L=16386"}, InputFault::out_of_range, "model.L");
  std::string hopping = ising;
  hopping.replace(hopping.find("temperatures = 2.2, 2.4"), std::string("temperatures = 2.2, 2.4").size(),
                  "kappas = 0.3, -0.3");
  expect_refused(hopping, {"model.type=phi4"}, InputFault::out_of_range, "ladder.kappas");
  refused({"model.type=phi4", "ladder.kappas=0.3"}, InputFault::conflict, "ladder.kappas");
  refused({"model.type=phi4", "model.lambda=-1"}, InputFault::out_of_range, "model.lambda");
  refused({"model.type=phi4", "model.lambda=1", "protocol.heatbath=0"}, InputFault::conflict, "protocol.heatbath");
  refused({"model.type=phi4", "model.lambda=0", "ladder.temperatures=2, 3"}, InputFault::conflict, "T");
  refused({"model.type=phi4", "model.lambda=0", "ladder.temperatures=2.00001, 3"}, InputFault::out_of_range, "T");
  refused({"model.type=phi4", "model.lambda=1e-9", "ladder.temperatures=1"}, InputFault::out_of_range, "T");
  refused({"model.type=phi4", "model.lambda=1", "ladder.temperatures=0.001"}, InputFault::out_of_range, "T");
  refused({"model.type=phi4", "model.couplings=gaussian"}, InputFault::conflict, "model.couplings");
  const std::string text = minimal_config;
  expect_refused(text, {"protocol.kind=wolff"}, InputFault::conflict, "protocol.kind");
  expect_refused(text, {"protocol.exchange=none"}, InputFault::conflict, "protocol.exchange");
  expect_refused(text, {"protocol.isoenergetic=1"}, InputFault::conflict, "protocol.isoenergetic");
  expect_refused(text, {"model.q=3"}, InputFault::conflict, "model.q");
  expect_refused(text, {"model.lambda=3"}, InputFault::conflict, "model.lambda");
  expect_refused(text, {"protocol.p_flip=0.3"}, InputFault::conflict, "protocol.p_flip");
  expect_refused(text, {"replicas.copies=1"}, InputFault::out_of_range, "replicas.copies");
  expect_refused(text, {"model.type=ising", "ladder.slots=auto"}, InputFault::conflict, "ladder.slots");
  expect_refused(text, {"model.type=ising", "ladder.slots=auto", "protocol.exchange=none", "ladder.adapt=rejection"},
                 InputFault::conflict, "ladder.slots");
  expect_refused(text, {"model.type=phi4", "model.lambda=1", "ladder.slots=auto", "ladder.adapt=feedback"},
                 InputFault::unsupported, "ladder.slots");
  expect_refused(text, {"model.type=ising", "ladder.adapt=rejection", "protocol.exchange=none"}, InputFault::conflict,
                 "ladder.adapt");
}

TEST_F(ModelConfigs, KeysOfAnotherModelAreNotedAndDropped) {
  const Config config = load(ising, {"model.q=3", "protocol.p_flip=0.3"});
  EXPECT_THAT(config.notes,
              ElementsAre("model.q is not used (see model.type).", "protocol.p_flip is not used (see protocol.kind)."));
  EXPECT_EQ(config.protocol.p_flip, 0.5);
  EXPECT_EQ(canonical_text(config), canonical_text(load(ising)));
}

TEST_F(ModelConfigs, DisorderFitsTheModel) {
  const Lattice lattice{2, 8};
  const Disorder pure = make_disorder(load(ising), lattice, 0);
  EXPECT_EQ(pure.energy_scale.exponent, choose_energy_scale(lattice, pure.couplings, {}).exponent);
  EXPECT_FALSE(pure.has_fields());
  const Config phi4 = load(ising, {"model.type=phi4", "model.lambda=1"});
  EXPECT_EQ(make_disorder(phi4, lattice, 0).energy_scale.exponent, 20 - 2 * modulus_exponent(make_chain(phi4, 0)))
      << "a bond may have a large energy";
  write("J.txt", "0 0 1.0\n1 1 -0.5\n");
  const std::vector<std::string> file = {"model.L=8", "model.couplings=file", "model.couplings_file=J.txt"};
  EXPECT_NO_THROW(static_cast<void>(make_disorder(load(ising, file), lattice, 0)));
  std::vector<std::string> potts = file;
  potts.emplace_back("model.type=potts");
  potts.emplace_back("protocol.kind=local");
  EXPECT_NO_THROW(static_cast<void>(make_disorder(load(ising, potts), lattice, 0)));
  potts.back() = "protocol.kind=wolff";
  EXPECT_THAT([&] { return make_disorder(load(ising, potts), lattice, 0); },
              Refuses(InputFault::conflict, (folder_ / "J.txt").string()));
}

TEST_F(ModelConfigs, BoundaryOfEachAxis) {
  const Config periodic = load(ising), open = load(ising, {"model.boundary=open"}),
               mixed = load(ising, {"model.boundary=periodic, open"});
  EXPECT_EQ(periodic.lattice(8).open, 0U);
  EXPECT_EQ(open.lattice(8).open, 0b11U);
  EXPECT_EQ(mixed.lattice(8).open, 0b10U);
  EXPECT_EQ(make_chain(mixed, 1).lattice, (Lattice{.dim = 2, .L = 16, .open = 0b10}));
  EXPECT_EQ(canonical_text(load(ising, {"model.boundary=periodic periodic"})), canonical_text(periodic));
  EXPECT_THAT(canonical_text(periodic), Not(HasSubstr("boundary")));
  EXPECT_THAT(canonical_text(open), HasSubstr("model.boundary = open, open\n"));
  EXPECT_EQ(parse_config(canonical_text(mixed)).lattice(8), mixed.lattice(8));
  EXPECT_EQ(campaign_changes(periodic, mixed).size(), 1U);
  EXPECT_FALSE(campaign_changes(periodic, mixed).front().allowed);
  EXPECT_NE(checkpoint_identity(open, make_chain(open, 0), 0, 0),
            checkpoint_identity(mixed, make_chain(mixed, 0), 0, 0));
  expect_refused(ising, {"model.boundary=open, open, open"}, InputFault::conflict, "model.boundary");
  expect_refused(ising, {"model.boundary=closed"}, InputFault::unknown, "model.boundary");
}

/// The sign of a bond across an antiperiodic end of the square lattice, from the coordinates of its site.
TEST_F(ModelConfigs, AntiperiodicEndsChangeTheSignsOfBonds) {
  const auto ends = [&](const std::string& boundary) {
    return load(ising, {"model.couplings=bimodal", "model.boundary=" + boundary});
  };
  const Config periodic = ends("periodic"), along_x = ends("antiperiodic, periodic"), both = ends("antiperiodic");
  const Lattice lattice = periodic.lattice(8);
  EXPECT_EQ(along_x.lattice(8), lattice);
  const std::vector<float> J = make_disorder(periodic, lattice, 2).couplings,
                           J_x = make_disorder(along_x, lattice, 2).couplings,
                           J_xy = make_disorder(both, lattice, 2).couplings;
  for (std::size_t site = 0; site < 64; ++site) {
    const float sign_x = site % 8 == 7 ? -1.0F : 1.0F, sign_y = site / 8 == 7 ? -1.0F : 1.0F;
    EXPECT_EQ(J_x[2 * site], sign_x * J[2 * site]);
    EXPECT_EQ(J_x[2 * site + 1], J[2 * site + 1]);
    EXPECT_EQ(J_xy[2 * site], sign_x * J[2 * site]);
    EXPECT_EQ(J_xy[2 * site + 1], sign_y * J[2 * site + 1]);
  }
  EXPECT_THAT(canonical_text(along_x), HasSubstr("model.boundary = antiperiodic, periodic\n"));
  EXPECT_FALSE(campaign_changes(periodic, along_x).front().allowed);
  const Config mixed = ends("antiperiodic, open");
  EXPECT_EQ(mixed.lattice(8).open, 0b10U);
  EXPECT_EQ(make_disorder(mixed, mixed.lattice(8), 2).couplings[2 * 63 + 1], 0.0F);
  EXPECT_EQ(load(ising, {"model.couplings=bimodal", "model.boundary=antiperiodic", "protocol.kind=local",
                         "protocol.multispin=metropolis"})
                .backend.options.kind,
            BackendKind::automatic);
  expect_refused(ising, {"model.type=potts", "model.couplings=ferromagnet", "model.boundary=antiperiodic"},
                 InputFault::conflict, "model.boundary");
}

TEST_F(ModelConfigs, XyIsOnWithTwoComponents) {
  const Config xy = load(ising, {"model.type=xy"}), on = load(ising, {"model.type=on", "model.n=2"});
  EXPECT_EQ(canonical_text(xy), canonical_text(on));
  EXPECT_EQ(xy.model.spins.components, 2);
  EXPECT_EQ(canonical_text(load(ising, {"model.type=xy", "model.n=2"})), canonical_text(on));
  expect_refused(ising, {"model.type=xy", "model.n=3"}, InputFault::conflict, "model.n");
}

TEST_F(ModelConfigs, OpenEndsRunAnywhere) {
  for (const char* type : {"ising", "potts", "on", "phi4"}) {
    const std::vector<std::string> open = {fmt::format("model.type={}", type), "model.boundary=open"};
    EXPECT_EQ(load(ising, open).backend.options.kind, BackendKind::automatic);
    EXPECT_EQ(load(ising, {open[0], open[1], "backend.kind=cuda"}).backend.options.kind, BackendKind::cuda);
  }
  EXPECT_EQ(load(ising, {"model.boundary=open", "model.couplings=bimodal", "protocol.kind=local",
                         "protocol.multispin=heat-bath", "backend.kind=cuda"})
                .backend.options.kind,
            BackendKind::cuda);
  const std::string heisenberg = "model.L = 8\ndisorder.realizations = 3\nladder.temperatures = 1\n";
  EXPECT_EQ(load(heisenberg, {"model.boundary=open"}).backend.options.kind, BackendKind::automatic);
  EXPECT_EQ(load(heisenberg, {"model.boundary=open", "backend.kind=cuda"}).backend.options.kind, BackendKind::cuda);
}

/// Local updates of everything that a model may have run on GPUs; clusters of prisms and of long vectors do not.
TEST_F(ModelConfigs, GpusRunLocalUpdatesOfAnyModel) {
  const std::string glass =
      "model.type = on\nmodel.n = 3\nmodel.L = 8\ndisorder.realizations = 3\nladder.temperatures = 1\n";
  for (const char* key : {"model.n=8", "model.site_dilution=0.2", "model.anisotropy=1", "model.lattice=fcc"}) {
    EXPECT_EQ(load(glass, {key}).backend.options.kind, BackendKind::automatic) << key;
    EXPECT_EQ(load(glass, {key, "backend.kind=cuda"}).backend.options.kind, BackendKind::cuda) << key;
  }
  const std::string clusters = "protocol.kind=wolff", one = "protocol.cluster_sweeps=1";
  EXPECT_EQ(load(glass, {"model.n=8", clusters, one, "model.couplings=ferromagnet"}).backend.options.kind,
            BackendKind::cpu);
  expect_refused(glass, {"model.n=8", clusters, one, "model.couplings=ferromagnet", "backend.kind=cuda"},
                 InputFault::conflict, "backend.kind");
}

TEST_F(ModelConfigs, FieldsOfIsingAndOn) {
  const std::vector<std::string> gaussian = {"protocol.kind=local", "model.field=gaussian", "model.field_strength=0.3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), gaussian.begin(), gaussian.end());
    return more;
  };
  const Config random_field = load(ising, gaussian);
  EXPECT_EQ(random_field.backend.options.kind, BackendKind::automatic);
  EXPECT_EQ(load(ising, with({"backend.kind=cuda"})).backend.options.kind, BackendKind::cuda);
  EXPECT_FALSE(random_field.is_pure()) << "every realization has fields of its own";
  EXPECT_EQ(random_field.replicas.copies, 2);
  EXPECT_EQ(make_disorder(random_field, {2, 8}, 0).fields.size(), 64U);
  EXPECT_EQ(make_disorder(load(ising, with({"model.type=on", "model.n=4"})), {2, 8}, 0).fields.size(), 256U);
  write("H.txt", "0 0.5\n");
  const std::vector<std::string> file = {"protocol.kind=local", "model.field=file", "model.field_file=H.txt",
                                         "model.L=8"};
  EXPECT_TRUE(load(ising, file).is_pure());
  EXPECT_EQ(make_disorder(load(ising, file), {2, 8}, 0).fields.front(), 0.5F);
  EXPECT_EQ(make_disorder(load(ising, with({"model.type=potts"})), {2, 8}, 0).fields.size(), 64U) << "of state 0";
  expect_refused(ising, with({"model.type=potts", "protocol.kind=swendsen-wang"}), InputFault::conflict, "model.field");
  expect_refused(ising, with({"model.type=phi4"}), InputFault::conflict, "model.field");
  expect_refused(ising, with({"protocol.kind=wolff"}), InputFault::conflict, "model.field");
}

TEST_F(ModelConfigs, MemoryIsThatOfTheState) {
  const Lattice lattice{2, 1024};
  const double N = 1024.0 * 1024.0;
  EXPECT_EQ(realization_bytes(lattice, 1, 1, {.kind = ModelKind::ising}), N * (1 + 24 + 8));
  EXPECT_EQ(realization_bytes(lattice, 2, 4, {.kind = ModelKind::potts}), N * (8 + 24 + 8));
  EXPECT_EQ(realization_bytes(lattice, 1, 2, {.kind = ModelKind::on, .components = 2}), N * (16 + 24 + 8));
  EXPECT_EQ(realization_bytes(lattice, 1, 1, {.kind = ModelKind::phi4}), N * (16 + 24 + 8));
}

/// A note is kept in the text of the campaign, may differ from run to run, and holds nothing that a line cannot.
TEST_F(ModelConfigs, Note) {
  const Config without = load(minimal_config), with = load(minimal_config, {"campaign.note=a first look, d = 3"});
  EXPECT_THAT(canonical_text(without), Not(HasSubstr("campaign.note")));
  EXPECT_THAT(canonical_text(with), HasSubstr("campaign.note = a first look, d = 3\n"));
  EXPECT_EQ(parse_config(canonical_text(with)).campaign.note, with.campaign.note);
  EXPECT_TRUE(campaign_changes(without, with).empty());
  expect_refused(minimal_config, {"campaign.note=run #4"}, InputFault::malformed, "campaign.note");
}

/// A lattice brings its dimension with it, belongs to the campaign and its checkpoints, and fits what it has updates
/// for.
TEST_F(ModelConfigs, Lattices) {
  const char* spins = "model.type = ising\nmodel.L = 6\ndisorder.realizations = 4\nladder.temperatures = 1, 2\n";
  const Config cubic = load(spins), fcc = load(spins, {"model.lattice=fcc"}),
               triangular = load(spins, {"model.lattice=triangular"});
  EXPECT_EQ(cubic.lattice(6), (Lattice{3, 6}));
  EXPECT_EQ(fcc.lattice(6), (Lattice{3, 6, 0, LatticeKind::fcc}));
  EXPECT_EQ(triangular.lattice(6), (Lattice{2, 6, 0, LatticeKind::triangular}));
  EXPECT_EQ(canonical_text(load(spins, {"model.lattice=hypercubic"})), canonical_text(cubic));
  EXPECT_THAT(canonical_text(cubic), Not(HasSubstr("model.lattice")));
  EXPECT_EQ(canonical_text(parse_config(canonical_text(fcc))), canonical_text(fcc));
  EXPECT_EQ(campaign_changes(cubic, fcc).size(), 1U);
  const auto identity = [](const Config& config) { return checkpoint_identity(config, make_chain(config, 0), 0, 1); };
  EXPECT_NE(identity(cubic).origin, identity(fcc).origin);
  EXPECT_NE(identity(load(spins, {"model.lattice=bcc"})).origin, identity(fcc).origin);
  EXPECT_EQ(make_disorder(fcc, fcc.lattice(6), 0).couplings.size(), 6U * 216U);

  expect_refused(spins, {"model.lattice=fcc", "model.dim=2"}, InputFault::conflict, "model.dim");
  expect_refused(spins, {"model.lattice=maple-leaf"}, InputFault::unknown, "model.lattice");
  expect_refused(spins, {"model.lattice=fcc", "model.type=heisenberg"}, InputFault::conflict, "model.lattice");
  expect_refused(spins, {"model.lattice=fcc", "model.type=on", "model.n=2", "protocol.tile=2", "model.L=8"},
                 InputFault::conflict, "protocol.tile");
  for (const char* update : {"protocol.kind=local", "protocol.kind=wolff", "protocol.kind=swendsen-wang"}) {
    EXPECT_EQ(load(spins, {"model.lattice=bcc", update}).backend.options.kind, BackendKind::automatic) << update;
  }
}

/// Local observables are columns of the campaign, in one order, and of models that have them.
TEST_F(ModelConfigs, LocalObservables) {
  const char* vectors = "model.type = on\nmodel.L = 6\ndisorder.realizations = 4\nladder.temperatures = 1, 2\n";
  const Config without = load(vectors), with = load(vectors, {"round.observables=bond_nematic"});
  EXPECT_EQ(with.round.observables, 1U);
  EXPECT_EQ(make_chain(with, 0).local, 1U);
  EXPECT_EQ(with.bins().size(), without.bins().size() + 1);
  EXPECT_EQ(with.bins().names().back(), "bond_nematic");
  EXPECT_EQ(with.bins().sample_names().back(), "bond_nematic");
  EXPECT_THAT(canonical_text(without), Not(HasSubstr("round.observables")));
  EXPECT_EQ(canonical_text(parse_config(canonical_text(with))), canonical_text(with));
  EXPECT_EQ(load(vectors, {"round.observables="}).round.observables, 0U);
  EXPECT_EQ(campaign_changes(without, with).size(), 1U);

  expect_refused(vectors, {"round.observables=bond_order"}, InputFault::unknown, "round.observables");
  expect_refused(vectors, {"model.type=ising", "round.observables=bond_nematic"}, InputFault::conflict,
                 "round.observables");
  expect_refused(vectors, {"model.type=heisenberg", "round.observables=bond_nematic"}, InputFault::conflict,
                 "round.observables");
  expect_refused(vectors, {"round.observables=chiral_axes"}, InputFault::conflict, "round.observables");
  expect_refused(vectors, {"model.type=heisenberg", "round.observables=chiral_response"}, InputFault::conflict,
                 "round.observables");
  const std::vector<std::string> heisenberg = {"model.type=heisenberg", "replicas.copies=4"};
  std::vector<std::string> chosen = heisenberg;
  chosen.emplace_back("round.observables=chiral_response, chiral_axes");
  EXPECT_EQ(make_chain(load(vectors, chosen), 0).local, chiral_response | chiral_axes);
  EXPECT_EQ(load(vectors, chosen).bins().size(), load(vectors, heisenberg).bins().size() + 2 * chiral_means + 9);
  EXPECT_EQ(settled(load(vectors, heisenberg)).round.observables, 0U) << "only where it is chosen";
}

}}  // namespace glassworks
