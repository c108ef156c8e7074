#include <cmath>
#include <stdexcept>

#include "tools/bench/plain_loops.hpp"
#include "tools/bench/plain_sites.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int z = PlainSites::z;

class PlainIsing final : public PlainLoop {
 public:
  using Fate = int;
  using Old = int;

  PlainIsing(const Lattice& lattice, const Disorder& disorder, double beta, std::uint64_t seed)
      : sites_(lattice, disorder, seed),
        sign_(sites_.coupling.begin(), sites_.coupling.end()),
        field_(disorder.fields.begin(), disorder.fields.end()),
        minus_two_beta_(-2.0 * beta),
        joins_(1.0 - std::exp(-2.0 * beta)) {
    for (int i = 0; i < sites_.n; ++i) spin_.push_back(2 * sites_.random.below(2) - 1);
    for (int h = -z; h <= z; ++h) {
      up_[h + z] = 1.0 / (1.0 + std::exp(-2.0 * beta * h));
      flips_[h + z] = std::exp(-2.0 * beta * h);
    }
  }

  void update(PlainUpdate update) override {
    if (update == PlainUpdate::swendsen_wang) return plain_swendsen_wang(*this, sites_);
    if (update == PlainUpdate::wolff) return plain_wolff(*this, sites_);
    if (!sites_.whole || !field_.empty()) {
      sweep([this](int i) { return real_field(i); },
            [this](int, double h) {
              return sites_.random.uniform() * (1.0 + std::exp(minus_two_beta_ * h)) < 1.0 ? 1 : -1;
            });
    } else if (sites_.uniform) {
      sweep_whole(update, [this](int i) { return sum_of_spins(i); });
    } else {
      sweep_whole(update, [this](int i) { return whole_field(i); });
    }
  }

  [[nodiscard]] double energy() const override {
    double sum = 0.0;
    for (int i = 0; i < sites_.n; ++i) {
      const double own = field_.empty() ? 0.0 : field_[static_cast<std::size_t>(i)];
      sum -= spin_[static_cast<std::size_t>(i)] * (0.5 * (real_field(i) - own) + own);
    }
    return sum / sites_.n;
  }

  bool active(int i, int j) {
    return spin_[static_cast<std::size_t>(i)] == spin_[static_cast<std::size_t>(j)] && sites_.random.uniform() < joins_;
  }
  bool joins(int old, int j) { return spin_[static_cast<std::size_t>(j)] == old && sites_.random.uniform() < joins_; }
  Fate draw() { return 2 * sites_.random.below(2) - 1; }
  static Fate seed(int) { return -1; }
  [[nodiscard]] Old old(int i) const { return spin_[static_cast<std::size_t>(i)]; }
  void move(int i, Fate fate) { spin_[static_cast<std::size_t>(i)] *= fate; }

 private:
  template <class Field, class Rule>
  void sweep(const Field& field, const Rule& rule) {
    for (int i = 0; i < sites_.n; ++i) spin_[static_cast<std::size_t>(i)] = rule(i, field(i));
  }
  template <class Field>
  void sweep_whole(PlainUpdate update, const Field& field) {
    if (update == PlainUpdate::heat_bath) {
      sweep(field, [this](int, int h) { return sites_.random.uniform() < up_[h + z] ? 1 : -1; });
    } else {
      sweep(field, [this](int i, int h) {
        const int s = spin_[static_cast<std::size_t>(i)], sh = s * h;
        return sh <= 0 || sites_.random.uniform() < flips_[sh + z] ? -s : s;
      });
    }
  }
  [[nodiscard]] int sum_of_spins(int i) const {
    const int* const j = sites_.neighbour.data() + std::size_t{z} * static_cast<std::size_t>(i);
    int h = 0;
    for (int k = 0; k < z; ++k) h += spin_[static_cast<std::size_t>(j[k])];
    return h;
  }
  [[nodiscard]] int whole_field(int i) const {
    const std::size_t first = std::size_t{z} * static_cast<std::size_t>(i);
    const int *const j = sites_.neighbour.data() + first, *const J = sign_.data() + first;
    int h = 0;
    for (int k = 0; k < z; ++k) h += J[k] * spin_[static_cast<std::size_t>(j[k])];
    return h;
  }
  [[nodiscard]] double real_field(int i) const {
    const std::size_t first = std::size_t{z} * static_cast<std::size_t>(i);
    const int* const j = sites_.neighbour.data() + first;
    const double* const J = sites_.coupling.data() + first;
    double h = field_.empty() ? 0.0 : field_[static_cast<std::size_t>(i)];
    for (int k = 0; k < z; ++k) h += J[k] * spin_[static_cast<std::size_t>(j[k])];
    return h;
  }

