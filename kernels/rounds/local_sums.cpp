#include "kernels/rounds/local_sums.hpp"

#include "kernels/models/local_observables.hpp"

namespace glassworks::inline rounds {

static_assert(local_observable_bits == local_observable_count);

LocalSelection all_local_observables() { return chiral_overlap | (chiral_overlap - 1); }

std::vector<std::string> local_names(LocalSelection selection) {
  std::vector<std::string> names;
  for_local_observables(selection, [&](auto o, int) { names.emplace_back(o.name); });
  if ((selection & chiral_overlap) != 0) names.emplace_back("chiral_overlap");
  return names;
}

std::vector<double> local_terms(LocalSelection selection, const Lattice& lattice) {
  std::vector<double> terms;
  for_local_observables(selection, [&](auto o, int) { terms.push_back(o.terms(lattice)); });
  return terms;
}

LocalSelection local_observables_of(const SpinModel& model) {
  LocalSelection selection = 0;
  for_any_model(model, [&](auto m) {
    for_local_observables_of<decltype(m)>(all_local_observables(),
                                          [&](auto, int i) { selection |= LocalSelection{1} << i; });
    if (has_chirality<decltype(m)>) selection |= chiral_overlap;
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

}  // namespace glassworks::inline rounds
