#pragma once

#include "kernels/cuda/graph/device_graph.hpp"
#include "kernels/models/model_type.hpp"

/// Terms of more than two spins, of models that have products (has_products).
namespace glassworks { inline namespace cuda {

/// visit(coupling, product of the other spins) for the terms of a site, whose words are those of
/// DeviceGraph::site_terms or made like them. load(word): the spin of a site.
template <class M, class Load, class Visit>
__device__ __forceinline__ void for_terms_of_site(const std::uint32_t* word, const std::uint32_t* end, const Load& load,
                                                  const Visit& visit) {
  while (word != end) {
    const std::uint32_t coupling = __ldg(word++);
    typename M::Site product = M::one;
    for (bool last = false; !last;) {
      const std::uint32_t other = __ldg(word++);
      last = (other & last_of_term) != 0;
      product = M::times(product, load(other & ~last_of_term));
    }
    visit(coupling, product);
  }
}

/// The product of all spins of a term. load(site): the spin of a site.
template <class M, class Load>
[[nodiscard]] __device__ __forceinline__ typename M::Site product_of_term(const DeviceGraph& graph, std::uint32_t term,
                                                                          const Load& load) {
  typename M::Site product = M::one;
  const std::uint32_t end = __ldg(graph.term_begin + term + 1);
  for (std::uint32_t i = __ldg(graph.term_begin + term); i < end; ++i) {
    product = M::times(product, load(__ldg(graph.term_sites + i)));
  }
  return product;
}

}}  // namespace glassworks::cuda
