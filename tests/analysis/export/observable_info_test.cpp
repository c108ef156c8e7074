#include "analysis/export/observable_info.hpp"

#include <gtest/gtest.h>

#include "analysis/basics/columns.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

TEST(ObservableInfo, KnowsEveryObservableAndColumn) {
  for (int dim = 1; dim <= 4; ++dim) {
    for (const int copies : {2, 4}) {
      Config config = testing::fake_config(dim, copies);
      config.model.field = FieldKind::gaussian;
      config.model.field_strength = 0.1;
      const Columns columns(testing::stored_names(dim, copies), dim);
      std::vector<std::string> names = column_names(columns);
      for (const Estimator& e : make_estimators(config, 4, columns)) names.push_back(e.name);
      for (const std::string& name : names) {
        const ObservableInfo info = describe_observable(name);
        EXPECT_FALSE(info.equation.empty()) << name;
        EXPECT_FALSE(info.units.empty()) << name;
      }
    }
  }
  EXPECT_EQ(describe_observable("energy").units, "J");
  EXPECT_EQ(describe_observable("energy_of_copy_2").units, "J");
  EXPECT_EQ(describe_observable("specific_heat").units, "k_B");
  EXPECT_EQ(describe_observable("nothing of this kind").equation, "");
}

}}  // namespace glassworks
