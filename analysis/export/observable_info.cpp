#include "analysis/export/observable_info.hpp"

#include <array>
#include <map>
#include <string_view>

namespace glassworks {
namespace {

using Table = std::map<std::string, ObservableInfo, std::less<>>;

const Table& table() {
  static const Table all = {
      // Derived observables and stored ones of the same name.
      {"energy", {"J", "e = [<H>]/N"}},
      {"energy_squared", {"J^2", "[<(H/N)^2>]"}},
      {"energy_product", {"J^2", "<e>_a <e>_b averaged over pairs of different copies a, b of a realization"}},
      {"bond_energy", {"J", "U_J = -(1/N) sum_<ij> [J_ij <s_i.s_j>]"}},
      {"field_energy", {"J", "-(1/N) sum_i [H_i.<s_i>]"}},
      {"specific_heat", {"k_B", "beta^2 N ([<e^2>] - [<e>_a <e>_b])"}},
      {"q_s", {"1", "(1/N_b) sum_<ij> [<(s_i.s_j)^2>]"}},
      {"link_overlap", {"1", "q_l = (1/N_b) sum_<ij> [<(s_i.s_j)^(a) (s_i.s_j)^(b)>]"}},
      {"identity_difference", {"J", "U_J + (z/2) beta (q_s - q_l), 0 in equilibrium for gaussian couplings"}},
      {"field_identity_difference", {"J", "-(1/N) sum_i [H_i.<s_i>] + beta h^2 (1 - [q]), 0 in equilibrium"}},
      {"overlap", {"1", "q = (1/N) sum_i [<s_i^(a).s_i^(b)>]"}},
      {"overlap_2", {"1", "[<q^2>], q^2 = sum_{mu nu} (q^{mu nu}(0))^2"}},
      {"overlap_4", {"1", "[<q^4>], q^4 = (sum_{mu nu} (q^{mu nu}(0))^2)^2"}},
      {"chi_sg", {"1", "N sum_{mu nu} [<|q^{mu nu}(0)|^2>]"}},
      {"chi_sg_kmin", {"1", "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = 2 pi/L along an axis"}},
      {"chi_sg_2kmin", {"1", "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = 4 pi/L along an axis"}},
      {"chi_sg_110", {"1", "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = (2 pi/L)(1,1,0)"}},
      {"chi_sg_111", {"1", "N sum_{mu nu} [<|q^{mu nu}(k)|^2>], k = (2 pi/L)(1,1,1)"}},
      {"xi_over_L", {"1", "xi(chi_sg)/L"}},
      {"q4_over_q2sq", {"1", "r = [<q^4>]/[<q^2>]^2"}},
      {"binder", {"1", "(11 - 9 r)/2, r = [<q^4>]/[<q^2>]^2"}},
      {"chi_cg", {"1", "N [<|q_c^a(0)|^2>] averaged over the axes a"}},
      {"chi_cg_kmin", {"1", "N [<|q_c^a(k_min)|^2>], k parallel to a"}},
      {"chi_cg_kmin_perp", {"1", "N [<|q_c^a(k_min)|^2>], k perpendicular to a"}},
      {"xi_chiral_over_L", {"1", "xi(chi_cg)/L, k parallel to a"}},
      {"xi_chiral_perp_over_L", {"1", "xi(chi_cg)/L, k perpendicular to a"}},
      {"chiral_q4_over_q2sq", {"1", "r = [<(q_c^a)^4>]/[<(q_c^a)^2>]^2 at k = 0"}},
      {"chiral_binder", {"1", "(3 - r)/2, r = [<(q_c^a)^4>]/[<(q_c^a)^2>]^2 at k = 0"}},
      {"chiral_4", {"1", "[<(q_c^a)^4>] at k = 0, averaged over the axes a"}},
      {"chiral_zero", {"1", "[<|q_c^a(k)|^2>] at k = 0, averaged over the axes a"}},
      {"chiral_kmin_parallel", {"1", "[<|q_c^a(k)|^2>], k = k_min parallel to a"}},
      {"chiral_kmin_perpendicular", {"1", "[<|q_c^a(k)|^2>], k = k_min perpendicular to a"}},
      {"chiral_2kmin_parallel", {"1", "[<|q_c^a(k)|^2>], k = 2 k_min parallel to a"}},
      {"chiral_2kmin_perpendicular", {"1", "[<|q_c^a(k)|^2>], k = 2 k_min perpendicular to a"}},
      {"chiral_110_parallel", {"1", "[<|q_c^a(k)|^2>], k = (1,1,0) k_min, a among its axes"}},
      {"chiral_110_perpendicular", {"1", "[<|q_c^a(k)|^2>], k = (1,1,0) k_min, a not among its axes"}},
      {"chiral_111", {"1", "[<|q_c^a(k)|^2>], k = (1,1,1) k_min"}},
      {"magnetization_x", {"1", "x component of m = (1/N) sum_i [<s_i>]"}},
      {"magnetization_y", {"1", "y component of m = (1/N) sum_i [<s_i>]"}},
      {"magnetization_z", {"1", "z component of m = (1/N) sum_i [<s_i>]"}},
      {"magnetization_2", {"1", "[<m^2>]"}},
      {"magnetization_4", {"1", "[<m^4>]"}},
      {"chi_m", {"1", "N [<m^2>]"}},
      {"magnetization_binder",
       {"1", "(n + 2 - n r)/2, r = [<m^4>]/[<m^2>]^2, n components of m: 3 of heisenberg, q - 1 of potts"}},
      {"magnetization_abs", {"1", "[<|m|>]"}},
      {"magnetization_kmin", {"1", "[<|m(k_min)|^2>], averaged over the axes"}},
      {"chi_m_connected", {"1", "N ([<m^2>] - [<|m|>]^2)"}},
      {"xi_m_over_L", {"1", "xi/L of [<m^2>] at k = 0 and k_min"}},
      {"improved_m2", {"1", "[<m^2>] from the clusters"}},
      {"improved_kmin", {"1", "[<|m(k_min)|^2>] from the clusters"}},
      {"chi_m_improved", {"1", "N [<m^2>] from the clusters"}},
      {"xi_m_improved_over_L", {"1", "xi/L from the clusters"}},
      {"modulus_2", {"1", "(1/N) sum_i [<phi_i^2>]"}},
      {"modulus_4", {"1", "(1/N) sum_i [<(phi_i^2)^2>]"}},
      {"local_acceptance", {"1", "accepted part of the proposals of |phi| in local sweeps"}},
      {"clusters", {"1", "number of clusters over N"}},
      {"largest_cluster", {"1", "sites of the largest cluster over N"}},
      {"mean_cluster", {"1", "sum_c n_c^2/N over the clusters"}},
      {"wrapping_any", {"1", "probability that a cluster wraps along at least one axis"}},
      {"wrapping_all", {"1", "probability that one cluster wraps along every axis"}},
      {"moved_sites", {"1", "sites moved by a cluster update over N"}},
      {"overlap_kmin", {"1", "[<|q(k_min)|^2>], averaged over the axes"}},
      {"overlap_binder", {"1", "(k + 2 - k r)/2, r = [<q^4>]/[<q^2>]^2, k components of q"}},
      {"acceptance", {"1", "accepted part of the exchanges of the slots t, t+1; none at the last slot"}},
      {"walk_up_fraction", {"1", "replicas at T that visited the lowest temperature last, of all that visited an end"}},
      {"chi_1", {"1", "N [<|A_ab(0)|^2>], A_ab(k) = sum_mu q_ab^{mu mu}(k)"}},
      {"chi_2", {"1", "N [<Re A_ab A_ac*>] at k = 0"}},
      {"chi_3", {"1", "N [<Re A_ab A_cd*>] at k = 0"}},
      {"chi_1_kmin", {"1", "N [<|A_ab(k_min)|^2>]"}},
      {"chi_2_kmin", {"1", "N [<Re A_ab A_ac*>] at k_min"}},
      {"chi_3_kmin", {"1", "N [<Re A_ab A_cd*>] at k_min"}},
      {"chi_sg_field", {"1", "chi_1 - 2 chi_2 + chi_3 at k = 0, connected"}},
      {"chi_sg_field_kmin", {"1", "chi_1 - 2 chi_2 + chi_3 at k_min, connected"}},
      {"xi_field_over_L", {"1", "xi(chi_sg_field)/L"}},
      {"attempts", {"1", "exchanges of the slots t, t+1 tried per measurement"}},
      {"accepted", {"1", "exchanges of the slots t, t+1 accepted per measurement"}},
      {"walkers_up", {"1", "replicas per measurement that visited the lowest temperature last"}},
      {"walkers_down", {"1", "replicas per measurement that visited the highest temperature last"}},
  };
  return all;
}

/// Families of columns whose names go on with a wave vector or a copy.
struct Family {
  std::string_view prefix, units, equation;
};
constexpr std::array<Family, 5> families = {{
    {"energy_of_copy", "J", "e of one copy"},
    {"overlap_k(", "1", "sum_{mu nu} [<|q^{mu nu}(k)|^2>], k in units of 2 pi/L"},
    {"chi_1(", "1", "[<|A_ab(k)|^2>], A_ab(k) = sum_mu q_ab^{mu mu}(k), k in units of 2 pi/L"},
    {"chi_2(", "1", "[<Re A_ab(k) A_ac(k)*>], k in units of 2 pi/L"},
    {"chi_3(", "1", "[<Re A_ab(k) A_cd(k)*>], k in units of 2 pi/L"},
}};

}  // namespace

ObservableInfo describe_observable(const std::string& name) {
  if (const auto found = table().find(name); found != table().end()) return found->second;
  for (const Family& family : families) {
    if (name.starts_with(family.prefix)) return {std::string(family.units), std::string(family.equation)};
  }
  return {"1", ""};
}

const char* notation() {
  return "<.> thermal average, [.] disorder average, a, b, ... different copies, N = L^d, N_b = d N, z = 2d, "
         "beta = 1/T, q^{mu nu}(k) = (1/N) sum_i s_i^{mu(a)} s_i^{nu(b)} exp(i k.R_i), "
         "kappa_i^a = s_{i+a}.(s_i x s_{i-a}), q_c^a(k) = (1/N) sum_i kappa_i^{a(1)} kappa_i^{a(2)} exp(i k.R_i), "
         "xi(chi) = sqrt(chi(0)/chi(k_min) - 1)/(2 sin(k_min/2)), k_min = 2 pi/L";
}

}  // namespace glassworks
