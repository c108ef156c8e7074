#include "analysis/report/label.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include "analysis/report/safe_text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t deepest = 4;  ///< indices inside indices; what is deeper stays as it is written

enum class Kind { text, subscript, superscript, end };

struct Token {
  Kind kind;
  std::string text;        ///< of Kind::text
  Kind ends = Kind::text;  ///< of Kind::end: what it ends
  bool is_simple = true;   ///< of an index: letters and digits only
};

struct Brace {
  std::size_t open, close;  ///< positions of the braces
  Kind kind;                ///< text: no index
};

/// Pairs of braces; those without a partner are left out.
std::vector<Brace> pairs_of(std::string_view label) {
  std::vector<Brace> open, pairs;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '{') {
      const char before = i > 0 ? label[i - 1] : ' ';
      open.push_back({i, 0, before == '_' ? Kind::subscript : before == '^' ? Kind::superscript : Kind::text});
    } else if (label[i] == '}' && !open.empty()) {
      pairs.push_back({open.back().open, i, open.back().kind});
      open.pop_back();
    }
  }
  return pairs;
}

bool is_simple(std::string_view index) {
  return std::all_of(index.begin(), index.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0;
  });
}

std::vector<Token> tokens_of(std::string_view label) {
  std::vector<const Brace*> at(label.size(), nullptr);
  const std::vector<Brace> pairs = pairs_of(label);
  for (const Brace& pair : pairs) {
    if (pair.kind != Kind::text) at[pair.open] = at[pair.close] = &pair;
  }
  std::vector<Token> tokens;
  std::string text;
  std::size_t depth = 0, too_deep = 0;
  const auto flush = [&] {
    if (!text.empty()) tokens.push_back({Kind::text, text});
    text.clear();
  };
  for (std::size_t i = 0; i < label.size(); ++i) {
    const Brace* pair = at[i];
    if (pair == nullptr) {
      text += label[i];
    } else if (i == pair->open) {
      if (depth == deepest) {
        ++too_deep;
        text += label[i];
        continue;
      }
      ++depth;
      text.pop_back();  // _ or ^
      flush();
      tokens.push_back({pair->kind, {}, Kind::text, is_simple(label.substr(i + 1, pair->close - i - 1))});
    } else if (too_deep > 0) {
      --too_deep;
      text += label[i];
    } else {
      --depth;
      flush();
      tokens.push_back({Kind::end, {}, pair->kind, is_simple(label.substr(pair->open + 1, i - pair->open - 1))});
    }
  }
  flush();
  return tokens;
}

std::string one_line(std::string_view text) {
  std::string line = clean_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

std::string html_label(std::string_view label) {
  std::string html;
  for (const Token& token : tokens_of(one_line(label))) {
    switch (token.kind) {
      case Kind::text:
        html += html_text(token.text);
        break;
      case Kind::subscript:
        html += "<sub>";
        break;
      case Kind::superscript:
        html += "<sup>";
        break;
      case Kind::end:
        html += token.ends == Kind::subscript ? "</sub>" : "</sup>";
        break;
    }
  }
  return html;
}

std::string gnuplot_label(std::string_view label) {
  std::string text = "'";
  for (const Token& token : tokens_of(one_line(label))) {
    switch (token.kind) {
      case Kind::text:
        for (const char c : token.text) {
          if (c == '\'') {  // doubled quotes at the start of a string, or side by side, end it in gnuplot 5.4
            text += "’";
            continue;
          }
          // In a single-quoted string the backslash reaches the enhanced text, where it takes a character as it is.
          if (std::string_view("\\{}^_@&~").find(c) != std::string_view::npos) text += '\\';
          text += c;
        }
        break;
      case Kind::subscript:
        text += "_{";
        break;
      case Kind::superscript:
        text += "^{";
        break;
      case Kind::end:
        text += '}';
        break;
    }
  }
  return text + '\'';
}

std::string plain_label(std::string_view label) {
  std::string text;
  for (const Token& token : tokens_of(one_line(label))) {
    switch (token.kind) {
      case Kind::text:
        text += token.text;
        break;
      case Kind::subscript:
        text += token.is_simple ? "_" : "_(";
        break;
      case Kind::superscript:
        text += token.is_simple ? "^" : "^(";
        break;
      case Kind::end:
        if (!token.is_simple) text += ')';
        break;
    }
  }
  return text;
}

std::size_t label_length(std::string_view label) {
  const std::string plain = plain_label(label);
  return static_cast<std::size_t>(std::count_if(plain.begin(), plain.end(), begins_character));
}

std::string short_label(std::string_view label, std::size_t longest) {
  if (label_length(label) <= longest) return std::string(label);
  std::string plain = plain_label(label);
  std::size_t end = 0, characters = 0;
  while (end < plain.size() && (!begins_character(plain[end]) || ++characters < longest)) ++end;
  plain.resize(end);
  // What is left is no markup any more, though it may look like it.
  std::replace(plain.begin(), plain.end(), '{', '(');
  std::replace(plain.begin(), plain.end(), '}', ')');
  return plain + "…";
}

}}  // namespace glassworks::analysis
