#include "analysis/basics/value_format.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace glassworks { namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(ValueFormat, ShowsTheErrorWithTwoDigits) {
  EXPECT_EQ(format_value(-1.70293, 0.0044), "-1.7029(44)");
  EXPECT_EQ(format_value(0.472291, 0.0026), "0.4723(26)");
  EXPECT_EQ(format_value(19.149, 0.1), "19.15(10)");
  EXPECT_EQ(format_value(12.34, 1.24), "12.3(1.2)");
  EXPECT_EQ(format_value(123.4, 12.4), "123(12)");
  EXPECT_EQ(format_value(4567.0, 123.0), "4570(120)");
  EXPECT_EQ(format_value(1.0, 0.25), "1.00(25)");
}

TEST(ValueFormat, CarriesWhenTheErrorRoundsUp) {
  EXPECT_EQ(format_value(1.2345, 0.0996), "1.23(10)");
  EXPECT_EQ(format_value(1.2345, 0.0994), "1.234(99)");
  EXPECT_EQ(format_value(12.34, 0.996), "12.3(1.0)");
  EXPECT_EQ(format_value(12.34, 9.96), "12(10)");
  EXPECT_EQ(format_value(1234.0, 99.6), "1230(100)");
}

TEST(ValueFormat, UsesPowersOfTenForVerySmallAndLarge) {
  EXPECT_EQ(format_value(1.5e-9, 3e-11), "1.500(30)e-09");
  EXPECT_EQ(format_value(-2.5e9, 1.2e7), "-2.500(12)e+09");
  EXPECT_EQ(format_value(0.0, 3e-11), "0.0(3.0)e-11");
}

TEST(ValueFormat, ShowsNoSignOfZero) {
  EXPECT_EQ(format_value(-3e-5, 0.0012), "0.0000(12)");
  EXPECT_EQ(format_value(-3.0, 123.0), "0(120)");
}

TEST(ValueFormat, ShowsNoErrorWhereThereIsNone) {
  EXPECT_EQ(format_value(-1.5, not_a_number), "-1.5");
  EXPECT_EQ(format_value(-1.5, std::numeric_limits<double>::infinity()), "-1.5");
  EXPECT_EQ(format_value(not_a_number, 0.1), "nan");
  EXPECT_EQ(format_value(-not_a_number, not_a_number), "nan");
  EXPECT_EQ(format_value(0.25, 0.0), "0.25(0)");
  EXPECT_EQ(format_value(std::numeric_limits<double>::infinity(), 1.0), "inf");
}

// Read back, the value is off by at most half a unit of the last digit; an error of 9.95 units or more has two digits.
RC_GTEST_PROP(ValueFormat, ReadsBackWithinHalfAUnitOfTheLastDigit, ()) {
  const int exponent = *rc::gen::inRange(-12, 12);
  const double error = *rc::gen::inRange(1000, 10000) * std::pow(10.0, exponent - 3);
  const double value = *rc::gen::inRange(-1000000, 1000000) * std::pow(10.0, exponent - 2);
  std::string text = format_value(value, error);
  const std::size_t open = text.find('('), close = text.find(')');
  RC_ASSERT(open != std::string::npos);
  const double read = std::stod(text.substr(0, open) + text.substr(close + 1));
  RC_ASSERT(std::abs(read - value) <= 0.5001 / 9.95 * error);
}

TEST(TableFormat, AlignsColumnsToTheRight) {
  EXPECT_EQ(format_table({{"T", "xi"}, {"0.25", "1(2)"}, {"1"}}), "     T    xi\n  0.25  1(2)\n     1\n");
}

}}  // namespace glassworks
