#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/config.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Config part(const std::string& L, const std::string& realizations, const std::string& more = "") {
  return parse_config("model.L = " + L + "\ndisorder.realizations = " + realizations +
                      "\nladder.kind = list\nladder.temperatures = 0.2, 0.4\n" + more);
}

std::vector<std::string> keys_of(const std::vector<ConfigChange>& changes) {
  std::vector<std::string> keys;
  for (const ConfigChange& change : changes) keys.push_back(change.key + ": " + change.before + ", " + change.after);
  return keys;
}

TEST(FirstRealization, StandsInTheCanonicalTextOnlyWhereItIsNotZero) {
  const Config zero = part("4", "3"), later = part("4", "3", "disorder.first = 100\n");
  EXPECT_THAT(canonical_text(zero), Not(testing::HasSubstr("disorder.first")));
  EXPECT_EQ(canonical_text(zero), canonical_text(part("4", "3", "disorder.first = 0\n")));
  EXPECT_EQ(stored_first_realization(canonical_text(zero)), 0U);
  EXPECT_EQ(stored_first_realization(canonical_text(later)), 100U);
  const auto numbers = realization_numbers(later, 0);
  EXPECT_THAT(std::vector(numbers.begin(), numbers.end()), ElementsAre(100U, 101U, 102U));
  EXPECT_THAT(keys_of(campaign_changes(zero, later)), ElementsAre("disorder.first: 0, 100"));
  EXPECT_FALSE(campaign_changes(zero, later).front().allowed);
}

TEST(EnsembleDifferences, AreOfSeedModelCopiesAndProtocol) {
  const Config one = part("4", "3");
  EXPECT_THAT(ensemble_differences(one, part("6, 8", "5",
                                             "disorder.first = 7\nround.measurements = 9\n"
                                             "convergence.max_rounds = 99\nbackend.threads = 1\n"
                                             "campaign.note = other\n")),
              IsEmpty());
  EXPECT_THAT(
      keys_of(ensemble_differences(one, part("4", "3",
                                             "campaign.seed = 2\nmodel.bond_dilution = 0.1\nreplicas.copies = 4\n"
                                             "protocol.heatbath = 3\n"))),
      ElementsAre("campaign.seed: 1, 2", "model.bond_dilution: 0, 0.1", "replicas.copies: 2, 4",
                  "protocol.heatbath: 1, 3"));
  EXPECT_THAT(keys_of(stopping_differences(one, part("4", "3", "convergence.max_rounds = 99\n"))), SizeIs(1));
  // Digests of the files of each realization differ between the parts of an ensemble; that of one file does not.
  const auto with = [](const char* kind, const char* digit) {
    return part("4", "3",
                std::string("model.couplings = ") + kind +
                    "\nmodel.couplings_file = /x\nmodel.couplings_digest = " + std::string(32, *digit) + "\n");
  };
  EXPECT_THAT(ensemble_differences(with("files", "0"), with("files", "1")), IsEmpty());
  EXPECT_THAT(ensemble_differences(with("file", "0"), with("file", "1")), SizeIs(1));
}

TEST(United, AddsRealizationsOfEachSize) {
  const Config all[] = {part("8, 4", "10, 20", "disorder.first = 30\nround.measurements = 5, 6\n"),
                        part("4, 6", "3", "round.measurements = 6, 7\n")};
  const Config together = united(all);
  EXPECT_THAT(together.model.L, ElementsAre(4, 6, 8));
  EXPECT_THAT(together.disorder.realizations, ElementsAre(23, 3, 10));
  EXPECT_THAT(together.round.measurements_per_round, ElementsAre(6, 7, 5));
  EXPECT_EQ(together.disorder.first_realization, 0);
  const Config parts[] = {part("4", "100", "round.measurements = 8\n"),
                          part("4", "50", "disorder.first = 100\nround.measurements = 8\n")};
  EXPECT_EQ(canonical_text(united(parts)), canonical_text(part("4", "150", "round.measurements = 8\n")));
}

}}  // namespace glassworks
