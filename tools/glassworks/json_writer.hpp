#pragma once

#include <cmath>
#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "engine/visible_text.hpp"

namespace glassworks::inline tools {

/// Writes one JSON document, two spaces per level, with its commas and line breaks.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(const std::string& name) {
    separate();
    text_ += quoted(name) + ": ";
    after_key_ = true;
    return *this;
  }
  JsonWriter& value(const std::string& s) { return raw(quoted(s)); }
  JsonWriter& value(const char* s) { return raw(quoted(s)); }
  JsonWriter& value(std::same_as<bool> auto b) { return raw(b ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T i) { return raw(std::to_string(i)); }
  /// Six significant digits; null where the number is not finite.
  JsonWriter& value(double x) {
    if (!std::isfinite(x)) return raw("null");
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", x);
    return raw(buffer);
  }
  template <class T>
  JsonWriter& field(const std::string& name, const T& x) {
    return key(name).value(x);
  }

  /// The finished document with a newline at its end.
  [[nodiscard]] std::string text() const { return text_ + '\n'; }

  /// Control characters are escaped, and each byte that is not UTF-8 becomes U+FFFD, so that it is JSON whatever it
  /// says.
  [[nodiscard]] static std::string quoted(std::string_view s) {
    std::string out = "\"";
    while (!s.empty()) {
      const Utf8Character c = utf8_character(s);
      if (c.number == '"' || c.number == '\\') out += '\\';
      if (c.bytes == 0) {
        out += "\\ufffd";
      } else if (c.number < 0x20 || (c.number >= 0x7f && c.number <= 0x9f)) {
        char buffer[8];
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c.number));
        out += buffer;
      } else {
        out += s.substr(0, c.bytes);
      }
      s.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
    }
    return out + '"';
  }

 private:
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    empty_.push_back(true);
    return *this;
  }
  JsonWriter& close(char bracket) {
    const bool was_empty = empty_.back();
    empty_.pop_back();
    if (!was_empty) new_line();
    text_ += bracket;
    return *this;
  }
  JsonWriter& raw(const std::string& s) {
    separate();
    text_ += s;
    return *this;
  }
  void separate() {
    if (after_key_) {
      after_key_ = false;
    } else if (!empty_.empty()) {
      if (!empty_.back()) text_ += ',';
      empty_.back() = false;
      new_line();
    }
  }
  void new_line() { text_ += '\n' + std::string(2 * empty_.size(), ' '); }

  std::string text_;
  std::vector<bool> empty_;  ///< of each open bracket
  bool after_key_ = false;
};

}  // namespace glassworks::inline tools