  PlainSites sites_;
  std::vector<int> sign_;  ///< J where all are +-1 [site][z]
  std::vector<double> field_;
  double minus_two_beta_, joins_;
  std::vector<int> spin_;
  double up_[2 * z + 1], flips_[2 * z + 1];
};

class PlainPotts final : public PlainLoop {
 public:
  using Fate = int;
  using Old = int;

  PlainPotts(int q, const Lattice& lattice, const Disorder& disorder, double beta, std::uint64_t seed)
      : sites_(lattice, disorder, seed), q_(q), joins_(1.0 - std::exp(-beta)) {
    for (int i = 0; i < sites_.n; ++i) state_.push_back(sites_.random.below(q));
    for (int n = 0; n <= z; ++n) weight_[n] = std::exp(beta * n);
  }

  void update(PlainUpdate update) override {
    if (update == PlainUpdate::swendsen_wang) return plain_swendsen_wang(*this, sites_);
    if (update == PlainUpdate::wolff) return plain_wolff(*this, sites_);
    for (int i = 0; i < sites_.n; ++i) state_[static_cast<std::size_t>(i)] = heat_bath(i);
  }

  [[nodiscard]] double energy() const override {
    int equal = 0;
    for (int i = 0; i < sites_.n; ++i) {
      for (int k = 0; k < z; k += 2) equal += state(i) == state(neighbours(i)[k]) ? 1 : 0;
    }
    return -static_cast<double>(equal) / sites_.n;
  }

  bool active(int i, int j) { return state(i) == state(j) && sites_.random.uniform() < joins_; }
  bool joins(int old, int j) { return state(j) == old && sites_.random.uniform() < joins_; }
  Fate draw() { return sites_.random.below(q_); }
  Fate seed(int i) { return (state(i) + 1 + sites_.random.below(q_ - 1)) % q_; }
  [[nodiscard]] Old old(int i) const { return state(i); }
  void move(int i, Fate fate) { state_[static_cast<std::size_t>(i)] = fate; }

 private:
  [[nodiscard]] int state(int i) const { return state_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const int* neighbours(int i) const {
    return sites_.neighbour.data() + std::size_t{z} * static_cast<std::size_t>(i);
  }

  int heat_bath(int i) {
    const int* const j = neighbours(i);
    int count[20] = {};
    for (int k = 0; k < z; ++k) ++count[state(j[k])];
    double total = 0.0, sum[20];
    for (int k = 0; k < q_; ++k) sum[k] = total += weight_[count[k]];
    const double target = sites_.random.uniform() * total;
    int k = 0;
    while (k + 1 < q_ && sum[k] <= target) ++k;
    return k;
  }

  PlainSites sites_;
  int q_;
  double joins_;
  std::vector<int> state_;
  double weight_[z + 1];
};

}  // namespace

std::unique_ptr<PlainLoop> make_plain_discrete(const SpinModel& model, const Lattice& lattice, const Disorder& disorder,
                                               double beta, std::uint64_t seed) {
  if (model.kind == ModelKind::ising) return std::make_unique<PlainIsing>(lattice, disorder, beta, seed);
  if (model.kind == ModelKind::potts) return std::make_unique<PlainPotts>(model.states, lattice, disorder, beta, seed);
  throw std::logic_error("make_plain_discrete: there is no plain loop for this model");
}

}}  // namespace glassworks::tools
