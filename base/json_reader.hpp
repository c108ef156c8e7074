#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glassworks { inline namespace base {

struct JsonMember;

/// A value of a JSON document: nothing (null), a truth, a number, a text, an array or an object, whose members keep
/// their order and may have one name.
struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;

  std::variant<std::monostate, bool, double, std::string, Array, Object> is;

  [[nodiscard]] const double* number() const { return std::get_if<double>(&is); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&is); }
  [[nodiscard]] const Array* array() const { return std::get_if<Array>(&is); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&is); }
  /// The first member of this name of an object; nullptr if it has none or is none.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// A document from a text, with nlohmann-json. Numbers are doubles. Throws InputError (malformed, with the line) for a
/// text that is no JSON, a number beyond a double, and more than 64 brackets within each other.
///
/// file  it is from, for messages
[[nodiscard]] JsonValue read_json(std::string_view text, const std::filesystem::path& file);

}}  // namespace glassworks::base
