#pragma once

#include "kernels/cpu/neighbours/graph_models.hpp"
#include "kernels/cpu/neighbours/graph_table.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace cpu {

/// The loops of GraphTable for a model M and lanes F. Lanes of a bundle see the same neighbours and couplings, so that
/// a neighbour is one load.
template <class M, class F>
struct GraphKernels {
  using G = exact::GraphModel<M, F>;
  using U = exact::Bits<F>;
  using Access = exact::Lanes<F>;
  using Number = typename G::Number;
  using Site = typename G::Site;
  static constexpr int stride = G::stored * bundle_lanes;

  static Number* numbers(void* spins) { return static_cast<Number*>(spins); }
  static const Number* numbers(const void* spins) { return static_cast<const Number*>(spins); }
  GLASSWORKS_HD static Site load(const Number* spins, std::int64_t site, int lane) {
    Site s;
    GLASSWORKS_UNROLL
    for (int k = 0; k < G::stored; ++k) s.c[k] = Access::load(spins + site * stride + k * bundle_lanes + lane);
    return s;
  }
  GLASSWORKS_HD static void store(Number* spins, std::int64_t site, int lane, const Site& s) {
    GLASSWORKS_UNROLL
    for (int k = 0; k < G::stored; ++k) Access::store(spins + site * stride + k * bundle_lanes + lane, s.c[k]);
  }
  GLASSWORKS_HD static exact::Vector<G::components, F> field(const GraphSites& g, std::int64_t site) {
    exact::Vector<G::components, F> H;
    GLASSWORKS_UNROLL
    for (int k = 0; k < G::components; ++k) H.c[k] = F(g.fields[site * G::components + k]);
    return H;
  }

  /// body(t): t.value says whether the graph has terms of more than two spins. Loops over bonds alone are compiled
  /// without a trace of them.
  template <class Body>
  static void by_terms(const GraphSites& g, const Body& body) {
    if constexpr (has_products<M>) {
      if (g.terms.begin != nullptr) return body(std::true_type{});
    }
    body(std::false_type{});
  }

  /// What a site knows of its neighbours, in the order that defines the chain.
  template <bool terms>
  GLASSWORKS_HD static typename G::Neighbours neighbours(const G& model, const GraphSites& g, std::int64_t place,
                                                         const Number* spins, int lane) {
    typename G::Neighbours h;
    const GraphLink *link = g.links + g.begin[place], *const end = g.links + g.begin[place + 1];
    bool empty = true;
    if constexpr (G::has_fields) {
      if (g.fields != nullptr) {
        model.start(h, field(g, g.site[place]));
        empty = false;
      }
    }
    if (empty && link == end) {
      model.clear(h);
      if constexpr (!terms) return h;
    } else if (empty) {
      model.add_bond(h, F(link->J), load(spins, link->site, lane), true);
      ++link;
    }
    for (; link != end; ++link) model.add_bond(h, F(link->J), load(spins, link->site, lane), false);
    for_terms<terms>(g, place, [&](const ManyBodyTerm& term) {
      model.add_bond(h, F(term.J), product_of_others(g, term, spins, lane), false);
    });
    return h;
  }
  /// visit(term) for the terms of more than two spins at a place.
  template <bool terms, class Visit>
  GLASSWORKS_HD static void for_terms(const GraphSites& g, std::int64_t place, const Visit& visit) {
    if constexpr (terms) {
      for (std::int64_t k = g.terms.begin[place]; k < g.terms.begin[place + 1]; ++k) visit(g.terms.terms[k]);
    }
  }
  template <bool terms, class Visit>
  GLASSWORKS_HD static void for_owned_terms(const GraphSites& g, std::int64_t place, const Visit& visit) {
    for_terms<terms>(g, place, [&](const ManyBodyTerm& term) {
      if (term.owned) visit(term);
    });
  }
  GLASSWORKS_HD static Site product_of_others(const GraphSites& g, const ManyBodyTerm& term, const Number* spins,
                                              int lane) {
    Site product = load(spins, g.terms.others[term.begin], lane);
    if constexpr (has_products<M>) {
      for (std::int64_t k = term.begin + 1; k < term.end; ++k) {
        product.c[0] = exact::mul(product.c[0], load(spins, g.terms.others[k], lane).c[0]);
      }
    }
    return product;
  }

  GLASSWORKS_HD static exact::LaneTemperatures<F> temperatures(const GraphSweep& s, int lane) {
    return {{Access::load(s.minus_two_beta + lane), Access::load(s.minus_inverse_beta + lane)},
            Access::load(s.beta + lane)};
  }

