#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace glassworks { namespace {

TEST(VisibleText, LettersOfAllScriptsStay) {
  for (const std::string text : {"", "plain ~", "\\x1b", "\u00e9\u03b2\u4e2d\U0001f600", "a\u0300"}) {
    EXPECT_EQ(visible_line(text), text);
    EXPECT_EQ(visible_text(text), text);
  }
}

TEST(VisibleText, ControlCharactersAreShown) {
  EXPECT_EQ(visible_line("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(visible_line(std::string("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
  EXPECT_EQ(visible_line("\xc2\x9b"
                         "2J"),
            "\\u009b2J");
  EXPECT_EQ(visible_line("\u202e\u2066\u2028\ufeff"), "\\u202e\\u2066\\u2028\\ufeff");
}

TEST(VisibleText, LineEndsStayInAComposedText) {
  EXPECT_EQ(visible_text("a\n\tb\rc"), "a\n\tb\\rc");
  EXPECT_EQ(visible_line("a\n\tb\rc"), "a\\n\\tb\\rc");
}

TEST(VisibleText, BytesThatAreNoCharacterAreShown) {
  EXPECT_EQ(visible_line("\xff\x9b"), "\\xff\\x9b");
  EXPECT_EQ(visible_line("\xc3"), "\\xc3");                             // cut off
  EXPECT_EQ(visible_line("\xc0\x9b"), "\\xc0\\x9b");                    // overlong
  EXPECT_EQ(visible_line("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");           // overlong
  EXPECT_EQ(visible_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(visible_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last one
}

TEST(ThreeDigits, HaveNoExponent) {
  EXPECT_EQ(three_digits(8612.4), "8612");
  EXPECT_EQ(three_digits(2.0), "2.00");
  EXPECT_EQ(three_digits(0.0041234), "0.00412");
  EXPECT_EQ(three_digits(0.0), "0");
}

}}  // namespace glassworks
