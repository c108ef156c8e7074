#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>

#include "scheduler/campaign/stopwatch.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"
#include "tools/glassworks/watch_screen.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double usual_interval = 2.0;  ///< [s]
constexpr std::size_t hardest_shown = 3;

/// SIGINT and SIGTERM are waited for instead of ending the program in the middle of a line.
class SignalWait {
 public:
  SignalWait() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// Whether one came within so many seconds.
  [[nodiscard]] bool came_within(double seconds) const {
    const double whole = std::floor(seconds);
    const timespec limit{static_cast<std::time_t>(whole), static_cast<long>(1e9 * (seconds - whole))};
    return sigtimedwait(&signals_, nullptr, &limit) > 0;
  }

 private:
  sigset_t signals_{};
};

/// Shows blocks of lines: each in the place of the one before on a terminal, one after the other elsewhere.
class Screen {
 public:
  explicit Screen(bool terminal) : terminal_(terminal) {}

  /// Whether they could be written.
  bool show_lines(const std::vector<std::string>& texts) {
    const TerminalSize size = terminal_ ? terminal_size() : TerminalSize{};
    std::vector<std::string> lines;
    for (const std::string& text : texts) {
      for (std::string& line : wrap(text, size.columns)) lines.push_back(std::move(line));
    }
    std::size_t count = lines.size();
    if (size.rows > 1) count = std::min(count, static_cast<std::size_t>(size.rows - 1));  // only these can be redrawn
    if (shown_ > 0) control_terminal(Channel::output, fmt::format("\x1b[{}A", shown_));
    for (std::size_t i = 0; i < count; ++i) {
      show(lines[i]);
      if (terminal_) control_terminal(Channel::output, clear_to_end_of_line);
      show("\n");
    }
    if (terminal_) {
      control_terminal(Channel::output, "\x1b[J");
      shown_ = count;
    } else {
      show("\n");
    }
    return flush_output();
  }

 private:
  const bool terminal_;
  std::size_t shown_ = 0;
};

}  // namespace

const VerbSyntax& watch_syntax() {
  static const VerbSyntax syntax{
      .verb = "watch",
      .operand = "DIR",
      .meaning = "a campaign live, until it is finished",
      .options = {{"interval", "S", "time between two updates (2 s)"}, {"once", "", "one update only"}}};
  return syntax;
}

int watch_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(watch_syntax(), arguments);
  if (parsed.help) {
    show(watch_syntax().help());
    return 0;
  }
  const double interval =
      parsed.has("interval") ? parse_duration("interval", parsed.options.at("interval")) : usual_interval;
  const SignalWait signals;
  Screen screen(isatty(STDOUT_FILENO) == 1);
  CampaignView view(parsed.operand);
  const Stopwatch watch;
  RateMeter meter;
  for (;;) {
    const CampaignState state = view.look();
    meter.look(watch.total(), state.workers);
    const double rate = meter.updates_per_ns() > 0.0 ? meter.updates_per_ns() : state.updates_per_ns();
    const bool seen = screen.show_lines(watch_lines(parsed.operand, state, view.hardest(hardest_shown), rate));
    if (!seen || state.finished() || parsed.has("once")) return 0;
    if (signals.came_within(interval)) return status_signal;
  }
}

}}  // namespace glassworks::tools