  /// Random words are drawn for some sites ahead: two short loops overlap better than one with long dependences.
  template <bool terms>
  static void local_sweep_of(const GraphSites& g, const GraphSweep& sweep, void* all) {
    constexpr int ahead = 8, words = G::words;
    Number* const spins = numbers(all);
    const G model(sweep.model);
    alignas(64) std::uint32_t word[ahead][words][bundle_lanes];
    for (std::int64_t first = 0; first < g.sites; first += ahead) {
      const int count = g.sites - first < ahead ? static_cast<int>(g.sites - first) : ahead;
      for (int i = 0; i < count; ++i) {
        const auto cell = static_cast<std::uint32_t>(g.site[first + i]);
        const auto start = exact::start_philox(sweep.key, cell, sweep.word1, sweep.word2);
        for (int lane = 0; lane < sweep.lanes; lane += Access::width) {
          U w[4];
          Access::philox(start, Access::load(sweep.word3 + lane), w);
          GLASSWORKS_UNROLL
          for (int k = 0; k < words; ++k) Access::store(word[i][k] + lane, w[k]);
        }
      }
      for (int i = 0; i < count; ++i) {
        const std::int32_t site = g.site[first + i];
        for (int lane = 0; lane < sweep.lanes; lane += Access::width) {
          const auto h = neighbours<terms>(model, g, first + i, spins, lane);
          U w[words];
          GLASSWORKS_UNROLL
          for (int k = 0; k < words; ++k) w[k] = Access::load(word[i][k] + lane);
          Site s{};
          if constexpr (G::needs_old_spin) s = load(spins, site, lane);
          store(spins, site, lane, model.update(s, h, temperatures(sweep, lane), sweep.sweep, w));
        }
      }
    }
  }

  /// Metropolis::move.
  template <bool terms>
  static void metropolis_of(const GraphSites& g, const GraphSweep& sweep, void* all) {
    Number* const spins = numbers(all);
    const G model(sweep.model);
    for (std::int64_t place = 0; place < g.sites; ++place) {
      const std::int32_t site = g.site[place];
      const auto start = exact::start_philox(sweep.key, static_cast<std::uint32_t>(site), sweep.word1, sweep.word2);
      for (int lane = 0; lane < sweep.lanes; lane += Access::width) {
        U w[4], word;
        F square;
        Access::philox(start, Access::load(sweep.word3 + lane), w);
        const auto h = neighbours<terms>(model, g, place, spins, lane);
        const Site s = load(spins, site, lane);
        const Site t = model.propose(s, Access::load(sweep.width + lane), w, square, word);
        const F exponent = exact::mul(Access::load(sweep.beta + lane), exact::sub(model.gain(h, t), model.gain(h, s)));
        const F bounded = exact::min(exact::max(exponent, F(-87.0F)), F(0.0F));
        // Where nothing is proposed, no number is below the probability.
        const F probability = exact::select_less(square, F(6.103515625e-5F), F(0.0F), exact::exp_negative(bounded));
        const F u = exact::uniform<F>(word);
        store(spins, site, lane, model.choose(u, probability, t, s));
        Access::add_to(sweep.accepted + lane,
                       exact::round_to_bits(exact::select_less(u, probability, F(1.0F), F(0.0F))));
      }
    }
  }

  static void over_relax(const GraphSites& g, void* all, int lanes) {
    Number* const spins = numbers(all);
    const G model(SpinModel{});
    for (std::int64_t place = 0; place < g.sites; ++place) {
      const std::int32_t site = g.site[place];
      for (int lane = 0; lane < lanes; lane += Access::width) {
        const auto h = neighbours<false>(model, g, place, spins, lane);
        store(spins, site, lane, exact::over_relax(load(spins, site, lane), h));
      }
    }
  }

  static void renormalize(std::int64_t sites, void* all, int lanes) {
    Number* const spins = numbers(all);
    for (std::int64_t site = 0; site < sites; ++site) {
      for (int lane = 0; lane < lanes; lane += Access::width) {
        store(spins, site, lane, exact::renormalize(load(spins, site, lane)));
      }
    }
  }

  template <bool terms>
  static void energy_of(const GraphSites& g, const SpinModel& spin_model, const void* all, float multiplier, int lanes,
                        std::int64_t* sum) {
    const Number* const spins = numbers(all);
    const G model(spin_model);
    const F scale(multiplier);
    for (std::int64_t place = 0; place < g.sites; ++place) {
      const std::int32_t site = g.site[place];
      for (int lane = 0; lane < lanes; lane += Access::width) {
        const Site s = load(spins, site, lane);
        U sum_of_site(0U);  // the sum of a site has room, see choose_energy_scale
        if constexpr (G::has_fields) {
          if (g.fields != nullptr) {
            sum_of_site = exact::round_to_bits(exact::mul(model.in_field(field(g, site), s), scale));
          }
        }
        if constexpr (M::has_site_energy) {
          sum_of_site = sum_of_site - exact::round_to_bits(exact::mul(model.site_energy(s), scale));
        }
        for (std::int64_t k = g.owned[place]; k < g.begin[place + 1]; ++k) {
          const F x = model.product(s, load(spins, g.links[k].site, lane));
          sum_of_site = sum_of_site + exact::round_to_bits(exact::mul(exact::mul(F(g.links[k].J), x), scale));
        }
        for_owned_terms<terms>(g, place, [&](const ManyBodyTerm& term) {
          const F x = model.product(s, product_of_others(g, term, spins, lane));
          sum_of_site = sum_of_site + exact::round_to_bits(exact::mul(exact::mul(F(term.J), x), scale));
        });
        Access::add_wide(sum + lane, sum_of_site);
      }
    }
  }

