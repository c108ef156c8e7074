#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/visible_text.hpp"

// All that the program writes to its standard output and to stderr. Nothing here throws because of what happens to it:
// a run goes on when nobody reads it any more. finish_output says at the end that something was lost.

namespace glassworks { inline namespace tools {

enum class Channel { output, error };

/// A text that was composed, with its lines; other control characters are made visible.
void show(Channel channel, std::string_view text);
inline void show(std::string_view text) { show(Channel::output, text); }

/// A document that programs read and that has escapes of its own: as it is, unless it is a terminal that reads.
void show_document(std::string_view text);

/// A control sequence for a terminal.
void control_terminal(Channel channel, std::string_view sequence);

/// Thrown where there is nothing else to do than to write: by what would otherwise compute for nobody.
struct OutputLost {};

/// What was written so far goes out now. Whether all of it has, for those who write until they are stopped.
bool flush_output();

/// The end of the program: says on stderr if the standard output could not be written, unless who read it has closed
/// it.
///
/// status   of what the program did
/// returns  the exit status: 1 instead of 0 if something was lost
[[nodiscard]] int finish_output(int status);

namespace detail {

/// Texts among the arguments are names and messages, one line each.
template <class T>
decltype(auto) visible_argument(const T& argument) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return visible_line(std::string_view(argument));
  } else {
    return (argument);
  }
}
template <class T>
using VisibleArgument = std::remove_cvref_t<decltype(visible_argument(std::declval<const T&>()))>;
template <class... T>
using Format = fmt::format_string<const VisibleArgument<std::type_identity_t<T>>&...>;

template <class... T>
std::string format_shown(fmt::string_view format, const T&... arguments) {
  return fmt::vformat(format, fmt::make_format_args(arguments...));
}

}  // namespace detail

/// Like fmt::print. A text among the arguments is shown in one line, whatever it holds.
template <class... T>
void print(Channel channel, detail::Format<T...> format, const T&... arguments) {
  show(channel, detail::format_shown(format, detail::visible_argument(arguments)...));
}
template <class... T>
void print(detail::Format<T...> format, const T&... arguments) {
  show(Channel::output, detail::format_shown(format, detail::visible_argument(arguments)...));
}

}}  // namespace glassworks::tools
