#include "kernels/series/vector_sums.hpp"

#include "kernels/core/fixed_point.hpp"
#include "kernels/series/lag_kernels.hpp"
#include "kernels/series/series_pairs.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

constexpr FixedScale product_scale{product_exponent};

/// The columns of a row, formed from sums.
class VectorRow {
 public:
  VectorRow(const SeriesLayout& layout, const VectorSumLayout& places, std::span<const std::int64_t> sums, double* row)
      : layout_(layout),
        lattice_(layout.shape().lattice),
        places_(places),
        sums_(sums),
        row_(row),
        kmin_(lattice_),
        sites_(static_cast<double>(lattice_.sites())),
        bonds_(divisor_of_bonds(lattice_)),
        pairs_(places.pairs) {}

  void put() {
    put_magnetization();
    if (places_.copies > 1) {
      put_pairs();
      put_chirality();
    }
    for (std::size_t t = 0; t < places_.references; ++t) put_reference(t);
  }

 private:
  using Q = SeriesQuantity;
  static constexpr double term = product_scale.unit() * product_scale.unit();

  [[nodiscard]] std::span<const std::int64_t> planes(std::size_t first, std::size_t i) const {
    return VectorSumLayout::array(sums_, first, places_.of_planes(), i);
  }
  /// Sum over the bonds.
  [[nodiscard]] double link(std::size_t first) const {
    std::int64_t sum = 0;
    for (int bond = 0; bond < places_.bonds; ++bond) sum += sums_[first + static_cast<std::size_t>(bond)];
    return static_cast<double>(sum);
  }
  /// Adds directions first .. first + count - 1 of a profile.
  void add_profile(std::size_t begin, std::size_t first, std::size_t count, std::vector<std::int64_t>& total) const {
    total.resize(places_.of_lags(), 0);
    for (std::size_t direction = first; direction < first + count; ++direction) {
      const auto own = VectorSumLayout::array(sums_, begin, places_.of_lags(), direction);
      for (std::size_t r = 0; r < own.size(); ++r) total[r] += own[r];
    }
  }
  void put_whole_profile(Q q, int reference, std::size_t begin, std::span<const Displacement> steps, double fields) {
    std::vector<std::int64_t> total;
    add_profile(begin, 0, steps.size(), total);
    put_profile(layout_, q, reference, total, steps, term, fields, row_);
  }

  /// |f(k_min)|^2 of a quantity that sites without positions do not have.
  [[nodiscard]] double at_kmin(Q q, std::span<const std::int64_t> of_planes, double scale) const {
    return layout_.has(q) ? kmin_.mean(of_planes, scale) : 0.0;
  }
  void put_at_kmin(Q q, int reference, double value) {
    if (layout_.has(q)) row_[layout_.at(q, 0, reference)] += value;
  }

