#pragma once

#include <stdexcept>
#include <utility>

#include "kernels/models/blume_capel.hpp"
#include "kernels/models/clock.hpp"
#include "kernels/models/ising.hpp"
#include "kernels/models/phi4.hpp"
#include "kernels/models/potts.hpp"

namespace glassworks { inline namespace models {

static_assert(ModelType<Ising> && ModelType<DilutedIsing> && ModelType<Potts> && ModelType<Phi4> &&
              ModelType<BlumeCapel> && ModelType<Clock>);
static_assert(ModelType<UnitVectors<2>> && ModelType<UnitVectors<3>> && ModelType<UnitVectors<4>> &&
              ModelType<UnitVectors<5>> && ModelType<UnitVectors<6>> && ModelType<UnitVectors<7>> &&
              ModelType<UnitVectors<8>>);

/// f(M{}) for the type of a model with at most max_kernel_components components. Only this function and for_any_model
/// map models to types.
template <class F>
decltype(auto) for_model(const SpinModel& model, F&& f) {
  switch (model.kind) {
    case ModelKind::heisenberg:
      return f(UnitVectors<3>{});
    case ModelKind::ising:
      return f(Ising{});
    case ModelKind::potts:
      return f(Potts{});
    case ModelKind::on:
      if (model.components == 2) return f(UnitVectors<2>{});
      if (model.components == 3) return f(UnitVectors<3>{});
      if (model.components == 4) return f(UnitVectors<4>{});
      break;
    case ModelKind::phi4:
      if (has_free_modulus(model)) return f(Phi4{});
      return f(UnitVectors<4>{});
    case ModelKind::blume_capel:
      return f(BlumeCapel{});
    case ModelKind::clock:
      return f(Clock{});
  }
  throw std::logic_error("for_model: there is no kernel for this model");
}

/// The same for any number of components, and with sites that may be absent: plain code, and the plain kernels of
/// GPUs. Vectors of absent sites are 0.
template <class F>
decltype(auto) for_any_model(const SpinModel& model, F&& f) {
  if (model.kind == ModelKind::ising && model.diluted) return f(DilutedIsing{});
  if (model.kind == ModelKind::on) {
    switch (model.components) {
      case 5:
        return f(UnitVectors<5>{});
      case 6:
        return f(UnitVectors<6>{});
      case 7:
        return f(UnitVectors<7>{});
      case 8:
        return f(UnitVectors<8>{});
      default:
        break;
    }
  }
  return for_model(model, std::forward<F>(f));
}

/// for_model of models with cluster updates alone; nothing happens for others.
template <class F>
void for_cluster_model(const SpinModel& model, const F& f) {
  for_model(model, [&](auto m) {
    if constexpr (decltype(m)::cluster_move != ClusterMove::none) f(m);
  });
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