  static void site_sums(const GraphSites& g, const SpinModel& spin_model, const SumScales& scales, const void* all,
                        int lanes, std::int64_t* planes) {
    const Number* const spins = numbers(all);
    const G model(spin_model);
    const int columns = plane_columns(spin_model);
    const F scale(measures_vectors<M> ? scales.component.multiplier() : 1.0F);
    for (std::int64_t site = 0; site < g.sites; ++site) {
      for (int lane = 0; lane < lanes; lane += Access::width) {
        model.add_to_planes(load(spins, site, lane), scale, [&](int column, U term) {
          for (int axis = 0; axis < g.planes_of_site; ++axis) {
            const std::int64_t plane = g.plane_of[site * g.planes_of_site + axis];
            Access::add_wide(planes + (plane * columns + column) * bundle_lanes + lane, term);
          }
        });
      }
    }
  }

  template <bool terms>
  static void pair_sums_of(const GraphSites& g, const SpinModel& spin_model, const SumScales& scales, const void* first,
                           const void* second, int lanes, std::int64_t* planes, std::int64_t* link) {
    const Number *const a = numbers(first), *const b = numbers(second);
    const G model(spin_model);
    const F scale(scales.product.multiplier()), of_link(scales.quartic.multiplier());
    for (std::int64_t place = 0; place < g.sites; ++place) {
      const std::int64_t site = g.site[place];
      for (int lane = 0; lane < lanes; lane += Access::width) {
        const Site u = load(a, site, lane), v = load(b, site, lane);
        model.add_pair(u, v, scale, [&](int column, U term) {
          for (int axis = 0; axis < g.planes_of_site; ++axis) {
            const std::int64_t plane = g.plane_of[site * g.planes_of_site + axis];
            Access::add_wide(planes + (plane * G::pair_columns + column) * bundle_lanes + lane, term);
          }
        });
        for (std::int64_t k = g.owned[place]; k < g.begin[place + 1]; ++k) {
          const std::int32_t next = g.links[k].site;
          const F x = model.product(u, load(a, next, lane)), y = model.product(v, load(b, next, lane));
          Access::add_wide(link + lane, exact::round_to_bits(exact::mul(exact::mul(x, y), of_link)));
        }
        for_owned_terms<terms>(g, place, [&](const ManyBodyTerm& term) {
          const F x = model.product(u, product_of_others(g, term, a, lane));
          const F y = model.product(v, product_of_others(g, term, b, lane));
          Access::add_wide(link + lane, exact::round_to_bits(exact::mul(exact::mul(x, y), of_link)));
        });
      }
    }
  }

  static void project(std::int64_t sites, const void* all, const float* direction, int lanes, float* projection) {
    const Number* const spins = numbers(all);
    for (int lane = 0; lane < lanes; lane += Access::width) {
      Site r;
      GLASSWORKS_UNROLL
      for (int k = 0; k < G::stored; ++k) r.c[k] = Access::load(direction + k * bundle_lanes + lane);
      for (std::int64_t site = 0; site < sites; ++site) {
        Access::store(projection + site * bundle_lanes + lane, exact::dot(r, load(spins, site, lane)));
      }
    }
  }

  static void activate(const GraphActivation& job, const void* all) {
    const Number* const spins = numbers(all);
    for (std::int64_t block = 0; 4 * block < job.bonds; ++block) {
      const auto start = exact::start_philox(job.key, static_cast<std::uint32_t>(block), job.word1, job.word2);
      const int here = job.bonds - 4 * block < 4 ? static_cast<int>(job.bonds - 4 * block) : 4;
      std::uint32_t active[4] = {};
      for (int lane = 0; lane < job.lanes; lane += Access::width) {
        U w[4];
        Access::philox(start, Access::load(job.word3 + lane), w);
        for (int k = 0; k < here; ++k) active[k] |= active_lanes(job, spins, 4 * block + k, lane, w[k]) << lane;
      }
      for (int k = 0; k < here; ++k) job.active[4 * block + k] = static_cast<std::uint16_t>(active[k]);
    }
  }

