#include "kernels/rounds/measurement.hpp"

namespace glassworks { inline namespace rounds {

Measurement::Measurement(const Chain& chain, FixedScale energy_scale)
    : lattice_(chain.lattice),
      formulas_(chain.lattice, chain.copies, chain.protocol.local, chain.local),
      phase_(PhaseTable(chain.lattice.L).joined()),
      energy_unit_(energy_scale.unit()),
      trace_(static_cast<std::size_t>(pairs() * Modes::max_modes)),
      kept_(static_cast<std::size_t>(pairs() * formulas_.kept_chiralities())) {}

PairSums Measurement::empty_pair() const {
  const auto planes = static_cast<std::size_t>(formulas_.modes().directions() * lattice_.L);
  PairSums p;
  p.overlap.assign(planes * 9, 0);
  p.chirality.assign(planes * static_cast<std::size_t>(lattice_.dim), 0);
  return p;
}

void Measurement::add(const ReplicaSums* replicas, const PairSums* pair_sums, double* bin, float* sample) {
  if (sample != nullptr) before_.assign(bin, bin + layout().size());
  add_to_bin(replicas, pair_sums, bin);
  if (sample == nullptr) return;
  const int averages = layout().averages();
  for (int i = 0; i < averages; ++i) sample[i] = layout().average(i, before_.data(), bin);
  for (int p = 0; p < layout().sampled_pairs(); ++p) {
    const Complex& at_zero = trace_[static_cast<std::size_t>(p * Modes::max_modes)];
    sample[averages + p] = static_cast<float>(at_zero.re);
  }
}

void Measurement::add_to_bin(const ReplicaSums* replicas, const PairSums* pair_sums, double* bin) {
  for (int copy = 0; copy < formulas_.copies(); ++copy) formulas_.add_replica(copy, replicas[copy], energy_unit_, bin);
  for (int p = 0; p < pairs(); ++p) {
    formulas_.add_link(pair_sums[p].link, bin);
    add_pair(pair_sums[p], p, bin);
    add_chirality(pair_sums[p], p, bin);
  }
  if (formulas_.copies() != 4) return;
  for (int mode = 0; mode < formulas_.modes().size(); ++mode) formulas_.add_four_copies(mode, trace_.data(), bin);
  for (int n = 0; n < chiral_means && !kept_.empty(); ++n) formulas_.add_chiral_response(n, kept_.data(), bin);
}

void Measurement::add_pair(const PairSums& pair, int index, double* bin) {
  const Modes& modes = formulas_.modes();
  const int L = lattice_.L;
  for (int mode = 0; mode < modes.size(); ++mode) {
    const Modes::Mode m = modes[mode];
    Complex q[9];
    transform_planes<9>(pair.overlap.data() + static_cast<std::ptrdiff_t>(m.direction) * L * 9, 9, L, m.multiple,
                        phase_.data(), q);
    for (Complex& component : q) component = formulas_.per_site(component);
    trace_[static_cast<std::size_t>(index * Modes::max_modes + mode)] = formulas_.add_overlap(mode, q, bin);
  }
}

void Measurement::add_chirality(const PairSums& pair, int index, double* bin) {
  const Modes& modes = formulas_.modes();
  Complex* const kept = kept_.data() + index * formulas_.kept_chiralities();
  const int L = lattice_.L;
  double squares[Lattice::max_dim * Modes::max_modes];
  for (int axis = 0; axis < lattice_.dim; ++axis) {
    for (int mode = 0; mode < modes.size(); ++mode) {
      const Modes::Mode m = modes[mode];
      const std::int64_t* planes =
          pair.chirality.data() + static_cast<std::ptrdiff_t>(axis * modes.directions() + m.direction) * L;
      Complex q;
      transform_planes<1>(planes, 1, L, m.multiple, phase_.data(), &q);
      squares[axis * Modes::max_modes + mode] = formulas_.chirality_square(q);
      if (!kept_.empty()) kept[axis * Modes::max_modes + mode] = formulas_.per_site(q);
    }
  }
  for (int n = 0; n < MeasurementFormulas::chiralities; ++n) formulas_.add_chirality(n, squares, bin);
  for (int axis = 0; axis < lattice_.dim; ++axis) formulas_.add_chirality_of_axis(axis, squares, bin);
}

}}  // namespace glassworks::rounds
