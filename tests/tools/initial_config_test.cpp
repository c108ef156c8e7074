#include "tools/glassworks/initial_config.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/config/config.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InitialConfig : public ::testing::TestWithParam<std::string> {
 protected:
  ~InitialConfig() override { std::filesystem::remove(file_); }
  Config load(const std::string& text) {
    std::ofstream(file_) << text;
    return load_config(file_, {});
  }
  const std::filesystem::path file_ = std::filesystem::temp_directory_path() / ("initial-" + GetParam() + ".cfg");
};

TEST_P(InitialConfig, IsAValidConfigurationOfItsModel) {
  const Config config = load(initial_config(GetParam()));
  const std::string kind = GetParam() == "xy" ? "on\nmodel.n = 2" : GetParam() == "aging" ? "ising" : GetParam();
  EXPECT_THAT(canonical_text(config), HasSubstr(kind == "heisenberg" ? "model.dim = 3" : "model.type = " + kind));
  EXPECT_THAT(config.notes, IsEmpty());
  EXPECT_GT(config.disorder.realizations.front(), 1);
}

TEST_P(InitialConfig, CommentsHoldTheValuesThatCountAnyway) {
  const std::string text = initial_config(GetParam());
  const std::string plain = canonical_text(load(text));
  std::string opened;
  std::size_t commented = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = line.find(" = ");
    // "# key = value" and no sentence that holds an equation; an interval that is given stays as it is.
    const bool stays = line.starts_with("# interval = ");
    if (!stays && line.starts_with("# ") && equals != line.npos && line.find(' ', 2) == equals &&
        !line.ends_with("NAME")) {
      line = line.substr(2);
      ++commented;
    }
    opened += line + '\n';
  }
  EXPECT_GT(commented, 10U);
  EXPECT_EQ(canonical_text(load(opened)), plain);
}

TEST_P(InitialConfig, ExplainsItsKeys) {
  const std::string text = initial_config(GetParam());
  EXPECT_THAT(text, HasSubstr("\n# edge lengths (odd"));
  EXPECT_THAT(text, HasSubstr("\n# seed = 1\n"));
  EXPECT_THAT(text, HasSubstr("\n# boundary = periodic\n"));
  EXPECT_EQ(text.find("\n# states q of a site") != text.npos, GetParam() == "potts");
}

INSTANTIATE_TEST_SUITE_P(Models, InitialConfig, ::testing::ValuesIn(initial_models()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(InitialModel, IsOneOfThoseThereAre) {
  EXPECT_THAT([] { return initial_config("izing"); }, Refuses(InputFault::unknown, "izing"));
}

}}  // namespace glassworks
