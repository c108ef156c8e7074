#include "kernels/rounds/local_sums.hpp"

#include <utility>

#include "kernels/models/local_observables.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/models/triangles.hpp"
#include "kernels/rounds/graph_local_sums.hpp"

namespace glassworks { inline namespace rounds {

static_assert(local_observable_bits == local_observable_count);

namespace {

/// Bits beyond those of the local observables, in their order.
constexpr std::pair<LocalSelection, const char*> others[] = {
    {chiral_overlap, "chiral_overlap"},   {axis_modes, "axis_modes"},
    {field_response, "field_response"},   {triangle_chirality, "triangle_chirality"},
    {chiral_response, "chiral_response"}, {chiral_axes, "chiral_axes"}};

}  // namespace

LocalSelection all_local_observables() { return chiral_axes | (chiral_axes - 1); }

std::vector<std::string> local_names(LocalSelection selection) {
  std::vector<std::string> names;
  for_local_observables(selection, [&](auto o, int) { names.emplace_back(o.name); });
  for (const auto& [bit, name] : others) {
    if ((selection & bit) != 0) names.emplace_back(name);
  }
  return names;
}

bool are_on_graphs(LocalSelection selection) {
  bool all = true;
  for_local_observables(selection, [&](auto o, int) { all = all && decltype(o)::on_graphs != GraphTerms::none; });
  return all;
}

std::vector<double> local_terms(LocalSelection selection, const Lattice& lattice) {
  std::vector<double> terms;
  for_local_observables(selection, [&](auto o, int) { terms.push_back(o.terms(lattice)); });
  return terms;
}

LocalSelection local_observables_of(const SpinModel& model) {
  if (model.kind == ModelKind::heisenberg) return chiral_response | chiral_axes;
  const bool products = order_parameter_of(model) != OrderParameter::densities;  // of spins, whose response it is
  LocalSelection selection = axis_modes | (facts_of(model).has_fields && products ? field_response : 0);
  for_any_model(model, [&](auto m) {
    for_local_observables_of<decltype(m)>(all_local_observables(),
                                          [&](auto, int i) { selection |= LocalSelection{1} << i; });
    if (has_chirality<decltype(m)>) selection |= chiral_overlap;
    if (has_triangle_chirality<decltype(m)>) selection |= triangle_chirality;
  });
  return selection;
}

void add_local_sums(const ClusterSystem& system, ClusterReplica& replica, const Share& share, SiteSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const auto [begin, end] = share.range(lattice.sites());
  const auto couplings = [&](std::uint32_t site, int bond) {
    return system.disorder
        .couplings[std::size_t{site} * static_cast<std::size_t>(lattice.owned()) + static_cast<std::size_t>(bond)];
  };
  for_any_model(system.chain.model, [&, begin = begin, end = end](auto m) {
    using M = decltype(m);
    const LocalSpins<M, decltype(couplings)> spins{
        lattice, {replica.states(), replica.spins(), replica.stride()}, couplings};
    if (lattice.is_graph()) return add_graph_locals<M>(system, share, spins, sums.local);
    for_local_observables_of<M>(system.chain.local, [&](auto o, int which) {
      std::int64_t sum = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        sum +=
            to_fixed_wide(o.term(spins, LatticeSite(lattice, static_cast<std::uint32_t>(i))), local_scale.multiplier());
      }
      sums.local[static_cast<std::size_t>(which)] += sum;
    });
  });
}

}}  // namespace glassworks::rounds
