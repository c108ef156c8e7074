#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glassworks { inline namespace engine {

/// Words of other programs and of the literature for something that has another name here.
struct ForeignWords {
  std::string_view
      subject;  ///< the key of which they are given as value; or foreign_key, foreign_course_key, foreign_verb
  std::string_view words;     ///< small letters, with | between them
  std::string_view sentence;  ///< what to write instead
};

inline constexpr std::string_view foreign_key = "key", foreign_verb = "verb";
inline constexpr std::string_view foreign_course_key = "course";  ///< of keys in [course], before those of foreign_key

/// All of them.
[[nodiscard]] std::span<const ForeignWords> all_foreign_words();

/// What to write instead of a word, as a sentence; empty if the word is not known. Capitals count as small letters;
/// hyphens, underscores and blanks between letters do not count. Of a key with a section only the last part counts.
[[nodiscard]] std::string_view instead_of(std::string_view subject, std::string_view word);

/// That sentence, or suggestion(word, candidates, otherwise, prefix); that too for a key that lacks its section alone.
[[nodiscard]] std::string advice_for(std::string_view subject, std::string_view word,
                                     std::span<const std::string_view> candidates, std::string_view otherwise,
                                     std::string_view prefix = "");

}}  // namespace glassworks::engine
