#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/disorder/philox_engine.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

Config with_model(CouplingKind couplings, FieldKind field = FieldKind::none, double strength = 0.0) {
  Config config = parse_config(minimal_config);
  config.model.couplings = couplings;
  config.model.field = field;
  config.model.field_strength = strength;
  return config;
}

double mean_of_power(const std::vector<float>& x, int power) {
  return std::accumulate(x.begin(), x.end(), 0.0, [&](double sum, float v) { return sum + std::pow(v, power); }) /
         static_cast<double>(x.size());
}

/// Checks E[x^p], p = 1..4, of n independent numbers at 4 sigma: false-alarm probability 6.3e-5 each, and fixed seeds.
///
/// moment  E[x^p] for p = 1..8 (index 0 unused)
void expect_moments(const std::vector<float>& x, const std::vector<double>& moment) {
  for (int p = 1; p <= 4; ++p) {
    const double expected = moment[static_cast<std::size_t>(p)];
    const double variance = moment[static_cast<std::size_t>(2 * p)] - expected * expected;
    EXPECT_NEAR(mean_of_power(x, p), expected, 4.0 * std::sqrt(variance / static_cast<double>(x.size())))
        << "power " << p;
  }
}

/// Sum of x_i y_i / n is N(0, E[x^2] E[y^2] / n) for independent numbers: 4 sigma, false-alarm probability 6.3e-5.
void expect_uncorrelated(const std::vector<float>& x, std::size_t x_offset, const std::vector<float>& y) {
  const std::size_t n = std::min(x.size() - x_offset, y.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i + x_offset]) * static_cast<double>(y[i]);
  const double sigma = std::sqrt(mean_of_power(x, 2) * mean_of_power(y, 2) * static_cast<double>(n));
  EXPECT_LT(std::abs(sum), 4.0 * sigma) << "offset " << x_offset;
}

const std::vector<double> normal_moments = {1, 0, 1, 0, 3, 0, 15, 0, 105};

TEST(PhiloxEngine, WordsOfTheStreamInOrder) {
  const PhiloxKey key{0x01234567U, 0x89ABCDEFU};
  PhiloxEngine engine(key, Stream::fields, 77);
  r123::Philox4x32 philox;
  for (std::uint32_t block = 0; block < 5; ++block) {
    const auto expected = philox({{block, 0U, 77U, 2U << 28}}, {{key.k0, key.k1}});
    for (const std::uint32_t word : expected) EXPECT_EQ(engine(), word);
  }
}

TEST(Couplings, GaussianMomentsAndCorrelations) {
  const std::vector<float> J = make_disorder(with_model(CouplingKind::gaussian), {3, 64}, 5).couplings;
  ASSERT_EQ(J.size(), 3U * 64 * 64 * 64);
  expect_moments(J, normal_moments);
  const auto beyond_3 = std::count_if(J.begin(), J.end(), [](float x) { return std::abs(x) > 3.0F; });
  const double expected = std::erfc(3.0 / std::sqrt(2.0)) * static_cast<double>(J.size());
  EXPECT_NEAR(static_cast<double>(beyond_3), expected, 4.0 * std::sqrt(expected));
  for (const std::size_t offset : {1U, 2U, 3U, 192U}) expect_uncorrelated(J, offset, J);
}

/// Known values: whoever changes them changes the disorder of every campaign.
TEST(Couplings, NeverChange) {
  const Config config = with_model(CouplingKind::gaussian);
  const std::vector<float> a = make_disorder(config, {3, 4}, 0).couplings,
                           b = make_disorder(config, {3, 8}, 9).couplings;
  const std::vector<float> c = make_disorder(with_model(CouplingKind::bimodal), {3, 4}, 0).couplings;
  const std::vector<float> d =
      make_disorder(with_model(CouplingKind::gaussian, FieldKind::sphere, 0.5), {3, 4}, 0).fields;
  EXPECT_EQ((std::vector<float>(a.begin(), a.begin() + 4)),
            (std::vector<float>{0x1.f44ebap-2F, 0x1.550868p+0F, -0x1.b0436ap-2F, -0x1.5b019ap-4F}));
  EXPECT_EQ((std::vector<float>(b.end() - 2, b.end())), (std::vector<float>{0x1.266dep+0F, 0x1.16489cp+0F}));
  EXPECT_EQ((std::vector<float>(c.begin(), c.begin() + 8)), (std::vector<float>{1, 1, 1, 1, -1, -1, -1, -1}));
  EXPECT_EQ((std::vector<float>(d.begin(), d.begin() + 3)),
            (std::vector<float>{-0x1.8b866cp-6F, 0x1.9f73fap-2F, 0x1.2a36d4p-2F}));
}

