#include "kernels/rounds/chain_observables.hpp"

#include <gmock/gmock.h>

#include <set>

namespace glassworks {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

std::vector<std::string> named(const std::vector<ChainObservables::Named>& list) {
  std::vector<std::string> names;
  for (const ChainObservables::Named& one : list) names.emplace_back(one.name);
  return names;
}

TEST(ChainObservables, OfHeisenbergAreThoseOfItsLayouts) {
  for (const int copies : {2, 4}) {
    const ChainObservables observables(SpinModel{}, 3, copies);
    const ObservableLayout layout(3, copies);
    EXPECT_EQ(observables.size(), layout.size());
    EXPECT_EQ(observables.names().at(static_cast<std::size_t>(layout.overlap_mode(0))), "overlap_k(0,0,0)");
    EXPECT_EQ(observables.sample_names(), SampleLayout(3, copies).names());
    EXPECT_EQ(observables.sample_size(), SampleLayout(3, copies).size());
    EXPECT_THAT(named(observables.stationary()), ElementsAre("energy", "|q|^2"));
    EXPECT_EQ(observables.stationary()[1].observable, layout.overlap_mode(0));
    EXPECT_THAT(observables.timed(), SizeIs(0));
  }
}

TEST(ChainObservables, OfOtherModelsAreThoseOfClusters) {
  for (const int copies : {1, 2, 4}) {
    const SpinModel model{.kind = ModelKind::potts, .states = 3};
    const ChainObservables observables(model, 2, copies);
    const ClusterObservables layout(model, copies);
    EXPECT_EQ(observables.size(), layout.size());
    const std::vector<std::string> names = observables.names();
    EXPECT_EQ(names, observables.sample_names());
    EXPECT_EQ(observables.sample_size(), layout.size());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are distinct";
    for (const auto& list : {observables.stationary(), observables.timed()}) {
      for (const ChainObservables::Named& one : list) {
        const std::string stored = names.at(static_cast<std::size_t>(one.observable));
        EXPECT_EQ(std::string(one.name) == "m^2", stored == "magnetization_2");
        EXPECT_EQ(std::string(one.name) == "q^2", stored == "overlap_2");
      }
    }
  }
  EXPECT_THAT(named(ChainObservables({.kind = ModelKind::ising}, 2, 1).stationary()), ElementsAre("energy", "m^2"));
  EXPECT_THAT(named(ChainObservables({.kind = ModelKind::ising}, 2, 2).timed()),
              ElementsAre("energy", "|m|", "m^2", "q^2"));
}

}  // namespace
}  // namespace glassworks
