#include "kernels/series/ising_energy.hpp"

#include <optional>

#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/series/lag_directions.hpp"

namespace glassworks { inline namespace series {

IsingEnergy::IsingEnergy(const Lattice& lattice, const Disorder& disorder) : shape_(lattice) {
  const float scale = disorder.energy_scale.multiplier();
  const auto sites = static_cast<std::size_t>(lattice.sites()), bonds = static_cast<std::size_t>(lattice.owned());
  const float* const J = disorder.couplings.data();
  for (const float H : disorder.fields) field_.push_back(to_fixed_clamped(H, scale));
  if (const std::optional<float> modulus = single_modulus(disorder.couplings)) {
    modulus_ = to_fixed_clamped(*modulus, scale);
  }
  if (modulus_ == 0) {
    coupling_.resize(sites * bonds);
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t bond = 0; bond < bonds; ++bond) {
        const std::int32_t fixed = to_fixed_clamped(J[i * bonds + bond], scale);
        coupling_[bond * sites + i] = fixed;
        sum_ += fixed < 0 ? -fixed : fixed;
      }
    }
    return;
  }
  std::vector<std::uint8_t> bits(sites);
  for (std::size_t bond = 0; bond < bonds; ++bond) {
    for (std::size_t i = 0; i < sites; ++i) {
      const float here = J[i * bonds + bond];
      bits[i] = static_cast<std::uint8_t>((here < 0.0F ? 1 : 0) | (here != 0.0F ? 2 : 0));
    }
    pack_bits(shape_, bits.data(), 0, negative_.emplace_back(shape_.empty()));
    pack_bits(shape_, bits.data(), 1, there_.emplace_back(shape_.empty()));
    for (const std::uint64_t word : there_.back()) sum_ += std::int64_t{modulus_} * count_bits(word);
  }
}

std::int64_t IsingEnergy::of(const std::uint8_t* states) const {
  std::int64_t sum = modulus_ != 0 ? by_counting(states) : by_adding(states);
  for (std::size_t i = 0; i < field_.size(); ++i) sum += (states[i] & 1) != 0 ? field_[i] : -field_[i];
  return -sum;
}

std::int64_t IsingEnergy::by_counting(const std::uint8_t* states) const {
  BitRows s = shape_.empty();
  pack_bits(shape_, states, 0, s);
  const BitRows next = shape_.shifted(s, 1 % shape_.lattice.length(0));
  std::int64_t broken = 0;
  for (int bond = 0; bond < shape_.lattice.owned(); ++bond) {
    const Displacement d = bond_displacement(shape_.lattice, bond);
    const BitRows& other = d[0] != 0 ? next : s;
    const BitRows& negative = negative_[static_cast<std::size_t>(bond)];
    const BitRows& there = there_[static_cast<std::size_t>(bond)];
    for_row_runs(shape_.lattice, d, [&](const RowRun& run) {
      const auto a = static_cast<std::size_t>(run.row * shape_.words);
      const auto b = static_cast<std::size_t>(run.other * shape_.words);
      for (std::size_t i = 0; i < static_cast<std::size_t>(run.rows * shape_.words); ++i) {
        broken += count_bits((s[a + i] ^ other[b + i] ^ negative[a + i]) & there[a + i]);
      }
    });
  }
  return sum_ - 2 * broken * modulus_;
}

std::int64_t IsingEnergy::by_adding(const std::uint8_t* states) const {
  const Lattice& lattice = shape_.lattice;
  const int length = lattice.length(0);
  const std::int64_t sites = lattice.sites();
  std::int64_t sum = 0;
  const auto add = [&](const std::int32_t* J, const std::uint8_t* a, const std::uint8_t* b, int n) {
    std::int64_t part = 0;
    for (int x = 0; x < n; ++x) part += J[x] ^ -((a[x] ^ b[x]) & 1);
    std::int64_t unequal = 0;  // ~J = -J - 1
    for (int x = 0; x < n; ++x) unequal += (a[x] ^ b[x]) & 1;
    sum += part + unequal;
  };
  for (int bond = 0; bond < lattice.owned(); ++bond) {
    const Displacement d = bond_displacement(lattice, bond);
    for_row_runs(lattice, d, [&](const RowRun& run) {
      for (int y = 0; y < run.rows; ++y) {
        const std::int64_t i = (run.row + y) * length, j = (run.other + y) * length;
        const std::int32_t* J = coupling_.data() + bond * sites + i;
        add(J, states + i, states + j + d[0], length - d[0]);
        if (d[0] != 0) add(J + length - 1, states + i + length - 1, states + j, 1);
      }
    });
  }
  return sum;
}

}}  // namespace glassworks::series
