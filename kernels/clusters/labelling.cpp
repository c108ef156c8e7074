#include "kernels/clusters/labelling.hpp"

namespace glassworks { inline namespace clusters {

const char* to_string(LabellingMethod method) {
  switch (method) {
    case LabellingMethod::breadth_first:
      return "breadth-first";
    case LabellingMethod::union_find:
      return "union-find";
    case LabellingMethod::parallel:
      return "parallel";
    case LabellingMethod::bfs_relaxation:
      return "bfs-relaxation";
    case LabellingMethod::bfs_sewing:
      return "bfs-sewing";
    case LabellingMethod::union_relaxation:
      return "union-relaxation";
    case LabellingMethod::union_sewing:
      return "union-sewing";
    case LabellingMethod::self_relaxation:
      return "self-relaxation";
    case LabellingMethod::self_sewing:
      return "self-sewing";
    case LabellingMethod::label_equivalence:
      return "label-equivalence";
    case LabellingMethod::direct:
      return "direct";
    case LabellingMethod::tiles:
      return "tiles";
  }
  return "";
}

}}  // namespace glassworks::clusters
