#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "kernels/rounds/bin_layout.hpp"
#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

using testing::ElementsAre;

TEST(IsSampled, SpreadsTheSamplesEvenlyUpToTheLastMeasurement) {
  for (int measurements = 1; measurements <= 40; ++measurements) {
    for (int samples = 0; samples <= measurements; ++samples) {
      std::vector<int> sampled;
      for (int m = 0; m < measurements; ++m) {
        if (!is_sampled(m, measurements, samples)) continue;
        EXPECT_EQ(samples_before(m, measurements, samples), static_cast<int>(sampled.size()));
        sampled.push_back(m);
      }
      ASSERT_EQ(sampled.size(), static_cast<std::size_t>(samples)) << measurements;
      if (samples == 0) continue;
      EXPECT_EQ(sampled.back(), measurements - 1);
      std::vector<int> gaps(sampled.size());
      std::adjacent_difference(sampled.begin(), sampled.end(), gaps.begin());
      for (std::size_t i = 1; i < gaps.size(); ++i) EXPECT_NEAR(gaps[i], 1.0 * measurements / samples, 1.0);
    }
  }
  EXPECT_TRUE(is_sampled(999999, 1000000, 999999));  // no overflow
  EXPECT_FALSE(is_sampled(0, 1000000, 999999));
}

TEST(BinLayout, NamesEveryQuantityOnce) {
  for (int dim = 1; dim <= 4; ++dim) {
    for (const int copies : {1, 2, 3, 4}) {
      const BinLayout layout(SpinModel{}, dim, copies);
      const std::vector<std::string> names = layout.sample_names();
      EXPECT_EQ(names.size(), static_cast<std::size_t>(layout.sample_size()));
      EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    }
  }
  EXPECT_THAT(BinLayout(SpinModel{}, 1, 2).sample_names(),
              ElementsAre("energy_of_copy_1", "energy_of_copy_2", "link_overlap", "q_s", "overlap", "overlap_2",
                          "overlap_4", "overlap_kmin", "overlap_2kmin", "chiral_zero", "chiral_4",
                          "chiral_kmin_parallel", "magnetization_2", "magnetization_4", "bond_energy"));
}

/// Mean of the observables with these names at one slot of a bin.
double mean_of(const std::map<std::string, double>& bin, const std::vector<std::string>& names) {
  double sum = 0.0;
  for (const std::string& name : names) sum += bin.at(name);
  return sum / static_cast<double>(names.size());
}

/// What a sample must be, from a bin by the names of its observables.
std::map<std::string, double> expected_sample(const Chain& chain, const RoundRecord& record, int slot) {
  const BinLayout layout(SpinModel{}, chain.lattice.dim, chain.copies);
  std::map<std::string, double> bin, sample;
  for (int i = 0; i < layout.size(); ++i) {
    bin[layout.name(i)] = record.mean[static_cast<std::size_t>(slot * layout.size() + i)];
  }
  const std::vector<std::vector<std::string>> kmin{{},
                                                   {"(1)"},
                                                   {"(1,0)", "(0,1)"},
                                                   {"(1,0,0)", "(0,1,0)", "(0,0,1)"},
                                                   {"(1,0,0,0)", "(0,1,0,0)", "(0,0,1,0)", "(0,0,0,1)"}};
  const std::vector<std::vector<std::string>> two_kmin{{},
                                                       {"(2)"},
                                                       {"(2,0)", "(0,2)"},
                                                       {"(2,0,0)", "(0,2,0)", "(0,0,2)"},
                                                       {"(2,0,0,0)", "(0,2,0,0)", "(0,0,2,0)", "(0,0,0,2)"}};
  const std::vector<std::vector<std::string>> diagonal{
      {},
      {},
      {"(1,1)"},
      {"(1,1,0)", "(1,0,1)", "(0,1,1)"},
      {"(1,1,0,0)", "(1,0,1,0)", "(1,0,0,1)", "(0,1,1,0)", "(0,1,0,1)", "(0,0,1,1)"}};
  const auto dim = static_cast<std::size_t>(chain.lattice.dim);
  const auto with = [](const std::string& stem, std::vector<std::string> modes) {
    for (std::string& mode : modes) mode = stem + mode;
    return modes;
  };
  for (const auto& [name, value] : bin) sample[name] = value;
  sample["overlap_kmin"] = mean_of(bin, with("overlap_k", kmin[dim]));
  sample["overlap_2kmin"] = mean_of(bin, with("overlap_k", two_kmin[dim]));
  if (dim >= 2) sample["overlap_110"] = mean_of(bin, with("overlap_k", diagonal[dim]));
  if (chain.copies == 4) {
    for (const std::string term : {"chi_1", "chi_2", "chi_3"}) {
      sample[term + "_zero"] = mean_of(bin, {term + with("", kmin[dim])[0].replace(1, 1, "0")});
      sample[term + "_kmin"] = mean_of(bin, with(term, kmin[dim]));
    }
  }
  return sample;
}

class Samples : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  [[nodiscard]] Chain chain(int measurements, int samples) const {
    Chain c =
        test::make_chain({std::get<0>(GetParam()), 4}, std::get<1>(GetParam()), test::geometric_betas(3, 0.4, 1.2),
                         {1, 1, 1, 2, ExchangeSchedule::even_odd, 0}, measurements);
    c.samples = samples;
    return c;
  }
  [[nodiscard]] RoundRecord round(const Chain& c) {
    state = initial_state(c, 3);
    disorder = test::gaussian_disorder(c.lattice, 131, 0.5);
    return test::run_one_round(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), c, disorder, 3,
                               state);
  }
  /// Value of a quantity in the sample of a slot.
  static float value(const Chain& c, const RoundRecord& record, int slot, int sample, std::size_t quantity) {
    const auto quantities = static_cast<std::size_t>(BinLayout(SpinModel{}, c.lattice.dim, c.copies).sample_size());
    return record.samples[static_cast<std::size_t>(slot * record.samples_per_slot + sample) * quantities + quantity];
  }

  ChainState state;
  Disorder disorder;
};

