#pragma once

#include "engine/config/config.hpp"

/// What a configuration must be like for an observable to be what its equation says: the only place where this is
/// decided. Rows of the table name their conditions (Observable::holds, Observable::shown); tables, figures, exports,
/// the Python package and the page of observables follow.
namespace glassworks { inline namespace analysis {

struct Condition {
  const char* text;  ///< on the page of observables
  bool (*met)(const Config& config);
};

/// Whether all realizations have the same couplings and fields, so that they are independent runs of one system: all
/// couplings 1 or from a file, and no random fields.
[[nodiscard]] bool is_one_system(const Config& config);

/// Whether the terms of the susceptibility in a field are measured, or would be with four copies.
[[nodiscard]] bool measures_field_response(const Config& config);

/// Whether it is certain that no coupling is negative, at antiperiodic ends included. Of a file it is not.
[[nodiscard]] bool has_no_negative_couplings(const Config& config);

/// Whether ends along some axis are antiperiodic.
[[nodiscard]] bool has_antiperiodic_ends(const Config& config);

/// Whether [<s_i.s_j>] can be positive between neighbours: not where the couplings are symmetric about 0 (it is 0 then,
/// by the gauge transformation s_i -> -s_i, J_ij -> -J_ij) or mostly negative. Of a file it can.
[[nodiscard]] bool may_magnetize(const Config& config);

namespace condition {

// What is measured.

template <BinQuantity quantity>
bool measured(const Config& config) {
  return config.measures(quantity);
}

inline constexpr Condition heisenberg{"heisenberg", measured<BinQuantity::overlap_k>};
inline constexpr Condition not_heisenberg{"other models than heisenberg", measured<BinQuantity::magnetization_kmin>};
inline constexpr Condition two_copies{"two copies or more", [](const Config& c) { return c.replicas.copies > 1; }};
inline constexpr Condition field_terms{"four copies: heisenberg, others with field_response",
                                       [](const Config& c) { return c.measures(BinQuantity::chi_1); }};
inline constexpr Condition free_modulus{"phi4 at finite lambda",
                                        [](const Config& c) { return has_free_modulus(c.model.spins); }};
inline constexpr Condition rejections{"phi4 at finite lambda; local updates that reject", [](const Config& c) {
                                        return has_free_modulus(c.model.spins) || traits_of(c.protocol.local).rejects;
                                      }};
inline constexpr Condition reserves{"local updates with reserves of energy",
                                    [](const Config& c) { return traits_of(c.protocol.local).has_reserve; }};
inline constexpr Condition nematic{
    "on, and phi4 at lambda = inf, with round.observables = bond_nematic", [](const Config& c) {
      return c.measures(BinQuantity::modulus_2) && !c.model.spins.is_discrete() && !has_free_modulus(c.model.spins);
    }};
inline constexpr Condition quadrupoles{"blume-capel with round.observables = quadrupole",
                                       [](const Config& c) { return c.model.spins.kind == ModelKind::blume_capel; }};
inline constexpr Condition signed_m{
    "ising, blume-capel, on, and phi4 at lambda = inf, with round.observables = signed_magnetization",
    [](const Config& c) {
      const ModelKind kind = c.model.spins.kind;
      const bool of_numbers = kind == ModelKind::ising || kind == ModelKind::blume_capel;
      return c.measures(BinQuantity::modulus_2) &&
             (of_numbers || (!c.model.spins.is_discrete() && !has_free_modulus(c.model.spins)));
    }};
inline constexpr Condition constant_field{"a constant field",
                                          [](const Config& c) { return c.model.field == FieldKind::constant; }};
inline constexpr Condition xy{"on with n = 2 and round.observables = plaquette_chirality_2", [](const Config& c) {
                                return c.model.spins.kind == ModelKind::on && c.model.spins.components == 2;
                              }};
inline constexpr Condition two_dimensions{"d >= 2", [](const Config& c) { return c.model.dim >= 2; }};
inline constexpr Condition three_dimensions{"d >= 3", [](const Config& c) { return c.model.dim >= 3; }};
inline constexpr Condition triangles{"on with n = 2 or 3 and triangle_chirality",
                                     measured<BinQuantity::triangle_chirality_2>};
inline constexpr Condition chirality{"heisenberg; on with chiral_overlap or triangle_chirality",
                                     measured<BinQuantity::chiral_zero>};
inline constexpr Condition chirality_along{"heisenberg; on with chiral_overlap and d >= 3",
                                           measured<BinQuantity::chiral_kmin_parallel>};
inline constexpr Condition chirality_across{
    "heisenberg with d >= 2; on with chiral_overlap, or with triangle_chirality where sites have positions in d >= 2",
    [](const Config& c) { return c.measures(BinQuantity::chiral_zero) && c.model.dim >= 2; }};
inline constexpr Condition chiral_terms{"heisenberg with four copies and chiral_response",
                                        measured<BinQuantity::chiral_chi_2>};
inline constexpr Condition chirality_of_axes{"heisenberg with chiral_axes", measured<BinQuantity::chiral_zero_along>};
inline constexpr Condition axis_modes_of_overlap{
    "two copies or more: with axis_modes; heisenberg whose axes have different ends",
    [](const Config& c) { return c.measures(BinQuantity::overlap_k) || c.measures(BinQuantity::overlap_along); }};
inline constexpr Condition axis_modes_of_m{"with axis_modes", measured<BinQuantity::magnetization_along>};
inline constexpr Condition exchanges{"with exchanges",
                                     [](const Config& c) { return c.protocol.exchange != ExchangeSchedule::none; }};
inline constexpr Condition cluster_updates{"cluster updates",
                                           [](const Config& c) { return c.protocol.kind != ProtocolKind::local; }};
inline constexpr Condition swendsen_wang{
    "Swendsen-Wang", [](const Config& c) { return c.protocol.kind == ProtocolKind::swendsen_wang; }};

// What makes an equation true.

inline constexpr Condition one_system{"one system", is_one_system};
inline constexpr Condition squared_energy{"two copies or more, or one system",
                                          [](const Config& c) { return c.replicas.copies > 1 || is_one_system(c); }};
/// The squares are those of cluster sizes in models of discrete spins, those of sums of r.s in models of vectors. Spins
/// of one cluster are equal where no J is negative; potts has no such J.
inline constexpr Condition clusters_of_equal_spins{
    "of ising no J < 0: ferromagnet or bimodal_p = 1 without antiperiodic ends",
    [](const Config& c) { return c.model.spins.kind != ModelKind::ising || has_no_negative_couplings(c); }};
/// Integration by parts over the couplings: q_s = 1 of ising; fields must be independent of J, and energies those of
/// the bonds alone, or with the field's own identity added.
inline constexpr Condition normal_couplings{
    "gaussian couplings of mean 0 without dilution: heisenberg; ising, and on with bond_nematic = q_s, with two copies "
    "or more and no anisotropy and no field, or gaussian ones, whose identity is then added",
    [](const Config& c) {
      if (!c.has_normal_couplings()) return false;
      if (c.measures(BinQuantity::q_s)) return true;
      const bool of_field = c.model.field == FieldKind::none || c.has_normal_fields();
      const bool of_spins = c.model.spins.kind == ModelKind::ising || c.model.spins.kind == ModelKind::on;
      return of_spins && of_field && c.model.anisotropy == 0.0 && c.replicas.copies > 1;
    }};
inline constexpr Condition site_terms{"heisenberg with fields or anisotropy", [](const Config& c) {
                                        return c.measures(BinQuantity::field_energy) &&
                                               (c.model.field != FieldKind::none || c.model.anisotropy != 0.0);
                                      }};
inline constexpr Condition normal_fields{
    "heisenberg with gaussian fields of standard deviation h, no anisotropy, no absent sites",
    [](const Config& c) { return c.measures(BinQuantity::field_energy) && c.has_normal_fields(); }};
/// A field gives the overlap a mean, which no length or cumulant of the overlap itself is about.
inline constexpr Condition no_field{"no field", [](const Config& c) { return c.model.field == FieldKind::none; }};
/// A reflection that keeps a constant field changes the sign of a chirality; random fields give it a mean.
inline constexpr Condition chirality_without_mean{
    "no field but a constant one",
    [](const Config& c) { return c.model.field == FieldKind::none || c.model.field == FieldKind::constant; }};
/// [<m>] = 0: random fields are symmetric about 0.
inline constexpr Condition m_without_mean{
    "no constant field, none from a file",
    [](const Config& c) { return c.model.field != FieldKind::constant && c.model.field != FieldKind::file; }};
inline constexpr Condition mean_coupling{"mean of J above 0, or J from files", may_magnetize};
/// The sign of a spin changes across the end: [<s_i.s_j>] is no function of the distance.
inline constexpr Condition no_antiperiodic_ends{"no antiperiodic ends",
                                                [](const Config& c) { return !has_antiperiodic_ends(c); }};

}  // namespace condition
}}  // namespace glassworks::analysis