TEST(Couplings, ArePureFunctionsOfSeedSizeAndRealization) {
  Config config = with_model(CouplingKind::gaussian);
  const std::vector<float> J = make_disorder(config, {3, 16}, 3).couplings;
  EXPECT_EQ(J, make_disorder(config, {3, 16}, 3).couplings);
  const std::vector<float> realization = make_disorder(config, {3, 16}, 4).couplings;
  const std::vector<float> size = make_disorder(config, {3, 18}, 3).couplings;
  config.campaign.seed = 2;
  const std::vector<float> seed = make_disorder(config, {3, 16}, 3).couplings;
  for (const std::vector<float>* other : {&realization, &size, &seed}) {
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NE(J[i], (*other)[i]);
    expect_uncorrelated(J, 0, *other);
  }
}

/// An open lattice has the couplings of the periodic one but for those across its ends.
TEST(Couplings, AreZeroAcrossOpenEnds) {
  for (const CouplingKind kind : {CouplingKind::gaussian, CouplingKind::bimodal, CouplingKind::ferromagnet}) {
    const Lattice periodic{3, 4}, open{.dim = 3, .L = 4, .open = 0b101};
    EXPECT_EQ(open.bonds(), 48 + 64 + 48);
    const std::vector<float> J = make_disorder(with_model(kind), periodic, 2).couplings,
                             cut = make_disorder(with_model(kind), open, 2).couplings;
    ASSERT_EQ(cut.size(), J.size());
    for (std::size_t site = 0; site < 64; ++site) {
      EXPECT_EQ(cut[3 * site], site % 4 == 3 ? 0.0F : J[3 * site]);
      EXPECT_EQ(cut[3 * site + 1], J[3 * site + 1]);
      EXPECT_EQ(cut[3 * site + 2], site >= 48 ? 0.0F : J[3 * site + 2]);
    }
  }
}

/// 4 sigma: false-alarm probability 6.3e-5 each, and fixed seeds.
TEST(Couplings, BimodalWithAnyFraction) {
  for (const double p : {0.0, 0.25, 0.8, 1.0}) {
    Config config = with_model(CouplingKind::bimodal);
    config.model.bimodal_p = p;
    const std::vector<float> J = make_disorder(config, {3, 32}, 1).couplings;
    EXPECT_TRUE(std::all_of(J.begin(), J.end(), [](float x) { return std::abs(x) == 1.0F; }));
    const double sigma = 2.0 * std::sqrt(p * (1.0 - p) / static_cast<double>(J.size()));
    EXPECT_NEAR(mean_of_power(J, 1), 2.0 * p - 1.0, 4.0 * sigma) << p;
  }
}

TEST(Couplings, GaussianWithAMeanAreShifted) {
  const std::vector<float> J = make_disorder(with_model(CouplingKind::gaussian), {3, 8}, 1).couplings;
  Config config = with_model(CouplingKind::gaussian);
  config.model.couplings_mean = -0.75;
  const std::vector<float> shifted = make_disorder(config, {3, 8}, 1).couplings;
  for (std::size_t i = 0; i < J.size(); ++i) EXPECT_NEAR(shifted[i], J[i] - 0.75F, 1e-6F);
}

/// The bonds that are there have the couplings of the undiluted lattice. 4 sigma as above.
TEST(Couplings, DilutedBondsAreAbsent) {
  for (const CouplingKind kind : {CouplingKind::gaussian, CouplingKind::bimodal, CouplingKind::ferromagnet}) {
    Config config = with_model(kind);
    const std::vector<float> all = make_disorder(config, {3, 32}, 3).couplings;
    config.model.bond_dilution = 0.3;
    const std::vector<float> J = make_disorder(config, {3, 32}, 3).couplings,
                             other = make_disorder(config, {3, 32}, 4).couplings;
    const auto n = static_cast<double>(J.size());
    double absent = 0.0, both = 0.0;
    for (std::size_t i = 0; i < J.size(); ++i) {
      EXPECT_TRUE(J[i] == 0.0F || J[i] == all[i]);
      absent += J[i] == 0.0F ? 1.0 : 0.0;
      both += J[i] == 0.0F && other[i] == 0.0F ? 1.0 : 0.0;
    }
    EXPECT_NEAR(absent / n, 0.3, 4.0 * std::sqrt(0.3 * 0.7 / n));
    EXPECT_NEAR(both / n, 0.09, 4.0 * std::sqrt(0.09 * 0.91 / n));
  }
}

