#include "kernels/rounds/modulus_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/models/cluster_sums.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace rounds {

double expected_square(double lambda, const Lattice& lattice, double beta) {
  const double x = beta * lattice.owned(), sites = static_cast<double>(lattice.sites());
  const double infinite = std::numeric_limits<double>::infinity();
  const double gaussian = x < 1.0 ? 1.0 / (1.0 - x) : infinite;
  const double quartic = lambda > 0.0 ? 1.0 / std::sqrt(lambda) : infinite;
  // Of the modes other than the uniform one, mean over them at x = 1: L/6 in d = 1, (2/pi) ln L in d = 2, constants
  // above.
  const double L = lattice.L;
  const double propagator[] = {0.0, 1.0 + L / 6.0, 1.0 + std::log(L), 1.6, 1.4};
  const double uniform = std::min(gaussian / sites, quartic / std::sqrt(sites));
  const double fluctuations = std::min({gaussian, uniform + propagator[lattice.dim], uniform + quartic + 2.0});
  const double ordered = x > 1.0 ? (lambda > 0.0 ? 1.0 + (x - 1.0) / (2.0 * lambda) : infinite) : 0.0;
  return ordered + 2.0 * fluctuations;
}

int modulus_exponent(const SpinModel& model, const Lattice& lattice, double largest_beta) {
  if (!has_free_modulus(model)) return 0;
  const double square = expected_square(model.lambda, lattice, largest_beta);
  constexpr int most = 24;  // beyond it no configuration is accepted
  int a = 0;
  while (a < most && std::ldexp(1.0, 2 * a) < square) ++a;
  return a;
}

int modulus_exponent(const Chain& chain) {
  return modulus_exponent(chain.model, chain.lattice, static_cast<double>(chain.beta.front()));
}

FixedScale energy_scale_of_modulus(const SpinModel& model, const Lattice& lattice, double largest_beta) {
  return sum_scales(model, lattice, modulus_exponent(model, lattice, largest_beta)).product;
}

void check_field_range(const Chain& chain, bool too_large, const RoundRecord& record) {
  if (!has_free_modulus(chain.model)) return;
  const BinLayout layout(chain);
  const int a = modulus_exponent(chain);
  bool finite = true;
  for (int slot = 0; slot < chain.slots(); ++slot) {
    const double* mean = record.mean.data() + static_cast<std::ptrdiff_t>(slot) * layout.size();
    finite = finite && std::isfinite(mean[layout[BinQuantity::modulus_4]]) &&
             std::isfinite(mean[layout[BinQuantity::energy]]);
  }
  if (!too_large && finite) return;
  throw std::runtime_error("The fields phi have become too large for the sums of a measurement (at lambda = " +
                           std::to_string(chain.model.lambda) +
                           " and this lowest temperature, phi^2 was expected to be at most " +
                           std::to_string(std::ldexp(1.0, 2 * a)) + "). Raise ladder.T_min or model.lambda.");
}

}}  // namespace glassworks::rounds
