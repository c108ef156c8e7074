#pragma once

#include <concepts>
#include <cstdint>

#include "kernels/models/spin_model.hpp"
#include "kernels/models/sweep_constants.hpp"
#include "kernels/models/vectors.hpp"

/// What a model is: a type with the members below, which ModelType checks for every model of for_model.hpp. Reference,
/// row kernels, general CUDA kernels and measurements are templates over it.
namespace glassworks { inline namespace models {

/// What a cluster update does to a cluster.
enum class ClusterMove {
  none,        ///< there are no cluster updates
  reflection,  ///< s -> -s, or s -> s - 2 (r.s) r, with probability 1/2
  new_state,   ///< a state drawn anew; couplings must not be negative then
};

// OrderParameter, in spin_model.hpp, says what the planes of a measurement hold.

/// What a model has unless its type says otherwise. S: what stands at a site, std::uint8_t (a discrete spin, by the
/// number of its state) or exact::Vector<n>.
template <class S>
struct ModelDefaults {
  using Site = S;
  static constexpr bool has_fields = false;      ///< there may be site fields H
  static constexpr bool may_lack_sites = false;  ///< sites may be absent
  static constexpr bool free_modulus = false;    ///< |s| varies; local_update then takes a block of words for each site
  static constexpr bool has_site_energy = false;  ///< site_energy is not 0
  static constexpr bool isoenergetic = false;     ///< copies may swap clusters of sites at which they differ
  static constexpr ClusterMove cluster_move = ClusterMove::none;

  /// Energy of a site by itself, beside that of its bonds and in the field [J].
  GLASSWORKS_HD static double site_energy(const SpinModel&, const Site&) { return 0.0; }
};

template <class M>
concept LocallyUpdated = requires(const SpinModel& model, const SweepConstants& constants, const typename M::Site& s,
                                  const typename M::Neighbours& known, typename M::Neighbours& h, std::uint32_t word,
                                  const RandomBlock& block) {
  /// Adds a bond to the local field (or what the model uses instead), in the order x+, x-, y+, ...; true: the first
  /// one.
  M::add_bond(model, h, 1.0F, s, true);
  /// Minus the energy of a site with its neighbours and in its field [J].
  { M::gain(model, known, s) } -> std::same_as<float>;
  /// The new site, from two random words or a block of four.
  requires(M::free_modulus && requires { M::local_update(s, known, constants, block); }) || requires {
    { M::local_update(s, known, constants, word, word) } -> std::same_as<typename M::Site>;
  };
};

template <class M>
concept InFields = requires(const SpinModel& model, const exact::Vector<M::components>& H, const typename M::Site& s,
                            typename M::Neighbours& h) {
  { M::in_field(model, H, s) } -> std::same_as<float>;  ///< H.s
  M::start(h, H);
};

/// Models whose sites hold the number of a state; value is the spin as people write it. Where the order parameter is a
/// vector, it is `spin`, 0 at absent sites; otherwise plane_term is what is summed over planes, of one column or, by
/// add_to_plane, of all.
template <class M>
concept DiscreteModel = requires(const SpinModel& model, std::uint8_t s, std::int64_t* columns) {
  requires std::same_as<typename M::Site, std::uint8_t>;
  { M::states(model) } -> std::same_as<int>;
  { M::value(s) } -> std::same_as<std::int32_t>;
  requires(M::order_parameter == OrderParameter::vector &&
           requires {
             { M::spin(model, s) } -> std::same_as<exact::Vector<M::components>>;
           }) ||
      requires {
    { M::plane_term(s, 0) } -> std::same_as<std::int32_t>;
    M::add_to_plane(s, columns);
  };
  { M::ordered } -> std::convertible_to<std::uint8_t>;  ///< the state of an ordered start
  { M::absent } -> std::convertible_to<std::uint8_t>;   ///< what stands at a site without a spin
};

/// minus_factor: a satisfied bond of discrete spins is inactive with probability exp(minus_factor beta |J|); vectors
/// have -2. fate: that of a single cluster; stays: the fate of clusters that are not moved.
template <class M>
concept ClusterModel = M::cluster_move != ClusterMove::none&& requires(const typename M::Site& s, std::uint8_t fate,
                                                                       const exact::Vector<M::components>& r) {
  { M::minus_factor } -> std::convertible_to<float>;
  requires(!M::discrete &&
           requires {
             { M::moved(s, r, 1.0F) } -> std::same_as<typename M::Site>;
           }) ||
      requires {
    { M::moved(s, fate) } -> std::same_as<typename M::Site>;
    { M::fate(s, std::uint32_t{}, 2) } -> std::same_as<std::uint8_t>;
    { M::stays } -> std::convertible_to<std::uint8_t>;
  };
};

template <class M>
concept ModelType = LocallyUpdated<M> && requires(const SpinModel& model, const typename M::Site& s) {
  { M::components } -> std::convertible_to<int>;       ///< of the spin, and of a field; 1: a number
  { M::product(model, s, s) } -> std::same_as<float>;  ///< x of a bond, which has the energy -J x
  { M::site_energy(model, s) } -> std::same_as<double>;
  { M::order_parameter } -> std::convertible_to<OrderParameter>;
} &&(!M::has_fields || InFields<M>)&&(!M::discrete || DiscreteModel<M>)&&(M::cluster_move == ClusterMove::none ||
                                                                          ClusterModel<M>);

/// Whether x of a bond has two values: 1 where the spins are equal, `unequal` where not. Bonds of one |J| are counted
/// then.
template <class M>
constexpr bool has_two_valued_bonds = requires {
  M::unequal;
};

/// Whether more than two spins can be coupled by the product of them all: `times` is the state of the product of two,
/// `one` that of the product of none.
template <class M>
constexpr bool has_products = requires(const typename M::Site& s) {
  { M::times(s, s) } -> std::same_as<typename M::Site>;
  { M::one } -> std::convertible_to<typename M::Site>;
};

/// Whether the sums of a measurement are those of a vector in fixed point.
template <class M>
constexpr bool measures_vectors = M::order_parameter == OrderParameter::vector;

/// The spin of a site of such a model.
template <class M>
[[nodiscard]] GLASSWORKS_HD exact::Vector<M::components> spin_of(const SpinModel& model, const typename M::Site& s) {
  if constexpr (M::discrete) {
    return M::spin(model, s);
  } else {
    return s;
  }
}

/// What stands at an absent site of model M.
template <class M>
[[nodiscard]] GLASSWORKS_HD constexpr typename M::Site absent_site() {
  if constexpr (M::discrete) {
    return M::absent;
  } else {
    return {};
  }
}

}}  // namespace glassworks::models
