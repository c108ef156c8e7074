#pragma once

#include <utility>

#include "kernels/models/diluted_ising.hpp"
#include "kernels/models/ising.hpp"
#include "kernels/models/phi4.hpp"
#include "kernels/models/potts.hpp"

namespace glassworks { inline namespace models {

// A model is a type M with these members. All functions are for host and device.
//
//   components      numbers of a site that is a vector, else 1
//   discrete        whether a site holds a number of 8 bits (Site = std::uint8_t), else a vector
//   has_fields      whether there may be site fields H
//   free_modulus    whether |s| varies; local_update then takes a block of words for each site
//   reflects        whether clusters are reflected; else they get a new state
//   minus_factor    a satisfied bond of discrete spins is broken with the weight exp(minus_factor beta |J|)
//
//   product(a, b)                      x of a bond, which has the energy -J x
//   in_field(H, s)                     H.s
//   Neighbours; start(h, H); add_bond(h, J, s, first)
//                                      what a local update knows of the neighbours, added in the order x+, x-, y+, ...;
//                                      first: nothing has been added before
//   local_update(s, h, constants, w0, w1)
//                                      the new site
//   discrete:  states(model); unequal = x of two that are not equal (else 1); plane_term(s, column), what is summed
//              over planes, and add_to_plane, which adds it; moved(s, fate), fate(s, word, q) of a single cluster, and
//              the fate `stays`
//   vectors:   moved(s, r, r.s)

/// f(M{}) for the type of a model with at most most_kernel_components: with for_any_model the only switch over models
/// in kernels/.
template <class F>
decltype(auto) for_model(const SpinModel& model, F&& f) {
  switch (model.kind) {
    case ModelKind::ising:
      return f(Ising{});
    case ModelKind::potts:
      return f(Potts{});
    case ModelKind::phi4:
      if (has_modulus(model)) return f(Phi4{});
      break;
    case ModelKind::heisenberg:
    case ModelKind::on:
      break;
  }
  if (components_of(model) == 2) return f(UnitVectors<2>{});
  if (components_of(model) == 3) return f(UnitVectors<3>{});
  return f(UnitVectors<4>{});
}

/// The same for any number of components, and with sites that may be absent: plain code, and the plain kernels of
/// GPUs. Vectors of absent sites are 0.
template <class F>
decltype(auto) for_any_model(const SpinModel& model, F&& f) {
  if (model.diluted && model.kind == ModelKind::ising) return f(DilutedIsing{});
  switch (components_of(model)) {
    case 5:
      return f(UnitVectors<5>{});
    case 6:
      return f(UnitVectors<6>{});
    case 7:
      return f(UnitVectors<7>{});
    case 8:
      return f(UnitVectors<8>{});
    default:
      return for_model(model, std::forward<F>(f));
  }
}

/// for_model of models of vectors alone; nothing happens for others.
template <class F>
void for_vector_model(const SpinModel& model, const F& f) {
  for_model(model, [&](auto m) {
    if constexpr (!decltype(m)::discrete) f(m);
  });
}

/// The same for any number of components.
template <class F>
void for_any_vector_model(const SpinModel& model, const F& f) {
  for_any_model(model, [&](auto m) {
    if constexpr (!decltype(m)::discrete) f(m);
  });
}

}}  // namespace glassworks::models
