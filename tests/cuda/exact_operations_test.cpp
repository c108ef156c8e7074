#include "tests/cuda/exact_operations.hpp"

#include <Random123/philox.h>

#include "tests/cuda/cuda_support.hpp"

/// The operations that all formulas are made of give the same bits on the device and on the host.
namespace glassworks { namespace {

using test::Exhaustive;
using test::FormulaValues;
using test::PhiloxOnDevice;
using test::PhiloxWords;

class CudaExact : public test::OnDevice {};

void expect_none_wrong(const Exhaustive& e, std::uint64_t floats) {
  EXPECT_EQ(e.checked, floats);
  EXPECT_EQ(e.wrong, 0U) << "the smallest argument with another result has the bits " << e.first_wrong;
}

TEST_F(CudaExact, ReciprocalOfEveryFloat) {
  expect_none_wrong(test::check_reciprocal_on_device(), 251ULL * (1ULL << 23) + 1);  // 2^-126 to 2^125
}

TEST_F(CudaExact, SquareRootOfEveryFloat) {
  expect_none_wrong(test::check_sqrt_on_device(), 228ULL * (1ULL << 23) + 1);  // 0, and 2^-100 to below 2^128
}

TEST_F(CudaExact, ApproximateExponentialOfEveryFloat) {
  expect_none_wrong(test::check_approximate_exp_on_device(), 255ULL * (1ULL << 23) + 1);  // -0 to -infinity
}

/// Vectors of the Random123 distribution (kat_vectors, philox4x32 10).
TEST_F(CudaExact, PhiloxPublishedKnownAnswers) {
  struct Known {
    PhiloxWords counter;
    PhiloxKey key;
    PhiloxWords answer;
  };
  constexpr std::uint32_t ones = 0xffffffffU;
  const std::vector<Known> known = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}},
      {{ones, ones, ones, ones}, {ones, ones}, {0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}},
      {{0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U},
       {0xa4093822U, 0x299f31d0U},
       {0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}}};
  for (const Known& k : known) {
    const PhiloxOnDevice found = test::philox_on_device(k.key, {k.counter}).front();
    EXPECT_EQ(found.curand, k.answer);
    EXPECT_EQ(found.key, k.answer);
    EXPECT_EQ(found.round_keys, k.answer);
    EXPECT_EQ(found.curand_key, k.answer);
  }
}

/// 64 keys with 2^14 counters each, against cuRAND on the device and Random123 on the host.
TEST_F(CudaExact, PhiloxAgreesWithTheLibraries) {
  test::Source source(23);
  r123::Philox4x32 library;
  for (int keys = 0; keys < 64; ++keys) {
    const PhiloxKey key{source.word(), source.word()};
    std::vector<PhiloxWords> counters(1U << 14);
    for (PhiloxWords& c : counters) {
      for (std::uint32_t& word : c) word = source.word();
    }
    const std::vector<PhiloxOnDevice> found = test::philox_on_device(key, counters);
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const PhiloxWords& c = counters[i];
      const auto expected = library({{c[0], c[1], c[2], c[3]}}, {{key.k0, key.k1}});
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found[i].curand.begin())) << "cuRAND, counter " << i;
      ASSERT_EQ(found[i].key, found[i].curand) << "counter " << i;
      ASSERT_EQ(found[i].round_keys, found[i].curand) << "counter " << i;
      ASSERT_EQ(found[i].curand_key, found[i].curand) << "counter " << i;
    }
  }
}

/// log, exp, sine, cosine, both updates: 2^22 arguments each, every bit.
TEST_F(CudaExact, FormulasOnTheDeviceAndOnTheHost) {
  constexpr std::uint32_t count = 1U << 22;
  const std::vector<FormulaValues> found = test::formulas_on_device(count);
  ASSERT_EQ(found.size(), count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const FormulaValues expected = test::evaluate_formulas(i);
    const FormulaValues& f = found[i];
    if (std::memcmp(&f, &expected, sizeof f) == 0) continue;
    const auto report = [&](const char* what, const auto& a, const auto& b) {
      EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << what << " differs at index " << i;
    };
    report("expm1", f.expm1, expected.expm1);
    report("exp", f.exp, expected.exp);
    report("log1p", f.log1p, expected.log1p);
    report("uniform", f.uniform, expected.uniform);
    report("sine", f.sin, expected.sin);
    report("cosine", f.cos, expected.cos);
    report("reciprocal", f.reciprocal, expected.reciprocal);
    report("square root", f.sqrt, expected.sqrt);
    report("random spin", f.random_spin, expected.random_spin);
    report("heat bath", f.heat_bath, expected.heat_bath);
    report("over-relaxation", f.over_relax, expected.over_relax);
    report("over-relaxation in double", f.over_relax_conserving, expected.over_relax_conserving);
    report("renormalization", f.renormalized, expected.renormalized);
    report("rounding", f.rounded, expected.rounded);
    FAIL() << "the other indices were not looked at";
  }
}

}}  // namespace glassworks