/// What is left has the couplings and fields of the undiluted lattice. Numbers of absent sites and of pairs of them
/// within 4 sigma: false-alarm probability 6.3e-5 each, and fixed seeds.
TEST(Couplings, AbsentSitesHaveNoBonds) {
  for (const LatticeKind kind : {LatticeKind::hypercubic, LatticeKind::fcc}) {
    const Lattice lattice{3, 16, 0, kind};
    Config config = with_model(CouplingKind::gaussian, FieldKind::gaussian, 0.5);
    const Disorder all = make_disorder(config, lattice, 3);
    EXPECT_TRUE(all.absent.empty());
    config.model.site_dilution = 0.3;
    const Disorder left = make_disorder(config, lattice, 3), other = make_disorder(config, lattice, 4);
    const auto n = static_cast<double>(lattice.sites());
    double absent = 0.0, neighbours = 0.0, both = 0.0;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      absent += left.is_absent(i) ? 1.0 : 0.0;
      both += left.is_absent(i) && other.is_absent(i) ? 1.0 : 0.0;
      neighbours += left.is_absent(i) && left.is_absent(lattice.neighbour(i, 0, +1)) ? 1.0 : 0.0;
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        const auto place = static_cast<std::size_t>(i * lattice.owned() + bond);
        const bool cut = left.is_absent(i) || left.is_absent(lattice.neighbour(i, bond, +1));
        EXPECT_EQ(left.couplings[place], cut ? 0.0F : all.couplings[place]);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t place = 3 * static_cast<std::size_t>(i) + k;
        EXPECT_EQ(left.fields[place], left.is_absent(i) ? 0.0F : all.fields[place]);
      }
    }
    EXPECT_NEAR(absent / n, 0.3, 4.0 * std::sqrt(0.3 * 0.7 / n));
    EXPECT_NEAR(neighbours / n, 0.09, 4.0 * std::sqrt(0.09 * 0.91 / n));
    EXPECT_NEAR(both / n, 0.09, 4.0 * std::sqrt(0.09 * 0.91 / n));
    config.model.couplings = CouplingKind::bimodal;
    config.model.field = FieldKind::none;
    config.model.bond_dilution = 0.2;
    EXPECT_EQ(make_disorder(config, lattice, 3).absent, left.absent) << "whatever else is drawn";
  }
}

