#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// Writes one JSON document with nlohmann-json, members in the given order. Doubles are written with the fewest digits
/// that restore the same value, non-finite ones as null. All characters beyond ASCII are escaped, so that no text can
/// act on a terminal; each byte that is not valid UTF-8 becomes U+FFFD.
///
/// The library is used behind this interface only: its header takes two seconds to compile.
class JsonWriter {
 public:
  JsonWriter();
  JsonWriter(JsonWriter&&) noexcept;
  ~JsonWriter();

  JsonWriter& begin_object();
  JsonWriter& end_object() { return close(); }
  JsonWriter& begin_array();
  JsonWriter& end_array() { return close(); }

  /// Of the next value in an object.
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double x);
  JsonWriter& value(std::same_as<bool> auto b) { return truth(b); }
  JsonWriter& value(std::signed_integral auto i) { return whole(std::int64_t{i}); }
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T i) { return whole(std::uint64_t{i}); }
  template <class T>
  JsonWriter& field(std::string_view name, const T& x) {
    return key(name).value(x);
  }

  /// The document, two spaces per level, with a newline at its end.
  [[nodiscard]] std::string text() const;
  /// In one line, without its end.
  [[nodiscard]] std::string line() const;
  /// The document in one line, safe inside <script>: < > & are escaped too.
  [[nodiscard]] std::string script() const;

 private:
  struct Tree;

  JsonWriter& truth(bool b);
  JsonWriter& whole(std::int64_t i);
  JsonWriter& whole(std::uint64_t i);
  JsonWriter& close();

  std::unique_ptr<Tree> tree_;
};

/// A text as a JSON string with its quotes, which is a scalar of YAML too: letters beyond ASCII stay as they are.
[[nodiscard]] std::string json_string(std::string_view text);

}}  // namespace glassworks::base
