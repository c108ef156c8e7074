#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/text.hpp"

// All output to stdout and stderr. Nothing here throws if a write fails: a run continues after its reader has closed
// the pipe. finish_output reports lost output at the end.

namespace glassworks { inline namespace tools {

enum class Channel { output, error };

/// A text that was composed, with its lines; other control characters are made visible.
void show(Channel channel, std::string_view text);
inline void show(std::string_view text) { show(Channel::output, text); }

/// A document that programs read and that has escapes of its own: unchanged, unless stdout is a terminal.
void show_document(std::string_view text);

/// A control sequence for a terminal.
void control_terminal(Channel channel, std::string_view sequence);

/// Thrown by commands whose only purpose is their output, to stop computing when it cannot be written.
struct OutputLost {};

/// Flushes stdout. Returns false if any output was lost, so that commands that write until they are stopped can end.
bool flush_output();

/// Call at the end of the program: reports on stderr that stdout could not be written, unless its reader has closed it.
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
