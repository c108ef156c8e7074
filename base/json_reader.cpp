#include "base/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/input_error.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace base {
namespace {

/// Builds the value while the library reads the text.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonBuilder(const std::filesystem::path& file, std::string_view text) : file_(file), text_(text) {}

  JsonValue root;

  bool null() override { return put({}); }
  bool boolean(bool x) override { return put({x}); }
  bool number_integer(number_integer_t x) override { return put({static_cast<double>(x)}); }
  bool number_unsigned(number_unsigned_t x) override { return put({static_cast<double>(x)}); }
  bool number_float(number_float_t x, const string_t& /*written*/) override { return put({x}); }
  bool string(string_t& x) override { return put({std::move(x)}); }
  bool binary(binary_t& /*bytes*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open({JsonValue::Object{}}); }
  bool start_array(std::size_t /*size*/) override { return open({JsonValue::Array{}}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    name_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& /*error*/) override {
    const auto before = text_.substr(0, position == 0 ? 0 : position - 1);
    throw InputError(
        InputFault::malformed, file_.string(),
        fmt::format("{}:{}: the text is not valid JSON ({} is unexpected). Correct the file.", file_.string(),
                    1 + std::ranges::count(before, '\n'), token.empty() ? "its end" : visible_line(in_quotes(token))));
  }

 private:
  static constexpr std::size_t most_brackets = 64;

  JsonValue& place(JsonValue&& value) {
    if (open_.empty()) return root = std::move(value);
    if (auto* array = std::get_if<JsonValue::Array>(&open_.back()->is)) return array->emplace_back(std::move(value));
    return std::get<JsonValue::Object>(open_.back()->is).emplace_back(std::move(name_), std::move(value)).value;
  }
  bool put(JsonValue&& value) {
    place(std::move(value));
    return true;
  }
  bool open(JsonValue&& value) {
    if (open_.size() == most_brackets) {
      throw InputError(InputFault::malformed, file_.string(),
                       fmt::format("{}: the text has more than {} brackets within each other (no file of couplings "
                                   "has). Check that it is the right file.",
                                   file_.string(), most_brackets));
    }
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::filesystem::path& file_;
  std::string_view text_;
  std::string name_;
  std::vector<JsonValue*> open_;  ///< from the outermost bracket; none moves while it is open
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(*members, name, &JsonMember::name);
  return found == members->end() ? nullptr : &found->value;
}

JsonValue read_json(std::string_view text, const std::filesystem::path& file) {
  JsonBuilder builder(file, text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.root);
}

}}  // namespace glassworks::base
