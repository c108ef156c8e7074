#include "base/json_reader.hpp"

#include <gtest/gtest.h>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

TEST(JsonReader, KeepsValuesAndTheirOrder) {
  const JsonValue value = read_json(R"({"b": [1, -2.5, 3e2, "x\u00e9", true, null], "a": {}, "b": 7})", "file");
  ASSERT_NE(value.object(), nullptr);
  ASSERT_EQ(value.object()->size(), 3U);
  EXPECT_EQ((*value.object())[1].name, "a");
  EXPECT_EQ(*(*value.object())[2].value.number(), 7);
  const JsonValue* b = value.find("b");
  ASSERT_NE(b, nullptr);
  ASSERT_EQ(b->array()->size(), 6U);
  EXPECT_EQ(*(*b->array())[1].number(), -2.5);
  EXPECT_EQ(*(*b->array())[2].number(), 300);
  EXPECT_EQ(*(*b->array())[3].text(), "x\xC3\xA9");
  EXPECT_TRUE(std::get<bool>((*b->array())[4].is));
  EXPECT_TRUE(std::holds_alternative<std::monostate>((*b->array())[5].is));
  EXPECT_NE(value.find("a")->object(), nullptr);
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(b->find("c"), nullptr);
  EXPECT_EQ(*read_json("3", "file").number(), 3);
}

TEST(JsonReader, NamesTheLineThatIsWrong) {
  const auto reading = [](const std::string& text) { return [=] { return read_json(text, "file"); }; };
  EXPECT_THAT(reading(""), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading("{\"a\": 1,\n \"b\": }"), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading("[1, 2\n"), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading("[1] 2"), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading("[1e999]"), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading("[\"\xFF\"]"), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading(std::string(65, '[')), Refuses(InputFault::malformed, "file"));
  EXPECT_THAT(reading(std::string(64, '[') + std::string(64, ']') + "x"), Refuses(InputFault::malformed, "file"));
}

}}  // namespace glassworks
