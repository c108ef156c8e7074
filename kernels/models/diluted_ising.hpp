#pragma once

#include "kernels/models/ising.hpp"

namespace glassworks { inline namespace models {

/// ising where sites may be absent: their state is `absent`, and they add nothing to any sum. Their bonds have J = 0.
/// The model as a type; see model_type.hpp for what each function is.
struct DilutedIsing : Ising {
  GLASSWORKS_HD static float product(const SpinModel& model, Site a, Site b) {
    return is_absent(a) || is_absent(b) ? 0.0F : Ising::product(model, a, b);
  }
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