TEST_P(Samples, OfOneMeasurementAreTheBin) {
  const Chain c = chain(1, 1);
  const RoundRecord record = round(c);
  const std::vector<std::string> names = BinLayout(SpinModel{}, c.lattice.dim, c.copies).sample_names();
  ASSERT_EQ(record.samples.size(), 3 * names.size());
  for (int slot = 0; slot < 3; ++slot) {
    const auto expected = expected_sample(c, record, slot);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].size() == 10 && names[i].starts_with("overlap_")) continue;  // a single pair
      EXPECT_FLOAT_EQ(value(c, record, slot, 0, i), static_cast<float>(expected.at(names[i]))) << names[i];
    }
  }
}

/// Energies and overlaps of the last measurement, which is always sampled, directly from the spins after the round.
TEST_P(Samples, OfTheLastMeasurementDescribeTheState) {
  const Chain c = chain(7, 3);
  const RoundRecord record = round(c);
  const std::vector<std::string> names = BinLayout(SpinModel{}, c.lattice.dim, c.copies).sample_names();
  const auto sites = static_cast<double>(c.lattice.sites());
  for (int slot = 0; slot < 3; ++slot) {
    std::vector<int> replica;  // [copy]
    for (int r = 0; r < c.replicas(); ++r) {
      if (state.slot[static_cast<std::size_t>(r)] == slot) replica.push_back(r);
    }
    std::map<std::string, double> direct;
    double sum = 0.0, pairs = 0.0;
    for (std::size_t a = 0; a < replica.size(); ++a) {
      direct["energy_of_copy_" + std::to_string(a + 1)] = test::direct_energy(c, disorder, state, replica[a]) / sites;
      for (std::size_t b = a + 1; b < replica.size(); ++b, ++pairs) {
        double q = 0.0;
        for (std::int64_t i = 0; i < c.lattice.sites(); ++i) {
          q += dot(test::spin_at(c, state, replica[a], i), test::spin_at(c, state, replica[b], i)) / sites;
        }
        sum += q;
        if (c.copies == 4) direct["overlap_" + std::to_string(a + 1) + std::to_string(b + 1)] = q;
      }
    }
    direct["overlap"] = sum / pairs;
    for (const auto& [name, x] : direct) {
      const auto i = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      ASSERT_LT(i, names.size()) << name;
      EXPECT_NEAR(value(c, record, slot, 2, i), x, 2e-6) << name;  // rounded terms of 2^-24 each
    }
  }
}

TEST_P(Samples, OfAllMeasurementsHaveTheBinAsTheirMean) {
  const Chain c = chain(9, 9);
  const RoundRecord record = round(c);
  const std::vector<std::string> names = BinLayout(SpinModel{}, c.lattice.dim, c.copies).sample_names();
  for (int slot = 0; slot < 3; ++slot) {
    const auto expected = expected_sample(c, record, slot);
    for (std::size_t i = 0; i < names.size(); ++i) {
      double mean = 0.0, scale = 0.0;
      for (int s = 0; s < 9; ++s) {
        const double x = value(c, record, slot, s, i);
        mean += x / 9.0;
        scale = std::max(scale, std::abs(x));
      }
      if (names[i].size() == 10 && names[i].starts_with("overlap_")) continue;
      EXPECT_NEAR(mean, expected.at(names[i]), 1.2e-7 * scale) << names[i];
    }
  }
}

/// Which measurements are sampled changes neither state nor bin, and fewer samples are some of all.
TEST_P(Samples, AreThoseOfTheMeasurementsThatWereChosen) {
  const Chain all = chain(9, 9), none = chain(9, 0);
  const RoundRecord of_all = round(all);
  const ChainState after = state;
  RoundRecord without = round(none);
  EXPECT_TRUE(test::same_bytes(state, after));
  EXPECT_TRUE(without.samples.empty());
  EXPECT_EQ(without.samples_per_slot, 0);
  for (const int samples : {1, 2, 4, 5, 8}) {
    const Chain some = chain(9, samples);
    const RoundRecord of_some = round(some);
    EXPECT_EQ(of_some.samples_per_slot, samples);
    EXPECT_TRUE(test::same_bytes(of_some.mean, of_all.mean));
    EXPECT_TRUE(test::same_bytes(of_some.walk_mean, without.walk_mean));
    const auto quantities = static_cast<std::size_t>(BinLayout(SpinModel{}, all.lattice.dim, all.copies).sample_size());
    for (int slot = 0; slot < 3; ++slot) {
      int found = 0;
      for (int m = 0; m < 9; ++m) {
        if ((m + 1) * samples / 9 == m * samples / 9) continue;
        for (std::size_t i = 0; i < quantities; ++i) {
          EXPECT_EQ(value(some, of_some, slot, found, i), value(all, of_all, slot, m, i)) << m << " of " << samples;
        }
        ++found;
      }
      EXPECT_EQ(found, samples);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DimensionsAndCopies, Samples,
                         ::testing::Combine(::testing::Range(1, 5), ::testing::Values(2, 4)));

}}  // namespace glassworks
