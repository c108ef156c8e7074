#include "base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "analysis/report/safe_text.hpp"

namespace glassworks { namespace {

TEST(ReportStrings, BytesThatAreNotUtf8AndControlCharactersAreReplaced) {
  EXPECT_EQ(clean_text("ξ_{L} ⟨q⟩ 😀\t\n"), "ξ_{L} ⟨q⟩ 😀\t\n");
  EXPECT_EQ(clean_text("a\xFF b\x01 c\x7F"), "a\uFFFD b\uFFFD c\uFFFD");
  EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond U+10FFFF";
  EXPECT_EQ(clean_text("\xE2\x9F"), "\uFFFD\uFFFD") << "cut";
  EXPECT_EQ(clean_text("\xC2\x85"), "\uFFFD") << "C1";
}

TEST(ReportStrings, HtmlHasNoTagsAndNoQuotesOfItsOwn) {
  EXPECT_EQ(html_text("<b a=\"1\" c='2'>&amp;"), "&lt;b a=&#34;1&#34; c=&#39;2&#39;&gt;&amp;amp;");
}

TEST(ReportStrings, CsvCellsAreQuotedOnlyIfTheyHaveTo) {
  EXPECT_EQ(csv_cell("L = 8"), "L = 8");
  EXPECT_EQ(csv_cell("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "two lines");
  EXPECT_EQ(csv_cell("\"\""), "\"\"\"\"\"\"");
}

RC_GTEST_PROP(ReportStrings, DecimalsReadBackToTheSameDouble, (std::uint64_t bits)) {
  double x = 0.0;
  static_assert(sizeof x == sizeof bits);
  std::memcpy(&x, &bits, sizeof x);
  RC_PRE(std::isfinite(x));
  RC_ASSERT(std::strtod(shortest(x).c_str(), nullptr) == x);
}

TEST(ReportStrings, WhatIsNoNumberIsWritten) {
  EXPECT_EQ(shortest(std::nan("")), "nan");
  EXPECT_EQ(shortest(-std::nan("")), "nan");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(shortest(0.1), "0.1");
}

}}  // namespace glassworks
