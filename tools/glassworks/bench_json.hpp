#pragma once

#include <cmath>
#include <concepts>
#include <cstdio>
#include <string>
#include <vector>

namespace glassworks {

/// Writes one JSON document, two spaces per level. Commas and line breaks are its own business.
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

  [[nodiscard]] static std::string quoted(const std::string& s) {
    std::string out = "\"";
    for (const char c : s) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char buffer[8];
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += buffer;
      } else {
        out += c;
      }
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

}  // namespace glassworks