/// Unit vectors that are uniform on the sphere: means of their components 0, of products 1/n or 0, to 4 sigma (6.3e-5
/// each); fixed seeds. A key of its own value 0 draws none.
TEST(Axes, AreUniformAndIndependent) {
  const Lattice lattice{3, 16};
  for (const int n : {2, 3, 4, 6}) {
    Config config = with_model(CouplingKind::gaussian, FieldKind::gaussian, 0.5);
    config.model.spins = {ModelKind::on, 2, n};
    const Disorder without = make_disorder(config, lattice, 3);
    EXPECT_TRUE(without.axes.empty());
    config.model.anisotropy = -2.5;
    const Disorder disorder = make_disorder(config, lattice, 3), other = make_disorder(config, lattice, 4);
    EXPECT_EQ(disorder.anisotropy, -2.5F);
    EXPECT_EQ(disorder.couplings, without.couplings);
    EXPECT_EQ(disorder.fields, without.fields);
    EXPECT_LE(disorder.energy_scale.exponent, without.energy_scale.exponent);
    const auto N = static_cast<std::size_t>(lattice.sites()), components = static_cast<std::size_t>(n);
    ASSERT_EQ(disorder.axes.size(), N * components);
    const auto mean = [&](const auto& of_site) {
      double sum = 0.0;
      for (std::size_t i = 0; i < N; ++i) sum += of_site(i);
      return sum / static_cast<double>(N);
    };
    const auto at = [&](const std::vector<float>& x, std::size_t i, std::size_t k) {
      return static_cast<double>(x[i * components + k]);
    };
    const double error = 4.0 / std::sqrt(static_cast<double>(N)) / n;  // of products, at most 1/n each
    for (std::size_t i = 0; i < N; ++i) {
      double square = 0.0;
      for (std::size_t k = 0; k < components; ++k) square += at(disorder.axes, i, k) * at(disorder.axes, i, k);
      EXPECT_NEAR(square, 1.0, 1e-5);
    }
    for (std::size_t k = 0; k < components; ++k) {
      EXPECT_NEAR(mean([&](std::size_t i) { return at(disorder.axes, i, k); }), 0.0, error * std::sqrt(n));
      EXPECT_NEAR(mean([&](std::size_t i) { return at(disorder.axes, i, k) * at(other.axes, i, k); }), 0.0, error);
      EXPECT_NEAR(mean([&](std::size_t i) { return at(disorder.axes, i, k) * at(disorder.fields, i, k); }), 0.0,
                  error * n);
      for (std::size_t l = 0; l < components; ++l) {
        EXPECT_NEAR(mean([&](std::size_t i) { return at(disorder.axes, i, k) * at(disorder.axes, i, l); }),
                    k == l ? 1.0 / n : 0.0, error);
      }
    }
  }
}

TEST(Couplings, AreLeftByADilutionOrItIsRefused) {
  Config config = with_model(CouplingKind::gaussian);
  config.model.site_dilution = 0.99;
  int refused = 0;
  for (std::uint32_t realization = 0; realization < 50; ++realization) {
    try {
      static_cast<void>(make_disorder(config, {3, 4}, realization));
    } catch (const InputError& error) {
      EXPECT_EQ(error.subject(), "model.site_dilution");
      EXPECT_EQ(error.fault(), InputFault::conflict);
      ++refused;
    }
  }
  EXPECT_GT(refused, 40);
}

TEST(Couplings, BimodalAndFerromagnet) {
  const std::vector<float> J = make_disorder(with_model(CouplingKind::bimodal), {3, 32}, 1).couplings;
  EXPECT_TRUE(std::all_of(J.begin(), J.end(), [](float x) { return std::abs(x) == 1.0F; }));
  EXPECT_LT(std::abs(mean_of_power(J, 1)), 4.0 / std::sqrt(static_cast<double>(J.size())));
  for (const std::size_t offset : {1U, 3U}) expect_uncorrelated(J, offset, J);
  const std::vector<float> ones = make_disorder(with_model(CouplingKind::ferromagnet), {2, 8}, 1).couplings;
  EXPECT_EQ(ones, std::vector<float>(128, 1.0F));
}

TEST(Fields, ComponentsAndCouplingsUntouched) {
  const Lattice lattice{3, 32};
  const std::vector<float> J = make_disorder(with_model(CouplingKind::gaussian), lattice, 2).couplings;
  const auto fields = [&](FieldKind kind) {
    const Disorder disorder = make_disorder(with_model(CouplingKind::gaussian, kind, 0.5), lattice, 2);
    EXPECT_EQ(disorder.couplings, J);
    EXPECT_EQ(disorder.fields.size(), 3U * 32 * 32 * 32);
    expect_uncorrelated(disorder.fields, 0, J);
    return disorder.fields;
  };
  const auto scaled = [](std::vector<float> x) {
    for (float& v : x) v *= 2.0F;
    return x;
  };
  expect_moments(scaled(fields(FieldKind::gaussian)), normal_moments);
  const std::vector<float> uniform = scaled(fields(FieldKind::box));
  EXPECT_TRUE(std::all_of(uniform.begin(), uniform.end(), [](float x) { return std::abs(x) <= 1.0F; }));
  const std::vector<double> uniform_moments = {1, 0, 1.0 / 3, 0, 1.0 / 5, 0, 1.0 / 7, 0, 1.0 / 9};
  expect_moments(uniform, uniform_moments);

  // One component of a unit vector is uniform in (-1, 1) (Archimedes); the three are tied, so each is taken alone.
  const std::vector<float> sphere = scaled(fields(FieldKind::sphere));
  for (std::size_t component = 0; component < 3; ++component) {
    std::vector<float> one;
    for (std::size_t i = component; i < sphere.size(); i += 3) one.push_back(sphere[i]);
    expect_moments(one, uniform_moments);
  }
  for (std::size_t i = 0; i < sphere.size(); i += 3) {
    EXPECT_NEAR(std::hypot(sphere[i], sphere[i + 1], sphere[i + 2]), 1.0F, 3e-7F);
  }
}

