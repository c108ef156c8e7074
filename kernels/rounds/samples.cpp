#include "kernels/rounds/samples.hpp"

namespace glassworks { inline namespace rounds {

std::vector<std::string> SampleLayout::names() const {
  std::vector<std::string> names;
  const auto add = [&](std::initializer_list<const char*> list) {
    names.insert(names.end(), list.begin(), list.end());
  };
  for (int copy = 1; copy <= copies_; ++copy) names.push_back("energy_of_copy_" + std::to_string(copy));
  add({"link_overlap", "q_s", "overlap", "overlap_2", "overlap_4", "overlap_kmin", "overlap_2kmin"});
  if (dim_ >= 2) add({"overlap_110"});
  add({"chiral_zero", "chiral_4", "chiral_kmin_parallel"});
  if (dim_ >= 2) add({"chiral_kmin_perpendicular"});
  add({"magnetization_2", "magnetization_4", "bond_energy"});
  if (copies_ != 4) return names;
  add({"chi_1_zero", "chi_2_zero", "chi_3_zero", "chi_1_kmin", "chi_2_kmin", "chi_3_kmin"});
  add({"overlap_12", "overlap_13", "overlap_14", "overlap_23", "overlap_24", "overlap_34"});
  return names;
}

}}  // namespace glassworks::rounds
