#include "tools/glassworks/live_page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "analysis/campaign/system_words.hpp"
#include "analysis/report/assets.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/palette.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/report/svg_figure.hpp"
#include "base/text.hpp"
#include "scheduler/campaign/status_words.hpp"

namespace glassworks { inline namespace tools {
namespace {

using S = RealizationStatus;

/// Loads the page anew while somebody looks at it, keeps the place on it, and says when nobody writes it any more.
constexpr const char* script = R"(
const made = document.body.dataset.made * 1, every = document.body.dataset.every * 1000;
for (const time of document.querySelectorAll("time")) time.textContent = new Date(made).toLocaleString();
if (every > 0) setInterval(() => {
  const age = Date.now() - made, old = document.getElementById("old");
  old.hidden = age < Math.max(60000, 5 * every);
  old.querySelector("span").textContent = Math.round(age / 60000);
  if (!document.hidden) location.reload();
}, every);
)";

std::string utc(std::int64_t ms) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(ms / 1000)));
}

std::string paragraph(const std::string& text, const char* kind = "") {
  return fmt::format("<p{}>{}</p>\n", *kind == '\0' ? "" : fmt::format(" class=\"{}\"", kind), html_text(text));
}

/// A part of a bar: its class on the page, and how much of the whole it is.
struct BarPart {
  const char* kind;
  double part;
};

std::string bar_of(std::initializer_list<BarPart> parts, const std::string& words) {
  std::string html = fmt::format("<div class=\"bar\" role=\"img\" aria-label=\"{}\">", html_text(words));
  for (const auto& [kind, part] : parts) {
    if (part > 0.0) html += fmt::format("<span class=\"{}\" style=\"width:{:.3f}%\"></span>", kind, 100.0 * part);
  }
  return html + "</div>\n";
}

/// Cells of a row of a table; `text` columns stand left.
std::string row_of(const std::vector<std::string>& cells, const char* tag, std::size_t text) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += fmt::format("<{0}{1}>{2}</{0}>", tag, i < text ? " class=\"t\"" : "", html_text(cells[i]));
  }
  return html + "</tr>\n";
}

std::string table_of(const std::vector<std::vector<std::string>>& rows, std::size_t text) {
  std::string html = "<div class=\"scroll\"><table>\n<thead>" + row_of(rows.front(), "th", text) + "</thead>\n<tbody>";
  for (std::size_t i = 1; i < rows.size(); ++i) html += row_of(rows[i], "td", text);
  return html + "</tbody></table></div>\n";
}

/// The page in the order in which it is read.
class Page {
 public:
  Page(const LiveLook& look, LiveCourse course, double interval)
      : look_(look), state_(look.state), course_(course), every_(std::max(1.0, std::ceil(interval))) {}

  std::string text(const LiveHistory& history) {
    head();
    state();
    sizes();
    figures(history);
    hardest();
    workers();
    footer();
    return html_ + "</main>\n<script>" + script + "</script>\n</body>\n</html>\n";
  }

 private:
  [[nodiscard]] bool goes_on() const { return course_ == LiveCourse::goes_on; }
  [[nodiscard]] const char* done_word() const { return state_.has_course() ? "complete" : "converged"; }

  void head() {
    html_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Glassworks\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n";
    if (goes_on()) {
      html_ += fmt::format("<noscript><meta http-equiv=\"refresh\" content=\"{:.0f}\"></noscript>\n", every_);
    }
    html_ += fmt::format("<title>{:.0f} % of {}</title>\n<style>\n{}{}</style>\n</head>\n", percent(),
                         html_text(look_.directory), palette_style(), live_style());
    html_ +=
        fmt::format("<body data-made=\"{}\" data-every=\"{:.0f}\">\n<main>\n", look_.time_ms, goes_on() ? every_ : 0.0);
    html_ += "<header>\n<h1>" + html_text(look_.directory) + "</h1>\n<p class=\"headline\">" +
             html_label(system_words(state_.config)) + "</p>\n</header>\n";
  }

  [[nodiscard]] double percent() const { return std::floor(100.0 * state_.done()); }

