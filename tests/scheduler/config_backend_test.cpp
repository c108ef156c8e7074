#include "engine/loading/config_validate.hpp"
#include "kernels/backend_table.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

/// The configuration of a chain of the table.
Config config_of(const Chain& chain) {
  Config config = parse_config(minimal_config);
  ModelConfig& model = config.model;
  model.spins = chain.model;
  model.spins.diluted = model.spins.anisotropic = false;
  model.site_dilution = chain.model.diluted ? 0.2 : 0.0;
  model.anisotropy = chain.model.anisotropic ? 1.5 : 0.0;
  model.dim = chain.lattice.dim;
  // The first of LatticeChoice are those of LatticeKind.
  const bool is_graph = chain.lattice.is_graph();
  const bool has_terms = chain.lattice.has_terms();
  model.lattice = static_cast<LatticeChoice>(chain.lattice.kind);
  if (is_graph) model.lattice = has_terms ? LatticeChoice::p_spin_regular : LatticeChoice::random_regular;
  model.graph.degree = is_graph ? 3.0 : 0.0;
  model.graph.body = has_terms ? 3 : 0;
  model.L = {chain.lattice.L};
  model.boundary.clear();
  for (int axis = 0; axis < model.dim && chain.lattice.open != 0; ++axis) {
    model.boundary.push_back(chain.lattice.is_open(axis) ? AxisEnds::open : AxisEnds::periodic);
  }
  model.shapes.clear();
  if (!chain.lattice.is_cube() && !is_graph) {
    LatticeShape shape;
    for (int axis = 0; axis < model.dim; ++axis) shape.lengths.push_back(chain.lattice.length(axis));
    model.shapes = {shape};
  }
  const bool pure = chain.model.kind == ModelKind::potts || chain.model.kind == ModelKind::phi4;
  model.couplings = pure ? CouplingKind::ferromagnet : CouplingKind::bimodal;
  config.replicas.copies = chain.copies;
  config.protocol = chain.protocol;
  config.ladder.kind = LadderKind::list;
  config.ladder.T_min = config.ladder.T_max = 0.0;
  config.ladder.slots.clear();
  config.ladder.temperatures = {1.0, 2.0};
  return config;
}

/// What the validation says; empty if it accepts the configuration.
std::string complaint_about(const Config& config) {
  try {
    validate_values(config);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Configurations are refused by the sentence of the backend, without a device, and auto takes what a GPU refuses to
/// the processor.
TEST(ConfigBackend, AgreesWithEveryCellOfTheTable) {
  std::size_t refused = 0;
  for (const BackendCell& cell : backend_cells()) {
    const std::string what = std::string(cell.model) + ", " + cell.update + ", " + cell.lattice;
    Config config = config_of(cell.chain);
    for (const BackendKind backend : table_backends) {
      config.backend.options.kind = backend;
      const std::string sentence = refusal_of(backend, cell.chain), said = complaint_about(config);
      EXPECT_EQ(backend_refusal(config, backend), sentence) << what;
      // What no backend knows, the rules of the model may refuse before.
      if (refusal_of(BackendKind::reference, cell.chain).empty()) {
        EXPECT_EQ(said, sentence) << what;
      } else {
        EXPECT_NE(said, "") << what;
      }
      if (!said.empty()) ++refused;
    }
    config.backend.options.kind = BackendKind::automatic;
    choose_backend(config);
    const bool to_processor =
        !refusal_of(BackendKind::cuda, cell.chain).empty() && refusal_of(BackendKind::cpu, cell.chain).empty();
    EXPECT_EQ(config.backend.options.kind, to_processor ? BackendKind::cpu : BackendKind::automatic) << what;
  }
  EXPECT_GT(refused, 50U);
}

/// One size of several is enough.
TEST(ConfigBackend, EverySizeCounts) {
  Config config = parse_config(minimal_config);
  config.model.spins.kind = ModelKind::ising;
  config.protocol.multispin = MultispinRule::metropolis;
  config.model.L = {8, 64};
  EXPECT_EQ(backend_refusal(config, BackendKind::cuda), "");
  config.model.L = {8, 256};
  EXPECT_THAT(backend_refusal(config, BackendKind::cuda), testing::HasSubstr("planes of 65536 sites or more"));
  choose_backend(config);
  EXPECT_EQ(config.backend.options.kind, BackendKind::cpu);
}

}}  // namespace glassworks
