#include "tools/tune/recommendation.hpp"

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace tools {
namespace {

class Choice {
 public:
  Choice(std::span<const ProtocolFigures> protocols, const TuneRule& rule) : protocols_(protocols), rule_(rule) {
    for (const ProtocolFigures& p : protocols) means_.push_back(mean_of(p.errors));
  }

  [[nodiscard]] Recommendation make() const {
    Recommendation result;
    const bool walks = protocols_[0].walk.has_value();
    if (walks && !long_enough(0)) {
      result.verdict = TuneVerdict::too_short;
      return result;
    }
    std::vector<std::size_t> eligible{0};
    for (std::size_t i = 1; i < protocols_.size(); ++i) {
      if (is_alike(i)) result.alike.push_back(i);
      if (!is_alike(i) && !is_worse(i)) result.unclear.push_back(i);
      if (is_eligible(i)) eligible.push_back(i);
    }
    std::erase_if(eligible, [this, best = best_of(eligible)](std::size_t i) {
      const LogRatio over = error(i, best);
      return over.value > std::max(rule_.sigmas * over.error, std::log(rule_.better_error));
    });
    const std::size_t candidate = fastest_of(eligible);
    const bool fewer_errors = is_gain(error(0, candidate), rule_.better_error);
    if (fewer_errors || (walks && is_gain(walk(0, candidate), rule_.better_walk))) {
      result.chosen = candidate;
      result.verdict = fewer_errors ? TuneVerdict::fewer_errors : TuneVerdict::faster_walk;
    }
    result.error = error(result.chosen, 0);
    if (walks) result.walk = walk(result.chosen, 0);
    return result;
  }

 private:
  [[nodiscard]] LogRatio error(std::size_t a, std::size_t b) const { return log_ratio(means_[a], means_[b]); }
  [[nodiscard]] LogRatio walk(std::size_t a, std::size_t b) const {
    return log_ratio(*protocols_[a].walk, *protocols_[b].walk);
  }
  [[nodiscard]] bool long_enough(std::size_t i) const {
    return protocols_[i].tau_resolved && protocols_[i].tau_in_run >= rule_.fewest_tau;
  }
  [[nodiscard]] bool is_alike(std::size_t i) const {
    const LogRatio ratio = error(i, 0);
    return ratio.value + rule_.sigmas * ratio.error <= std::log(rule_.worse_error);
  }
  [[nodiscard]] bool is_worse(std::size_t i) const {
    const LogRatio ratio = error(i, 0);
    return ratio.value > rule_.sigmas * ratio.error;
  }
  [[nodiscard]] bool is_eligible(std::size_t i) const {
    if (!is_alike(i)) return false;
    for (std::size_t o = 0; o < protocols_[i].errors.size(); ++o) {
      const LogRatio ratio = log_ratio(protocols_[i].errors[o], protocols_[0].errors[o]);
      if (ratio.value - rule_.sigmas * ratio.error > std::log(rule_.worse_error)) return false;
    }
    if (!protocols_[0].walk) return true;
    return long_enough(i) && walk(i, 0).value <= std::log(rule_.slower_walk);
  }
  [[nodiscard]] std::size_t best_of(const std::vector<std::size_t>& some) const {
    return *std::ranges::min_element(some, {}, [this](std::size_t i) { return means_[i].value; });
  }

  /// Of protocols whose errors agree; that of the smallest error where nothing walks.
  [[nodiscard]] std::size_t fastest_of(const std::vector<std::size_t>& alike) const {
    if (!protocols_[0].walk) return best_of(alike);
    return *std::ranges::min_element(alike, {}, [this](std::size_t i) { return protocols_[i].walk->value; });
  }
  [[nodiscard]] bool is_gain(const LogRatio& ratio, double least) const {
    return ratio.value > std::max(rule_.gain_sigmas * ratio.error, std::log(least));
  }

  std::span<const ProtocolFigures> protocols_;
  TuneRule rule_;
  std::vector<LogFigure> means_;  ///< of the errors [protocol]
};

}  // namespace

Recommendation recommend(std::span<const ProtocolFigures> protocols, const TuneRule& rule) {
  return Choice(protocols, rule).make();
}

}}  // namespace glassworks::tools