  [[nodiscard]] std::string headline() const {
    if (state_.finished()) {
      return state_.has_course() && state_.count(S::converged) == state_.realizations() ? "The campaign is complete."
                                                                                        : "The campaign is finished.";
    }
    if (state_.alive() == 0) return "No process works on the campaign: `glassworks run` continues it.";
    if (look_.rate <= 0.0) return "The campaign runs; its rate is not known yet.";
    return fmt::format("The campaign runs, {} {} left.", estimate_word(state_.remaining_is_least()),
                       duration_text(state_.remaining_seconds(look_.rate)));
  }

  void state() {
    const bool warn = course_ == LiveCourse::stopped || (!state_.finished() && state_.alive() == 0);
    html_ += fmt::format("<section class=\"state{}\">\n", warn ? " warn" : "");
    html_ += paragraph(headline());
    if (course_ == LiveCourse::stopped) {
      html_ += paragraph("`glassworks watch` was stopped: this page shows its last look.");
    }
    html_ += bar_of({{"done", state_.done()}}, fmt::format("{:.0f} % finished", percent()));
    std::string numbers = fmt::format("{:.0f} %: {} of {} realizations {}", percent(), state_.count(S::converged),
                                      state_.realizations(), done_word());
    for (const S status : {S::failed, S::quarantined}) {
      if (state_.count(status) > 0) numbers += fmt::format(", {} {}", state_.count(status), to_string(status));
    }
    if (!state_.finished() && look_.rate > 0.0) numbers += fmt::format("; {} updates/ns", three_digits(look_.rate));
    if (state_.alive() > 0) {
      numbers += fmt::format("; {} {}", state_.alive(), state_.alive() == 1 ? "process" : "processes");
    }
    html_ += paragraph(numbers + '.');
    if (state_.copy) html_ += paragraph(state_.copy->text(), "quiet");
    html_ += fmt::format("<p class=\"quiet\">Written <time>{}</time>{}.</p>\n", utc(look_.time_ms),
                         goes_on() ? fmt::format(", renewed every {:.0f} s", every_) : "");
    html_ +=
        "<p id=\"old\" hidden>This page is <span></span> min old by the clock of this device: nobody may be writing it "
        "any more.</p>\n</section>\n";
  }

  void course_size(const SizeState& size, const CourseState& course) {
    html_ += bar_of({{"done", course.sweeps > 0.0 ? course.swept / course.sweeps : 0.0}},
                    fmt::format("{:.0f} of {:.0f} sweeps", course.swept, course.sweeps));
    html_ +=
        paragraph(fmt::format("t = {:.0f} reached by half of the realizations, {:.0f} by the last one, of {}; {:.3g} "
                              "spin updates",
                              course.reached.median, course.reached.least, course.end, size.updates),
                  "quiet");
  }

  void equilibrium_size(const SizeState& size) {
    const auto part = [&](S status) {
      return static_cast<double>(size.count(status)) /
             static_cast<double>(std::max<std::uint64_t>(1, size.realizations));
    };
    std::string words;
    for (const S status : {S::converged, S::failed, S::quarantined, S::producing, S::equilibrating, S::queued}) {
      if (size.count(status) == 0) continue;
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", size.count(status), to_string(status));
    }
    html_ += bar_of({{"done", part(S::converged)},
                     {"failed", part(S::failed)},
                     {"lost", part(S::quarantined)},
                     {"making", part(S::producing)},
                     {"begun", part(S::equilibrating)}},
                    words);
    if (size.adapting) {
      words = fmt::format("ladder: {} of {} stages", size.ladder_stages, state_.ladder_stages_wanted);
    }
    if (size.remaining_rounds > 0.0 && !size.adapting) {
      words += fmt::format("; {} {:.0f} rounds left", estimate_word(size.remaining_is_least), size.remaining_rounds);
    }
    html_ += paragraph(words, "quiet");
    std::string more = fmt::format("{} rounds, {} round trips", size.rounds, size.round_trips);
    if (size.judged > 0) {
      more += fmt::format(", tau {:.3g} (median) to {:.3g} measurements", size.tau.median, size.tau.largest);
    }
    if (size.acceptance) {
      more += fmt::format(", acceptance {:.2f} (T = {:.5g}) to {:.2f}", size.acceptance->smallest,
                          size.acceptance->T_of_smallest, size.acceptance->largest);
    }
    html_ += paragraph(more, "quiet");
  }

