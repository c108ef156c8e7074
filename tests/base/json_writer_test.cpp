#include "base/json_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace glassworks { namespace {

std::string line_of(const auto& value) { return JsonWriter().value(value).line(); }

TEST(JsonWriter, NestsSeparatesAndEscapes) {
  JsonWriter json;
  json.begin_object().field("a \"quoted\" \\ name", "tab\there").field("n", 3).field("yes", true);
  json.key("list").begin_array().value(0.5).value(1e-7).end_array();
  json.key("empty").begin_array().end_array();
  json.field("nothing", std::numeric_limits<double>::quiet_NaN()).end_object();
  EXPECT_EQ(json.text(),
            "{\n  \"a \\\"quoted\\\" \\\\ name\": \"tab\\there\",\n  \"n\": 3,\n  \"yes\": true,\n"
            "  \"list\": [\n    0.5,\n    1e-07\n  ],\n  \"empty\": [],\n  \"nothing\": null\n}\n");
}

TEST(JsonWriter, KeepsTheOrderOfMembersAndTheLevelOfEach) {
  JsonWriter json;
  json.begin_object().field("z", 1).key("rows").begin_array();
  for (int i = 0; i < 20; ++i) json.begin_object().field("b", i).key("a").begin_object().end_object().end_object();
  json.end_array().field("a", 2).end_object();
  const std::string line = json.line();
  EXPECT_TRUE(line.starts_with(R"({"z":1,"rows":[{"b":0,"a":{}},{"b":1,"a":{}},)")) << line;
  EXPECT_TRUE(line.ends_with(R"(,{"b":19,"a":{}}],"a":2})")) << line;
}

TEST(JsonWriter, NumbersReadBackToTheSame) {
  EXPECT_EQ(line_of(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(line_of(0.44068679350977147), "0.44068679350977147");
  EXPECT_EQ(line_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(line_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(line_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(line_of(-std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonWriter, AnyTextBecomesJsonThatATerminalCanShow) {
  EXPECT_EQ(line_of("a\"\\\n\x1b\x7f"), R"("a\"\\\n\u001b\u007f")");
  EXPECT_EQ(line_of("\xc2\x9b\xff\u00e9"), R"("\u009b\ufffd\u00e9")");
  EXPECT_EQ(line_of("\u202e\u2028"), R"("\u202e\u2028")");
  EXPECT_EQ(line_of("\xC0\xAF\xE2\x9F"), R"("\ufffd\ufffd\ufffd")");
  EXPECT_EQ(JsonWriter().begin_object().field("\xff", "").end_object().line(), R"({"\ufffd":""})");
}

TEST(JsonWriter, AScriptCannotBeEnded) {
  EXPECT_EQ(JsonWriter().value("</script>").script(), R"("\u003c/script\u003e")");
  EXPECT_EQ(JsonWriter().value("<!--&\u2028").script(), R"("\u003c!--\u0026\u2028")");
}

TEST(JsonWriter, AStringKeepsItsLetters) {
  EXPECT_EQ(json_string("Mart\u00edn-Mayor \"V\"\n"), "\"Mart\u00edn-Mayor \\\"V\\\"\\n\"");
}

}}  // namespace glassworks
