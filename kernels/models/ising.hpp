#pragma once

#include "kernels/models/discrete.hpp"
#include "kernels/models/unit_vectors.hpp"

namespace glassworks { inline namespace models {

/// s = +-1, kept as the state (1 + s)/2: a unit vector of one component. The model as a type; see model_type.hpp
/// for what each function is.
struct Ising : Discrete {
  static constexpr bool has_fields = true, may_lack_sites = true, isoenergetic = true;
  static constexpr ClusterMove cluster_move = ClusterMove::reflection;
  static constexpr OrderParameter order_parameter = OrderParameter::number;
  static constexpr Site ordered = 1;
  static constexpr int unequal = -1;
  static constexpr float minus_factor = -2.0F;
  using Neighbours = exact::Vector<1>;  ///< the local field

  GLASSWORKS_HD static int states(const SpinModel&) { return 2; }
  // Branch-free: a branch on a spin is unpredictable.
  GLASSWORKS_HD static float product(const SpinModel&, Site a, Site b) {
    return exact::flip_sign(1.0F, static_cast<std::uint32_t>(a ^ b) << 31);
  }
  static constexpr Site one = 1;
  GLASSWORKS_HD static Site times(Site a, Site b) { return static_cast<Site>(a ^ b ^ 1); }
  GLASSWORKS_HD static float in_field(const SpinModel&, const exact::Vector<1>& H, Site s) {
    return s != 0 ? H.c[0] : -H.c[0];
  }
  GLASSWORKS_HD static std::int32_t value(Site s) { return 2 * s - 1; }
  GLASSWORKS_HD static std::int32_t plane_term(Site s, int) { return value(s); }
  GLASSWORKS_HD static void add_to_plane(Site s, std::int64_t* columns) { columns[0] += 2 * std::int64_t{s} - 1; }
  GLASSWORKS_HD static void start(Neighbours& h, const exact::Vector<1>& H) { h = H; }
  GLASSWORKS_HD static void add_bond(const SpinModel&, Neighbours& h, float J, Site s, bool first) {
    const float term = exact::flip_sign(J, static_cast<std::uint32_t>(s ^ 1) << 31);
    h.c[0] = first ? term : exact::add(h.c[0], term);
  }
  GLASSWORKS_HD static float gain(const SpinModel& model, const Neighbours& h, Site s) { return in_field(model, h, s); }
  GLASSWORKS_HD static Site local_update(Site, const Neighbours& h, const SweepConstants& c, std::uint32_t w0,
                                         std::uint32_t w1) {
    return exact::local_update<float>(exact::Vector<1>{}, h, c.temperature, c.sweep, w0, w1).c[0] > 0.0F ? 1 : 0;
  }
  /// Fates are coins.
  static constexpr std::uint8_t stays = 0;
  GLASSWORKS_HD static Site moved(Site s, std::uint8_t fate) { return static_cast<Site>(s ^ fate); }
  GLASSWORKS_HD static std::uint8_t fate(Site, std::uint32_t, int) { return 1; }
};

/// ising where sites may be absent: their state is `absent`, and they add nothing to any sum. Their bonds have J = 0.
/// The model as a type; see model_type.hpp for what each function is.
struct DilutedIsing : Ising {
  GLASSWORKS_HD static float product(const SpinModel& model, Site a, Site b) {
    return is_absent(a) || is_absent(b) ? 0.0F : Ising::product(model, a, b);
  }
  GLASSWORKS_HD static Site times(Site a, Site b) { return is_absent(a) || is_absent(b) ? absent : Ising::times(a, b); }
  GLASSWORKS_HD static float in_field(const SpinModel& model, const exact::Vector<1>& H, Site s) {
    return is_absent(s) ? 0.0F : Ising::in_field(model, H, s);
  }
  GLASSWORKS_HD static std::int32_t value(Site s) { return is_absent(s) ? 0 : Ising::value(s); }
  GLASSWORKS_HD static std::int32_t plane_term(Site s, int) { return value(s); }
  GLASSWORKS_HD static void add_to_plane(Site s, std::int64_t* columns) { columns[0] += plane_term(s, 0); }

 private:
  GLASSWORKS_HD static bool is_absent(Site s) { return s == absent; }
};

}}  // namespace glassworks::models