  void put_magnetization() {
    const double scale = FixedScale{magnetization_exponent}.unit() / sites_;
    const auto n = static_cast<std::size_t>(places_.components);
    double square = 0.0, sum_at_kmin = 0.0;
    std::vector<std::int64_t> total(n, 0);
    for (std::size_t copy = 0; copy < static_cast<std::size_t>(places_.copies); ++copy) {
      double of_copy = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        const auto of_planes = planes(places_.magnetization, copy * n + k);
        const std::int64_t sum = total_of(lattice_, of_planes);
        const double m = static_cast<double>(sum) * scale;
        total[k] += sum;
        square += m * m;
        of_copy += at_kmin(Q::magnetization_along_kmin, of_planes, scale);
      }
      sum_at_kmin += of_copy;
    }
    for (std::size_t k = 0; k < n; ++k) {
      row_[layout_.at(Q::magnetization, static_cast<int>(k))] = static_cast<double>(total[k]) * scale / places_.copies;
    }
    row_[layout_.at(Q::magnetization_2)] = square / places_.copies;
    put_at_kmin(Q::magnetization_along_kmin, 0, sum_at_kmin / places_.copies);
  }

  void put_pairs() {
    const double scale = product_scale.unit() / sites_;
    if (layout_.has(Q::c4_axis)) put_whole_profile(Q::c4_axis, 0, places_.axis, places_.axes, pairs_);
    if (layout_.has(Q::c4_diagonal)) {
      put_whole_profile(Q::c4_diagonal, 0, places_.diagonal, places_.diagonals, pairs_);
    }
    row_[layout_.at(Q::link_overlap)] = link(places_.link) * term / (bonds_ * pairs_);
    const auto squares = static_cast<std::size_t>(places_.components * places_.components);
    for (std::size_t p = 0; p < static_cast<std::size_t>(places_.pairs); ++p) {
      double square = 0.0, sum_at_kmin = 0.0;
      for (std::size_t k = 0; k < squares; ++k) {
        const auto of_planes = planes(places_.overlap, p * squares + k);
        const double q = static_cast<double>(total_of(lattice_, of_planes)) * scale;
        square += q * q;
        sum_at_kmin += at_kmin(Q::overlap_kmin, of_planes, scale);
      }
      row_[layout_.at(Q::overlap_2)] += square / pairs_;
      put_at_kmin(Q::overlap_kmin, 0, sum_at_kmin / pairs_);
    }
  }

  void put_chirality() {
    if (places_.orientations == 0) return;
    const SeriesChirality chirality = chirality_of(layout_.shape().model, lattice_);
    const ChiralDirections directions(chirality, lattice_);
    // Plaquettes have kappa/sqrt(2): products of two of them are half of q_c.
    const double whole = chirality == SeriesChirality::of_plaquettes ? 2.0 : 1.0;
    const double scale = whole * product_scale.unit() / sites_;
    double zero = 0.0, at_kmin[2] = {};
    std::vector<std::int64_t> lags[2];
    std::vector<Displacement> steps[2];
    for (int mu = 0; mu < places_.orientations; ++mu) {
      const auto place = [&](const Displacement& step) {  // 0: parallel, 1: perpendicular
        return is_parallel(chirality, mu, axis_of(step), lattice_.dim) ? 0 : 1;
      };
      for (int p = 0; p < places_.pairs; ++p) {
        const auto of_planes = planes(places_.chirality, static_cast<std::size_t>(mu * places_.pairs + p));
        const double q = static_cast<double>(total_of(lattice_, of_planes)) * scale;
        zero += q * q;
        double own[2] = {};
        for (const Displacement& step : places_.axes) {
          own[place(step)] += kmin_.along(axis_of(step), of_planes, scale);
        }
        for (int i = 0; i < 2; ++i) at_kmin[i] += own[i];
      }
      for (std::size_t axis = 0; axis < places_.axes.size(); ++axis) {
        const int i = place(places_.axes[axis]);
        add_profile(places_.chiral_axis, static_cast<std::size_t>(mu) * places_.axes.size() + axis, 1, lags[i]);
        steps[i].push_back(places_.axes[axis]);
      }
    }
    row_[layout_.at(Q::chiral_2)] = zero / (directions.orientations * pairs_);
    if (directions.parallel > 0) {
      row_[layout_.at(Q::chiral_kmin_parallel)] = at_kmin[0] / (directions.parallel * pairs_);
      put_profile(layout_, Q::chiral_axis_parallel, 0, lags[0], steps[0], whole * whole * term, pairs_, row_);
    }
    if (directions.perpendicular > 0) {
      row_[layout_.at(Q::chiral_kmin_perpendicular)] = at_kmin[1] / (directions.perpendicular * pairs_);
      put_profile(layout_, Q::chiral_axis_perpendicular, 0, lags[1], steps[1], whole * whole * term, pairs_, row_);
    }
  }
  [[nodiscard]] static int axis_of(const Displacement& step) {
    int axis = 0;
    while (step[static_cast<std::size_t>(axis)] == 0) ++axis;
    return axis;
  }

  void put_reference(std::size_t t) {
    const double scale = product_scale.unit() / sites_;
    const auto copies = static_cast<std::size_t>(places_.copies);
    const int reference = static_cast<int>(t);
    std::int64_t sum = 0;
    double sum_at_kmin = 0.0;
    for (std::size_t copy = 0; copy < copies; ++copy) {
      const auto of_planes = planes(places_.correlation, t * copies + copy);
      sum += total_of(lattice_, of_planes);
      sum_at_kmin += at_kmin(Q::correlation_kmin, of_planes, scale);
    }
    row_[layout_.at(Q::correlation, 0, reference)] = static_cast<double>(sum) * scale / places_.copies;
    row_[layout_.at(Q::link_correlation, 0, reference)] =
        link(places_.link_correlation + t * static_cast<std::size_t>(places_.bonds)) * term / (bonds_ * places_.copies);
    put_at_kmin(Q::correlation_kmin, reference, sum_at_kmin / places_.copies);
    if (!layout_.has(Q::c22_axis)) return;
    put_whole_profile(Q::c22_axis, reference, places_.c22 + t * places_.axes.size() * places_.of_lags(), places_.axes,
                      places_.copies);
  }

  const SeriesLayout& layout_;
  const Lattice& lattice_;
  const VectorSumLayout& places_;
  std::span<const std::int64_t> sums_;
  double* row_;
  KminSquares kmin_;
  double sites_, bonds_, pairs_;
};

}  // namespace

VectorSumLayout::VectorSumLayout(const SeriesLayout& layout, std::size_t references_)
    : copies(layout.shape().copies),
      components(components_of(layout.shape().model)),
      pairs(copies > 1 ? static_cast<int>(series_pairs(copies, layout.shape().pairs).size()) : 0),
      planes(layout.shape().lattice.planes()),
      lags(layout.lags()),
      bonds(layout.shape().lattice.is_graph() ? 1 : layout.shape().lattice.owned()),
      axes(lag_axes(layout.shape().lattice)),
      diagonals(lag_diagonals(layout.shape().lattice)),
      references(references_) {
  const Lattice& lattice = layout.shape().lattice;
  if (layout.has(SeriesQuantity::chiral_2)) {
    orientations = ChiralDirections(chirality_of(layout.shape().model, lattice), lattice).orientations;
  }
  const auto take = [this](std::size_t& first, std::size_t arrays, int length) {
    first = size;
    size += arrays * static_cast<std::size_t>(length);
  };
  const auto n = static_cast<std::size_t>(components), c = static_cast<std::size_t>(copies);
  const auto p = static_cast<std::size_t>(pairs), mu = static_cast<std::size_t>(orientations);
  take(magnetization, c * n, planes);
  if (copies > 1) {
    take(overlap, p * n * n, planes);
    take(axis, axes.size(), lags);
    take(diagonal, diagonals.size(), lags);
    take(link, 1, bonds);
    take(chirality, mu * p, planes);
    take(chiral_axis, mu * axes.size(), lags);
  }
  take(correlation, references * c, planes);
  take(link_correlation, references, bonds);
  take(c22, references * axes.size(), lags);
}

void put_vectors(const SeriesLayout& layout, const VectorSumLayout& places, std::span<const std::int64_t> sums,
                 double* row) {
  VectorRow(layout, places, sums, row).put();
}

}}  // namespace glassworks::series
