#pragma once

#include <cstdint>
#include <memory>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace tools {

enum class PlainUpdate { heat_bath, metropolis, over_relaxation, swendsen_wang, wolff };

/// The straightforward program that every row of the benchmark is compared with: one replica in three
/// dimensions, one site after the other, a table of neighbours, double precision, libm, xoshiro256+. What depends on a
/// few whole numbers only (Boltzmann factors of Ising spins with J = +-1, of potts) comes from a table.
class PlainLoop {
 public:
  PlainLoop() = default;
  PlainLoop(const PlainLoop&) = delete;
  PlainLoop& operator=(const PlainLoop&) = delete;
  virtual ~PlainLoop() = default;

  /// One sweep, or one cluster update; an update that the model does not have does nothing.
  ///
  ///     heat_bath        P(s) ~ exp(beta h.s); potts: P(k) ~ exp(beta n_k), n_k of the neighbours in state k
  ///     metropolis       s -> -s, phi4 at finite lambda: phi -> phi + step, with probability min(1, exp(-Delta S))
  ///     over_relaxation  s -> 2 (s.h) h / h^2 - s
  ///     swendsen_wang    union-find over the sites, a coin (potts: a new state) for each root; J = 1 alone
  ///     wolff            one cluster from a stack, starting from a random site; J = 1 alone
  virtual void update(PlainUpdate update) = 0;

  /// Energy per site.
  [[nodiscard]] virtual double energy() const = 0;
};

/// d = 3. couplings: all 1 (no products are formed), +-1 (Ising spins: whole numbers), or any; potts: all 1.
[[nodiscard]] std::unique_ptr<PlainLoop> make_plain_loop(const SpinModel& model, const Lattice& lattice,
                                                         const Disorder& disorder, double beta, std::uint64_t seed);

/// make_plain_loop for ising and potts, and for vectors.
[[nodiscard]] std::unique_ptr<PlainLoop> make_plain_discrete(const SpinModel& model, const Lattice& lattice,
                                                             const Disorder& disorder, double beta, std::uint64_t seed);
[[nodiscard]] std::unique_ptr<PlainLoop> make_plain_vectors(const SpinModel& model, const Lattice& lattice,
                                                            const Disorder& disorder, double beta, std::uint64_t seed);

}}  // namespace glassworks::tools
