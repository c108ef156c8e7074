#include <gtest/gtest.h>

#include "kernels/models/unit_vectors.hpp"
#include "tests/kernels/support.hpp"

/// Tiles that repeat their sweeps (Protocol::tile_repeats), against a loop that shares nothing with the backends but
/// the formulas of a site.
namespace glassworks { namespace {

/// A Heisenberg model in d = 2 at one temperature, site after site: order of updates and addresses of random numbers as
/// kernels/README.md has them.
class PlainTiles {
 public:
  PlainTiles(const Chain& chain, const Disorder& disorder, std::uint32_t realization)
      : chain_(chain), disorder_(disorder), realization_(realization) {}

  void step(ChainState& state, int replica) {
    const Protocol& p = chain_.protocol;
    const int edge = p.tile, tiles = chain_.lattice.L / edge;
    for (int t = 0; t < p.sweeps_per_exchange; ++t) {
      const std::uint64_t repetition =
          state.steps * static_cast<std::uint64_t>(p.sweeps_per_exchange) + static_cast<std::uint64_t>(t);
      for (int colour = 0; colour < 2; ++colour) {
        for (int Y = 0; Y < tiles; ++Y) {
          for (int X = 0; X < tiles; ++X) {
            if ((X + Y) % 2 == colour) tile(state, replica, X * edge, Y * edge, repetition);
          }
        }
      }
    }
  }

 private:
  void tile(ChainState& state, int replica, int x0, int y0, std::uint64_t repetition) {
    const Protocol& p = chain_.protocol;
    for (int u = 0; u < p.tile_repeats; ++u) {
      const std::uint64_t list =
          repetition * static_cast<std::uint64_t>(p.tile_repeats) + static_cast<std::uint64_t>(u);
      for (int m = 0; m < p.overrelaxation; ++m) sweep(state, replica, x0, y0, nullptr);
      for (int b = 0; b < p.heatbath; ++b) {
        const std::uint64_t n = list * static_cast<std::uint64_t>(p.heatbath) + static_cast<std::uint64_t>(b);
        sweep(state, replica, x0, y0, &n);
      }
    }
  }
  /// number: of the heat-bath sweep; null: over-relaxation
  void sweep(ChainState& state, int replica, int x0, int y0, const std::uint64_t* number) {
    const int L = chain_.lattice.L, edge = chain_.protocol.tile;
    for (int parity = 0; parity < 2; ++parity) {
      for (int y = y0; y < y0 + edge; ++y) {
        for (int x = x0; x < x0 + edge; ++x) {
          if ((x + y) % 2 != parity) continue;
          const test::Vector h = local_field(state, replica, x, y), s = spin(state, replica, x, y);
          if (number == nullptr) {
            set(state, replica, x, y, exact::over_relax(s, h));
            continue;
          }
          const auto cell = static_cast<std::uint32_t>(x / 2 + (L + 1) / 2 * (y / 2));
          const RandomBlock words =
              random_block(chain_.key, Stream::heat_bath, realization_, static_cast<std::uint32_t>(replica),
                           2 * *number + static_cast<std::uint64_t>(parity), cell);
          const int member = y % 2;
          set(state, replica, x, y,
              exact::local_update(s, h, temperature_, *number, words.word[2 * member], words.word[2 * member + 1]));
        }
      }
    }
  }
  test::Vector local_field(const ChainState& state, int replica, int x, int y) const {
    const int L = chain_.lattice.L;
    const auto J = [&](int i, int k, int axis) {
      return disorder_.couplings[static_cast<std::size_t>(2 * (i + L * k) + axis)];
    };
    const int east = (x + 1) % L, west = (x + L - 1) % L, north = (y + 1) % L, south = (y + L - 1) % L;
    test::Vector h;
    for (int c = 0; c < 3; ++c) h.c[c] = disorder_.fields[static_cast<std::size_t>(3 * (x + L * y) + c)];
    h = exact::add_bond(h, J(x, y, 0), spin(state, replica, east, y));
    h = exact::add_bond(h, J(west, y, 0), spin(state, replica, west, y));
    h = exact::add_bond(h, J(x, y, 1), spin(state, replica, x, north));
    return exact::add_bond(h, J(x, south, 1), spin(state, replica, x, south));
  }
  [[nodiscard]] std::size_t place(int replica, int c, int x, int y) const {
    const int L = chain_.lattice.L;
    return static_cast<std::size_t>((replica * 3 + c) * L * L + x + L * y);
  }
  [[nodiscard]] test::Vector spin(const ChainState& state, int replica, int x, int y) const {
    test::Vector s;
    for (int c = 0; c < 3; ++c) s.c[c] = state.spins[place(replica, c, x, y)];
    return s;
  }
  void set(ChainState& state, int replica, int x, int y, const test::Vector& s) const {
    for (int c = 0; c < 3; ++c) state.spins[place(replica, c, x, y)] = s.c[c];
  }

  const Chain& chain_;
  const Disorder& disorder_;
  std::uint32_t realization_;
  exact::HeatBathTemperature<float> temperature_{-2.0F * chain_.beta.front(), -1.0F / chain_.beta.front()};
};

TEST(TileRepeats, AreThoseOfAPlainLoop) {
  constexpr std::uint32_t realization = 7;
  const Protocol protocol{.overrelaxation = 2,
                          .heatbath = 2,
                          .sweeps_per_exchange = 2,
                          .exchanges_per_measurement = 3,
                          .tile = 2,
                          .tile_repeats = 3};
  const Chain chain = test::make_chain({2, 8}, 2, {1.4F}, protocol, 1);
  const Disorder disorder = test::gaussian_disorder(chain.lattice, 5, 0.3);
  ChainState expected = initial_state(chain, realization);
  PlainTiles plain(chain, disorder, realization);
  for (int step = 0; step < 3; ++step, ++expected.steps) {
    for (int replica = 0; replica < 2; ++replica) plain.step(expected, replica);
  }
  std::vector<BackendOptions> backends{{BackendKind::reference, InstructionSet::automatic, 1}};
  for (const InstructionSet isa : available_instruction_sets()) backends.push_back({BackendKind::cpu, isa, 1});
  for (const BackendOptions& options : backends) {
    const auto backend = make_backend(options);
    ChainState state = initial_state(chain, realization);
    RoundRecord record;
    const RoundTask task{realization, &disorder, &state, &record};
    RoundControl control;
    backend->run_round(chain, {&task, 1}, control);
    EXPECT_EQ(state.steps, expected.steps);
    EXPECT_TRUE(test::same_bytes(state.spins, expected.spins)) << backend->description();
    EXPECT_EQ(static_cast<double>(control.updates), 3.0 * 2 * 3 * 4 * 2 * 64) << backend->description();
  }
}

TEST(TileRepeats, ChangeTheChainWhereThereAreSeveralTiles) {
  Chain once = test::make_chain({3, 4}, 2, {1.4F}, {1, 1, 3, 1, ExchangeSchedule::even_odd, 2}, 1);
  Chain repeated = once;
  repeated.protocol.sweeps_per_exchange = 1;
  repeated.protocol.tile_repeats = 3;
  EXPECT_EQ(once.updates_per_round(), repeated.updates_per_round());
  const Disorder disorder = test::gaussian_disorder(once.lattice, 5);
  ChainState a = initial_state(once, 0), b = a;
  const auto backend = test::fast_backend();
  static_cast<void>(test::run_one_round(*backend, once, disorder, 0, a));
  static_cast<void>(test::run_one_round(*backend, repeated, disorder, 0, b));
  EXPECT_FALSE(test::same_bytes(a.spins, b.spins));
}

}}  // namespace glassworks