  GLASSWORKS_HD static std::uint32_t active_lanes(const GraphActivation& job, const Number* spins, std::int64_t bond,
                                                  int lane, U word) {
    const std::int32_t a = job.ends[bond].a, b = job.ends[bond].b;
    const float J = job.couplings[bond];
    const F factor = Access::load(job.minus_factor_beta + lane);
    if constexpr (G::vectors) {
      const F x = Access::load(job.projection + std::int64_t{a} * bundle_lanes + lane);
      const F y = Access::load(job.projection + std::int64_t{b} * bundle_lanes + lane);
      return Access::signs(exact::active_flags(exact::reflected_exponent(factor, F(J), x, y), word));
    } else {
      const std::uint32_t differ = Access::signs(G::differ(load(spins, a, lane), load(spins, b, lane)));
      const std::uint32_t satisfied = J < 0.0F ? differ : ~differ;
      if (job.uniform) return satisfied & Access::below(word, exact::as_uint(Access::load(job.threshold + lane)));
      return satisfied & Access::signs(exact::active_flags(exact::satisfied_exponent(factor, F(J)), word));
    }
  }

  static void draw(const GraphActivation& job, std::int64_t begin, std::int64_t end, std::uint32_t* words) {
    for (std::int64_t block = begin; block < end; ++block) {
      const auto start = exact::start_philox(job.key, static_cast<std::uint32_t>(block), job.word1, job.word2);
      for (int lane = 0; lane < job.lanes; lane += Access::width) {
        U w[4];
        Access::philox(start, Access::load(job.word3 + lane), w);
        for (int k = 0; k < 4; ++k) Access::store(words + ((block - begin) * 4 + k) * bundle_lanes + lane, w[k]);
      }
    }
  }

  static void move(std::int64_t sites, void* all, const std::uint32_t* fate, const float* direction,
                   const float* projection, int lanes, std::int64_t* moved) {
    Number* const spins = numbers(all);
    for (std::int64_t site = 0; site < sites; ++site) {
      for (int lane = 0; lane < lanes; lane += Access::width) {
        const U to = Access::load(fate + site * bundle_lanes + lane);
        Site s = load(spins, site, lane);
        if constexpr (G::vectors) {
          Site r;
          GLASSWORKS_UNROLL
          for (int k = 0; k < G::stored; ++k) r.c[k] = Access::load(direction + k * bundle_lanes + lane);
          const Site t = exact::reflect(s, r, Access::load(projection + site * bundle_lanes + lane));
          GLASSWORKS_UNROLL
          for (int k = 0; k < G::stored; ++k) s.c[k] = exact::select_zero(to, s.c[k], t.c[k]);
        } else {
          s.c[0] = exact::flip_sign(s.c[0], exact::shift_left<31>(to));
        }
        store(spins, site, lane, s);
        Access::add_wide(moved + lane, to);
      }
    }
  }

  static void local_sweep(const GraphSites& g, const GraphSweep& sweep, void* spins) {
    by_terms(g, [&](auto t) { local_sweep_of<decltype(t)::value>(g, sweep, spins); });
  }
  static void metropolis(const GraphSites& g, const GraphSweep& sweep, void* spins) {
    by_terms(g, [&](auto t) { metropolis_of<decltype(t)::value>(g, sweep, spins); });
  }
  static void energy(const GraphSites& g, const SpinModel& model, const void* spins, float multiplier, int lanes,
                     std::int64_t* sum) {
    by_terms(g, [&](auto t) { energy_of<decltype(t)::value>(g, model, spins, multiplier, lanes, sum); });
  }
  static void pair_sums(const GraphSites& g, const SpinModel& model, const SumScales& scales, const void* a,
                        const void* b, int lanes, std::int64_t* planes, std::int64_t* link) {
    by_terms(g, [&](auto t) { pair_sums_of<decltype(t)::value>(g, model, scales, a, b, lanes, planes, link); });
  }

  static constexpr GraphTable table() {
    GraphTable t{local_sweep, metropolis, nullptr, nullptr, energy, site_sums,
                 pair_sums,   nullptr,    nullptr, nullptr, draw};
    if constexpr (G::vectors) {
      t.over_relax = over_relax;
      t.renormalize = renormalize;
      t.project = project;
    }
    if constexpr (G::has_clusters) t.activate = activate;
    if constexpr (G::has_clusters && !std::is_same_v<M, Potts>) t.move = move;
    return t;
  }
};

/// The kernels of a model for lanes F.
template <class F>
const GraphTable* graph_kernels_of(const SpinModel& model) {
  const GraphTable* table = nullptr;
  for_model(model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      static constexpr GraphTable of_model = GraphKernels<M, F>::table();
      table = &of_model;
    }
  });
  return table;
}

}}  // namespace glassworks::cpu
