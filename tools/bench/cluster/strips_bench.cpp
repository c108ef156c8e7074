#include "tools/bench/cluster/strips_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/strips/strip_updates.hpp"
#include "tools/bench/cluster/json_line.hpp"

namespace glassworks { inline namespace tools { namespace bench {
namespace {

/// All numbers, by their options.
struct StripsOptions {
  double L = 16384, devices = 1;
  double strips = 0;      ///< 0: as few as there may be
  double q = 2;           ///< 2: ising; 3 to 20: potts
  double beta_ratio = 1;  ///< beta / beta_c
  double seed = 1;        ///< campaign.seed
  double ordered = 0;     ///< 1: all spins equal at first, 0: random
  double warm_up = 50;    ///< updates before
  double timed = 20;      ///< updates whose time is taken, without measurements
  double measurements = 100;
  double every = 1;  ///< updates before a measurement
};

struct StripsOption {
  std::string_view name;
  double StripsOptions::*value;
  double least, most;
};
/// In full: --L 65536 --devices 2 --strips 0 --q 2 --beta-ratio 1 --seed 1 --ordered 0 --warm-up 50 --timed 20
/// --measurements 100 --every 1.
constexpr StripsOption options_of_strips[] = {{"L", &StripsOptions::L, 32, 1 << 20},
                                              {"devices", &StripsOptions::devices, 1, 64},
                                              {"strips", &StripsOptions::strips, 0, 1024},
                                              {"q", &StripsOptions::q, 2, 20},
                                              {"beta-ratio", &StripsOptions::beta_ratio, 0, 100},
                                              {"seed", &StripsOptions::seed, 0, 0x1p53},
                                              {"ordered", &StripsOptions::ordered, 0, 1},
                                              {"warm-up", &StripsOptions::warm_up, 0, 1e9},
                                              {"timed", &StripsOptions::timed, 0, 1e9},
                                              {"measurements", &StripsOptions::measurements, 0, 1e9},
                                              {"every", &StripsOptions::every, 1, 1e9}};

StripsOptions read_options(std::span<const std::string_view> words) {
  StripsOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto* const option =
        std::find_if(std::begin(options_of_strips), std::end(options_of_strips),
                     [&](const StripsOption& o) { return words[i].starts_with("--") && words[i].substr(2) == o.name; });
    if (option == std::end(options_of_strips)) {
      std::string names;
      for (const StripsOption& o : options_of_strips) names += fmt::format("{}--{}", names.empty() ? "" : ", ", o.name);
      throw std::runtime_error(fmt::format("{} is no option of strips (it has {}). Use one of them.", words[i], names));
    }
    const std::string_view text = i + 1 < words.size() ? words[i + 1] : std::string_view{};
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(value >= option->least && value <= option->most)) {
      throw std::runtime_error(
          fmt::format("--{} \"{}\" cannot be used (it is a number from {} to {}). Give such a number.", option->name,
                      text, option->least, option->most));
    }
    options.*(option->value) = value;
  }
  return options;
}

double arithmetic_geometric_mean(double a, double b) {
  while (std::fabs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return a;
}

/// Energy per site of the infinite lattice: Onsager's of ising; of potts at beta_c for q <= 4, where both phases have
/// it; NaN where there is no formula.
double exact_energy(int q, double beta, double beta_ratio) {
  if (q == 2) {
    const double t = 2.0 * std::pow(std::tanh(2.0 * beta), 2) - 1.0;
    const double term = std::fabs(t) < 1e-12 ? 0.0 : t / arithmetic_geometric_mean(1.0, std::fabs(t));
    return -(1.0 + term) / std::tanh(2.0 * beta);
  }
  return q <= 4 && beta_ratio == 1.0 ? -1.0 - 1.0 / std::sqrt(q) : std::nan("");
}

/// Mean and its error from up to ten bins of values in a row.
struct BinnedMean {
  double mean = 0.0, error = 0.0;

  explicit BinnedMean(const std::vector<double>& values) {
    const std::size_t bins = std::min<std::size_t>(10, values.size());
    if (bins == 0) return;
    mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0.0;
    for (std::size_t b = 0; b < bins; ++b) {
      const auto place = [&](std::size_t n) {
        return values.begin() + static_cast<std::ptrdiff_t>(n * values.size() / bins);
      };
      const double of_bin = std::accumulate(place(b), place(b + 1), 0.0) / static_cast<double>(place(b + 1) - place(b));
      squares += (of_bin - mean) * (of_bin - mean);
    }
    if (bins > 1) error = std::sqrt(squares / static_cast<double>(bins * (bins - 1)));
  }
};

class StripsBench {
 public:
  explicit StripsBench(const StripsOptions& options)
      : options_(options), q_(static_cast<int>(options.q)), sites_(options.L * options.L) {
    const bool ising = q_ == 2;
    beta_ = options.beta_ratio * (ising ? 0.5 : 1.0) * std::log(1.0 + std::sqrt(options.q));
    chain_.model = {ising ? ModelKind::ising : ModelKind::potts, q_};
    chain_.lattice = {2, static_cast<int>(options.L)};
    chain_.beta = static_cast<float>(beta_);
    chain_.key = lattice_key(static_cast<std::uint64_t>(options.seed), chain_.lattice);
    std::vector<int> devices(static_cast<std::size_t>(options.devices));
    std::iota(devices.begin(), devices.end(), 0);
    strips_ = make_strip_updates(chain_, devices, static_cast<int>(options.strips));
  }

  void print_plan() const {
    JsonWriter json = begun();
    const std::span<const double> bytes = strips_->bytes();
    const double all_bytes = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    json.field("strips", strips_->strips().size()).field("rows", strips_->strips().front().rows);
    json.field("GB_of_largest_device", rounded(1e-9 * *std::max_element(bytes.begin(), bytes.end()), 3));
    json.field("bytes_per_site", rounded(all_bytes / sites_, 3)).end_object();
    print_line(json);
  }

  void print_time() {
    strips_->start(options_.ordered != 0.0 ? StripStart::ordered : StripStart::random);
    update(options_.warm_up);
    strips_->wait();
    if (options_.timed < 1.0) return;
    const auto begin = std::chrono::steady_clock::now();
    update(options_.timed);
    strips_->wait();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    JsonWriter json = begun();
    json.field("updates", sweep_).field("ms_per_update", rounded(1e3 * seconds / options_.timed, 4));
    json.field("ps_per_spin", rounded(1e12 * seconds / options_.timed / sites_, 3)).end_object();
    print_line(json);
  }

  void print_averages() {
    std::vector<double> energy, m2;
    StripSums sums = strips_->sums();
    for (double m = 0; m < options_.measurements; ++m) {
      update(options_.every);
      sums = strips_->sums();
      energy.push_back(energy_of(sums) / sites_);
      m2.push_back(square_of_order(sums));
    }
    const BinnedMean e(energy), m(m2);
    JsonWriter json = begun();
    json.field("updates", sweep_).field("measurements", energy.size());
    json.field("energy", rounded(e.mean, 9)).field("energy_error", rounded(e.error, 9));
    const double exact = exact_energy(q_, beta_, options_.beta_ratio);
    if (!std::isnan(exact)) json.field("energy_of_infinite_lattice", rounded(exact, 9));
    json.field("m2", rounded(m.mean, 9)).field("m2_error", rounded(m.error, 9));
    json.field("digest", fmt::format("{:016x}", sums.digest)).end_object();
    print_line(json);
  }

 private:
  [[nodiscard]] JsonWriter begun() const {
    JsonWriter json;
    json.begin_object().field("model", q_ == 2 ? "ising, strips" : fmt::format("potts, q = {}, strips", q_));
    json.field("L", chain_.lattice.L).field("devices", strips_->bytes().size()).field("beta", rounded(beta_, 8));
    return json;
  }
  void update(double count) {
    for (double i = 0; i < count; ++i) strips_->enqueue(sweep_++);
  }
  /// E of the lattice, which is periodic: 2 N bonds.
  [[nodiscard]] double energy_of(const StripSums& sums) const {
    const auto satisfied = static_cast<double>(sums.satisfied);
    return q_ == 2 ? 2.0 * sites_ - 2.0 * satisfied : -satisfied;
  }
  /// (q sum rho^2 - 1)/(q - 1), of ising m^2.
  [[nodiscard]] double square_of_order(const StripSums& sums) const {
    double squares = 0.0;
    for (const std::uint64_t n : sums.states) squares += std::pow(static_cast<double>(n) / sites_, 2);
    return (q_ * squares - 1.0) / (q_ - 1);
  }

  StripsOptions options_;
  int q_;
  double sites_, beta_ = 0.0;
  StripChain chain_;
  std::uint64_t sweep_ = 0;
  std::unique_ptr<StripUpdates> strips_;
};

}  // namespace

void run_strips(std::span<const std::string_view> words) {
  StripsBench bench(read_options(words));
  bench.print_plan();
  bench.print_time();
  bench.print_averages();
}

}}}  // namespace glassworks::tools::bench
