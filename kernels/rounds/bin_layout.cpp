#include "kernels/rounds/bin_layout.hpp"

#include "kernels/rounds/local_names.hpp"

namespace glassworks { inline namespace rounds {
namespace {

constexpr const char* texts[] = {GLASSWORKS_BIN_QUANTITIES(GLASSWORKS_TEXT)};

/// "(1,1,0)" of a wave vector, in the order of Modes.
std::string wave_vector(int dim, int mode) {
  const Modes modes(dim);
  const Modes::Mode m = modes[mode];
  std::string text = "(";
  for (int axis = 0; axis < dim; ++axis) {
    const bool there = ((modes.axes(m.direction) >> axis) & 1U) != 0U;
    text += (axis > 0 ? "," : "") + std::to_string(there ? m.multiple : 0);
  }
  return text + ")";
}

}  // namespace

std::string BinLayout::name(int column) const {
  int quantity = 0;
  while (column < columns_[quantity].first || column >= columns_[quantity].first + columns_[quantity].count) ++quantity;
  const int i = column - columns_[quantity].first;
  switch (static_cast<BinQuantity>(quantity)) {
    case BinQuantity::energy_of_copy:
      return "energy_of_copy_" + std::to_string(i + 1);
    case BinQuantity::overlap_k:
    case BinQuantity::chi_1:
    case BinQuantity::chi_2:
    case BinQuantity::chi_3:
      return texts[quantity] + wave_vector(dim_, i);
    case BinQuantity::overlap_along:
      return std::string("overlap_kmin_") + "xyzw"[i];
    case BinQuantity::magnetization_along:
      return std::string("magnetization_kmin_") + "xyzw"[i];
    case BinQuantity::chiral_zero_along:
    case BinQuantity::chiral_kmin_parallel_along:
    case BinQuantity::chiral_kmin_perpendicular_along: {
      const std::string mean = texts[quantity];
      return mean.substr(0, mean.rfind("along")) + "xyzw"[i];
    }
    case BinQuantity::chiral_chi_2:
    case BinQuantity::chiral_chi_3:
      return texts[quantity] + std::string(texts[static_cast<int>(BinQuantity::chiral_zero) + i]).substr(6);
    case BinQuantity::local:
      return local_names(selection_)[static_cast<std::size_t>(i)];
    default:
      return texts[quantity];
  }
}

std::vector<std::string> BinLayout::names() const {
  std::vector<std::string> names;
  for (int column = 0; column < size_; ++column) names.push_back(name(column));
  return names;
}

std::vector<std::string> BinLayout::sample_names() const {
  if (samples_all()) return names();
  std::vector<std::string> names;
  for (int i = 0; i < averages_; ++i) {
    const int column = sampled_[i].first;
    std::string& text = names.emplace_back(name(column));
    const std::size_t wave = text.find('(');
    if (wave == std::string::npos) continue;
    text = text.starts_with("overlap_k") ? "overlap" : text.substr(0, wave);
    const int mode = column - (*this)[text == "overlap" ? BinQuantity::overlap_k : chi_term(text.back() - '0')];
    text += mode == 0 ? "_zero" : mode == 1 ? "_kmin" : mode == 1 + dim_ ? "_2kmin" : "_110";
  }
  for (int a = 1; a <= copies_ && sampled_pairs() > 0; ++a) {
    for (int b = a + 1; b <= copies_; ++b) names.push_back("overlap_" + std::to_string(a) + std::to_string(b));
  }
  return names;
}

}}  // namespace glassworks::rounds