  void sizes() {
    html_ += "<section aria-labelledby=\"sizes\">\n<h2 id=\"sizes\">Sizes</h2>\n<div class=\"sizes\">\n";
    for (const SizeState& size : state_.sizes) {
      html_ += fmt::format("<div class=\"size\">\n<h3>L = {} <span>{} of {} {}</span></h3>\n", size.L,
                           size.count(S::converged), size.realizations, done_word());
      size.course ? course_size(size, *size.course) : equilibrium_size(size);
      html_ += "</div>\n";
    }
    html_ += "</div>\n";
    if (!state_.has_course()) {
      html_ +=
          "<ul class=\"key\"><li><i class=\"done\"></i>converged</li><li><i class=\"making\"></i>producing</li><li><i "
          "class=\"begun\"></i>equilibrating</li><li><i></i>queued</li><li><i class=\"failed\"></i>failed</li><li><i "
          "class=\"lost\"></i>quarantined</li></ul>\n";
    }
    html_ += "</section>\n";
  }

  void figures(const LiveHistory& history) {
    std::vector<Figure> all = live_figures(state_);
    for (Figure& figure : history.figures()) all.push_back(std::move(figure));
    if (all.empty()) return;
    html_ += "<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n<div class=\"figures\">\n";
    for (const Figure& figure : all) html_ += svg_figure(figure);
    html_ += "</div>\n</section>\n";
  }

  void hardest() {
    if (look_.hardest.empty() || state_.has_course()) return;  // on a course all are equally long
    std::vector<std::vector<std::string>> rows{{"L", "realization", "rounds", "expected", "tau", "round trips"}};
    for (const RealizationRow& row : look_.hardest) {
      rows.push_back({std::to_string(row.key.L), std::to_string(row.key.realization), std::to_string(row.rounds),
                      std::to_string(std::max(row.judgement.expected_rounds, row.rounds)),
                      fmt::format("{:.3g}", row.judgement.tau), std::to_string(row.round_trips)});
    }
    html_ += "<section aria-labelledby=\"hardest\">\n<h2 id=\"hardest\">Hardest realizations</h2>\n" +
             table_of(rows, 0) + "</section>\n";
  }

  void workers() {
    if (state_.workers.empty()) return;
    std::vector<std::vector<std::string>> rows{
        {"host", "backend", "state", "process", "last heartbeat", "rounds", "time", "updates/ns"}};
    for (const WorkerState& worker : state_.workers) {
      rows.push_back({worker.row.host, worker.row.backend, to_string(worker.signs), std::to_string(worker.row.pid),
                      duration_text(worker.silent_seconds) + " ago", std::to_string(worker.row.rounds),
                      duration_text(worker.seconds), three_digits(worker.updates_per_ns)});
    }
    html_ +=
        "<section aria-labelledby=\"workers\">\n<h2 id=\"workers\">Workers</h2>\n" + table_of(rows, 3) + "</section>\n";
  }

  void footer() {
    html_ += "<footer>\n";
    for (const std::string& amendment : state_.amendments) html_ += paragraph("Raised: " + amendment);
    html_ +=
        paragraph(fmt::format("`glassworks watch`; `glassworks why {0}` explains the hardest realization, `glassworks "
                              "report {0}` has the whole analysis.",
                              look_.directory)) +
        "</footer>\n";
  }

  const LiveLook& look_;
  const CampaignState& state_;
  LiveCourse course_;
  double every_;
  std::string html_;
};

}  // namespace

std::string live_page(const LiveLook& look, const LiveHistory& history, LiveCourse course, double interval) {
  return Page(look, course, interval).text(history);
}

}}  // namespace glassworks::tools
