#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/backend_table.hpp"
#include "tests/kernels/graph_cases.hpp"
#include "tests/kernels/site_cases.hpp"

/// What the tests of the table of backends share.
namespace glassworks::test {

/// The graph of the table, a ring of eight sites, with couplings, absent sites and axes that the chain allows.
inline Disorder disorder_of_ring(const Chain& chain) {
  const GraphCase ring{
      "ring", std::make_shared<const SiteGraph>(chain.lattice.has_terms() ? ring_of_terms(8) : random_regular(8, 2, 1)),
      chain.lattice};
  const GraphCouplings couplings = chain.model.kind == ModelKind::potts             ? GraphCouplings::positive
                                   : chain.protocol.multispin != MultispinRule::off ? GraphCouplings::bimodal
                                                                                    : GraphCouplings::gaussian;
  Disorder d = graph_disorder(ring, chain.model, couplings, 3);
  const int n = components_of(chain.model);
  if (chain.model.diluted) {
    d.absent = {0, 0, 1, 0, 0, 0, 0, 0};
    d.fields.assign(static_cast<std::size_t>(8 * n), 0.0F);
    for (const SiteGraph::Neighbour& next : ring.graph->neighbours(2)) {
      d.couplings[static_cast<std::size_t>(next.bond)] = 0.0F;
    }
    for (const std::int32_t term : ring.graph->terms_of(2)) {
      d.couplings[static_cast<std::size_t>(ring.graph->place_of_term(term))] = 0.0F;
    }
  }
  if (chain.model.anisotropic) {
    d.axes.assign(static_cast<std::size_t>(8 * n), 1.0F / std::sqrt(static_cast<float>(n)));
    d.anisotropy = 1.5F;
  }
  d.energy_scale = choose_energy_scale(chain.lattice, d.couplings, d.fields,
                                       std::max(1.5, std::fabs(chain.model.crystal_field)), d.graph.get());
  return d;
}

/// Couplings, absent sites and axes that the chain allows.
inline Disorder disorder_of_cell(const Chain& chain) {
  if (chain.lattice.is_graph()) return disorder_of_ring(chain);
  if (chain.model.anisotropic) return with_axes(chain, 0.0, 1.5F, 3);
  if (chain.model.diluted) return diluted(chain, 0.0, 3);
  Disorder disorder = gaussian_disorder(chain.lattice, 3);
  const bool of_one_modulus = chain.protocol.multispin != MultispinRule::off || has_free_modulus(chain.model);
  for (float& J : disorder.couplings) {
    if (J != 0.0F && of_one_modulus) J = std::copysign(0.5F, J);
    if (chain.model.kind == ModelKind::potts) J = std::fabs(J);
  }
  disorder.energy_scale = choose_energy_scale(chain.lattice, disorder.couplings, disorder.fields);
  return disorder;
}

inline std::string name_of(const BackendCell& cell) {
  return std::string(cell.model) + ", " + cell.update + ", " + cell.lattice;
}

/// A round of one realization from its initial state.
struct CellRound {
  ChainState state;
  RoundRecord record;
};
inline CellRound round_of_cell(Backend& backend, const Chain& chain) {
  const Disorder disorder = disorder_of_cell(chain);
  CellRound round{initial_state(chain, 5), {}};
  round.record = run_one_round(backend, chain, disorder, 5, round.state);
  return round;
}

/// The cell is true of a backend: it takes the chain and makes the bits of the reference backend, or run_round and hold
/// throw its refusal.
inline void expect_true(Backend& backend, Backend& reference, const BackendCell& cell) {
  const std::string sentence = backend.refusal(cell.chain);
  if (sentence.empty()) {
    ASSERT_EQ(reference.refusal(cell.chain), "") << name_of(cell);
    const CellRound found = round_of_cell(backend, cell.chain), expected = round_of_cell(reference, cell.chain);
    EXPECT_TRUE(found.state == expected.state) << name_of(cell) << ": state";
    EXPECT_TRUE(same_bytes(found.record, expected.record)) << name_of(cell) << ": record";
    return;
  }
  const auto says = [&](const std::function<void()>& action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(says([&] { round_of_cell(backend, cell.chain); }), sentence) << name_of(cell);
  const Disorder disorder = disorder_of_cell(cell.chain);
  EXPECT_EQ(says([&] {
              static_cast<void>(backend.hold(cell.chain, {{5, &disorder, initial_state(cell.chain, 5)}}));
            }),
            sentence)
      << name_of(cell);
}

}  // namespace glassworks::test
