#include "base/json_writer.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace glassworks { inline namespace base {
namespace {

using Json = nlohmann::ordered_json;

enum class Letters { ascii, all };

std::string dumped(const Json& json, int indent, Letters letters = Letters::ascii) {
  return json.dump(indent, ' ', letters == Letters::ascii, Json::error_handler_t::replace);
}

}  // namespace

struct JsonWriter::Tree {
  Json root;
  std::vector<Json*> open;  ///< from the outermost bracket to the innermost
  std::string key;

  /// Where the next value belongs.
  Json& place() {
    if (open.empty()) return root;
    Json& inside = *open.back();
    if (inside.is_object()) return inside[key];
    inside.push_back(nullptr);
    return inside.back();
  }
};

JsonWriter::JsonWriter() : tree_(std::make_unique<Tree>()) {}
JsonWriter::JsonWriter(JsonWriter&&) noexcept = default;
JsonWriter::~JsonWriter() = default;

JsonWriter& JsonWriter::begin_object() {
  Json& object = tree_->place();
  object = Json::object();
  tree_->open.push_back(&object);
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  Json& array = tree_->place();
  array = Json::array();
  tree_->open.push_back(&array);
  return *this;
}

JsonWriter& JsonWriter::close() {
  tree_->open.pop_back();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  tree_->key = name;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  tree_->place() = text;
  return *this;
}

JsonWriter& JsonWriter::value(double x) {
  tree_->place() = x;
  return *this;
}

JsonWriter& JsonWriter::truth(bool b) {
  tree_->place() = b;
  return *this;
}

JsonWriter& JsonWriter::whole(std::int64_t i) {
  tree_->place() = i;
  return *this;
}

JsonWriter& JsonWriter::whole(std::uint64_t i) {
  tree_->place() = i;
  return *this;
}

std::string JsonWriter::text() const { return dumped(tree_->root, 2) + '\n'; }

std::string JsonWriter::line() const { return dumped(tree_->root, -1); }

std::string JsonWriter::script() const {
  std::string safe;
  for (const char c : line()) {
    // Outside of texts, JSON has none of these.
    if (c == '<') {
      safe += "\\u003c";
    } else if (c == '>') {
      safe += "\\u003e";
    } else if (c == '&') {
      safe += "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string json_string(std::string_view text) { return dumped(text, -1, Letters::all); }

}}  // namespace glassworks::base