TEST(Fields, ConstantOnesAreTheSameEverywhere) {
  const Lattice lattice{3, 4};
  Config config = with_model(CouplingKind::gaussian, FieldKind::constant, 0.5);
  const auto of_site = [&](std::size_t n) {
    const std::vector<float> H = make_disorder(config, lattice, 7).fields;
    EXPECT_EQ(H.size(), 64 * n);
    for (std::size_t i = n; i < H.size(); ++i) EXPECT_EQ(H[i], H[i - n]);
    return std::vector<float>(H.begin(), H.begin() + static_cast<std::ptrdiff_t>(n));
  };
  EXPECT_EQ(of_site(3), (std::vector<float>{0.0F, 0.0F, 0.5F}));
  config.model.field_direction = {6.0, -8.0, 0.0};
  EXPECT_EQ(of_site(3), (std::vector<float>{0.3F, -0.4F, 0.0F}));
  config.model.spins.kind = ModelKind::ising;
  config.model.field_direction = {-3.0};
  EXPECT_EQ(of_site(1), std::vector<float>{-0.5F});
  EXPECT_FALSE(config.has_drawn_field());
}

/// Fields of n components at 4 sigma (false-alarm probability 6.3e-5 each, fixed seeds).
TEST(Fields, OfOtherModels) {
  const Lattice lattice{3, 16};
  for (const int n : {1, 2, 4}) {
    for (const FieldKind kind : {FieldKind::sphere, FieldKind::gaussian, FieldKind::box}) {
      Config config = with_model(CouplingKind::gaussian, kind, 0.5);
      config.model.spins.kind = n == 1 ? ModelKind::ising : ModelKind::on;
      config.model.spins.components = n;
      const Disorder disorder = make_disorder(config, lattice, 1);
      const std::vector<float>& H = disorder.fields;
      ASSERT_EQ(H.size(), 4096U * static_cast<std::size_t>(n));
      EXPECT_EQ(disorder.couplings, make_disorder(with_model(CouplingKind::gaussian), lattice, 1).couplings);
      const double variance = kind == FieldKind::sphere ? 0.25 / n : (kind == FieldKind::gaussian ? 0.25 : 0.25 / 3.0);
      const auto count = static_cast<double>(H.size());
      EXPECT_NEAR(mean_of_power(H, 1), 0.0, 4.0 * std::sqrt(variance / count));
      EXPECT_NEAR(mean_of_power(H, 2), variance, 4.0 * std::sqrt(2.0 / count) * variance);  // gaussian is the widest
      if (kind != FieldKind::sphere) continue;
      for (std::size_t i = 0; i < H.size(); i += static_cast<std::size_t>(n)) {
        double square = 0.0;
        for (std::size_t k = i; k < i + static_cast<std::size_t>(n); ++k) square += std::pow(H[k], 2);
        ASSERT_NEAR(square, 0.25, 1e-6);
      }
    }
  }
}

TEST(Disorder, EnergyScaleHoldsEverySite) {
  const Lattice lattice{3, 8};
  const Disorder disorder = make_disorder(with_model(CouplingKind::gaussian, FieldKind::gaussian, 40.0), lattice, 1);
  EXPECT_TRUE(disorder.has_fields());
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    double bound = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      bound += std::abs(disorder.couplings[static_cast<std::size_t>(3 * i + axis)]);
      bound += std::abs(disorder.couplings[static_cast<std::size_t>(3 * lattice.neighbour(i, axis, -1) + axis)]);
    }
    const float* H = &disorder.fields[static_cast<std::size_t>(3 * i)];
    bound += std::hypot(H[0], H[1], H[2]);
    EXPECT_LT(bound * static_cast<double>(disorder.energy_scale.multiplier()), 0x1p30);
  }
}

}}  // namespace glassworks
