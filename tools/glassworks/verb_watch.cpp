#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <exception>
#include <filesystem>
#include <optional>

#include "scheduler/campaign/process.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/live_page.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"
#include "tools/glassworks/watch_screen.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double usual_interval = 2.0, page_interval = 5.0;  ///< [s]
constexpr std::size_t hardest_shown = 3, hardest_on_page = 8;

/// SIGINT and SIGTERM are waited for instead of ending the program in the middle of a line.
class SignalWait {
 public:
  SignalWait() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals_, &before_);
  }
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;
  ~SignalWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  /// Whether one came within so many seconds.
  [[nodiscard]] bool came_within(double seconds) const {
    const double whole = std::floor(seconds);
    const timespec limit{static_cast<std::time_t>(whole), static_cast<long>(1e9 * (seconds - whole))};
    return sigtimedwait(&signals_, nullptr, &limit) > 0;
  }

 private:
  sigset_t signals_{}, before_{};
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

/// The page of --html, written at every look.
class PageFile {
 public:
  PageFile(const ParsedArguments& parsed, double interval)
      : parsed_(parsed), file_(parsed.options.at("html")), interval_(interval) {
    require_writable(parsed_, file_, "html");
  }

  void add(LiveLook look, double seconds) {
    history_.add(seconds, look.state.done(), look.rate);
    look_ = std::move(look);
  }

  /// The first time a file that exists is replaced only with --force, afterwards it is the page.
  void write(LiveCourse course) {
    if (!look_) return;
    const std::string page = live_page(*look_, history_, course, interval_);
    written_ ? write_output(file_, page, Existing::replace) : write_output(parsed_, file_, "html", page);
    written_ = true;
  }

  [[nodiscard]] std::string name() const { return file_.string(); }

 private:
  const ParsedArguments& parsed_;
  std::filesystem::path file_;
  double interval_;
  LiveHistory history_;
  std::optional<LiveLook> look_;
  bool written_ = false;
};

/// Looks at the campaign until it is finished, a signal comes, or nobody reads the lines. Returns the exit status.
///
/// page  null: only the screen
int watch_until_end(const ParsedArguments& parsed, double interval, PageFile* page) {
  const SignalWait signals;
  const bool terminal = output_can_be_redrawn(), lines = terminal || page == nullptr;
  Screen screen(terminal);
  CampaignView view(parsed.operand, page != nullptr ? LookDepth::figures : LookDepth::state);
  const Stopwatch watch;
  RateMeter meter;
  for (bool first = true;; first = false) {
    CampaignState state = view.look();
    meter.look(watch.total(), state.workers);
    const double rate = meter.updates_per_ns() > 0.0 ? meter.updates_per_ns() : state.updates_per_ns();
    const bool last = state.finished() || parsed.has("once");
    std::vector<std::string> shown = watch_lines(parsed.operand, state, view.hardest(hardest_shown), rate);
    if (page != nullptr) {
      page->add({parsed.operand, std::move(state), view.hardest(hardest_on_page), rate, now_ms()}, watch.total());
      page->write(last ? LiveCourse::ended : LiveCourse::goes_on);
      shown.push_back("Page: " + page->name());
    }
    if (lines && !screen.show_lines(shown) && page == nullptr) return 0;
    if (!lines && (first || last)) {
      print("{}\n",
            last ? shown.front()
                 : fmt::format("{}, written every {:g} s until the campaign is finished.", shown.back(), interval));
      flush_output();
    }
    if (last) return 0;
    if (signals.came_within(interval)) return status_signal;
  }
}

}  // namespace

const VerbSyntax& watch_syntax() {
  static const VerbSyntax syntax{
      .verb = "watch",
      .operand = "DIR",
      .meaning = "a campaign live, until it is finished",
      .options = {{"interval", "S", "time between two updates (2 s; with --html 5 s)"},
                  {"once", "", "one update only"},
                  {"html", "FILE", "also a page with figures, written again at every update"},
                  force_option()}};
  return syntax;
}

int watch_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(watch_syntax(), arguments);
  if (parsed.help) {
    show(watch_syntax().help());
    return 0;
  }
  const bool html = parsed.has("html");
  const double interval = parsed.has("interval") ? parse_duration("interval", parsed.options.at("interval"))
                          : html                 ? page_interval
                                                 : usual_interval;
  if (!html) return watch_until_end(parsed, interval, nullptr);
  PageFile page(parsed, interval);
  try {
    const int status = watch_until_end(parsed, interval, &page);
    if (status != 0) page.write(LiveCourse::stopped);
    return status;
  } catch (const std::exception&) {
    try {
      page.write(LiveCourse::stopped);  // a page must not go on alone
    } catch (const std::exception&) {   // the first one tells more
    }
    throw;
  }
}

}}  // namespace glassworks::tools
