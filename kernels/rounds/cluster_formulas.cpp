#include "kernels/rounds/cluster_formulas.hpp"

#include "kernels/models/local_observables.hpp"
#include "kernels/rounds/local_sums.hpp"

namespace glassworks { inline namespace rounds {

ClusterFormulas::ClusterFormulas(const Chain& chain, const SumScales& scales)
    : model_(chain.model),
      lattice_(chain.lattice),
      layout_(chain),
      vector_unit_(order_parameter_of(model_) == OrderParameter::vector ? scales.component.unit() : 1.0),
      pair_unit_(scales.product.unit()),
      link_unit_(scales.quartic.unit()),
      square_unit_(scales.square.unit()),
      local_unit_(local_scale.unit()),
      sites_(static_cast<double>(lattice_.sites())),
      bonds_(static_cast<double>(lattice_.bonds())),
      of_densities_(order_parameter_of(model_) == OrderParameter::densities),
      decomposes_(chain.protocol.kind == ProtocolKind::swendsen_wang &&
                  chain.protocol.sweeps_per_exchange * chain.cluster_sweeps() > 0),
      updates_per_step_(chain.protocol.sweeps_per_exchange * chain.cluster_sweeps()),
      longest_(lattice_.longest()),
      axes_(layout_.count(BinQuantity::magnetization_along)) {
  for (const double terms : local_terms(chain.local, lattice_)) local_terms_[locals_++] = terms;
}

}}  // namespace glassworks::rounds
