#include "engine/config/foreign_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/text.hpp"
#include "engine/config/model_rules.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr std::size_t longest_foreign_word = 64;

constexpr auto common_words = std::to_array<ForeignWords>({
    {"model.type", "edwards-anderson|ea|spin-glass|glass",
     "Use ising (or heisenberg, xy, on) with model.couplings = gaussian or bimodal."},
    {"model.type", "antiferromagnet|afm|antiferro",
     "Use ising (or heisenberg, xy, on) with model.couplings = bimodal and model.bimodal_p = 0."},
    {"model.type", "ferromagnet|fm|ferro", "Use ising (or another model) with model.couplings = ferromagnet."},
    {"model.type", "random-field|rfim|random-field-ising",
     "Use ising with model.couplings = ferromagnet and model.field = gaussian."},
    {"model.type", "o(2)|o2|planar|rotor|plane-rotator", "Use xy."},
    {"model.type", "o(3)|o3|classical-heisenberg",
     "Use heisenberg, or on with model.n = 3 for cluster updates and other lattices."},
    {"model.type", "o(4)|o4", "Use on with model.n = 4."},
    {"model.type", "o(n)|n-vector|vector", "Use on with model.n components."},
    {"model.type", "phi^4|phi-4|scalar", "Use phi4."},
    {"model.type", "sk|sherrington-kirkpatrick|p-spin|mean-field|random-graph|bethe",
     "Which spins have couplings is a matter of model.lattice here (complete, random-regular and others)."},
    {"model.type", "ashkin-teller|potts-glass", "There is no such model here."},
    {"model.couplings", "normal|gauss|continuous", "Use gaussian."},
    {"model.couplings", "+-j|+-1|+/-j|+/-1|pmj|pm1|pm-j|binary|bernoulli|discrete|j-j|rademacher", "Use bimodal."},
    {"model.couplings", "edwards-anderson|ea|spin-glass|glass|random|disordered", "Use gaussian or bimodal."},
    {"model.couplings", "antiferromagnet|antiferromagnetic|antiferro|afm|af|-1",
     "Use bimodal with model.bimodal_p = 0."},
    {"model.couplings", "ferro|ferromagnetic|fm|constant|homogeneous|pure|clean|ones|1|none", "Use ferromagnet."},
    {"model.couplings", "uniform|box|exponential|laplace|levy",
     "Use files, which hold couplings of any distribution (or ferromagnet, if all J are 1)."},
    {"model.couplings", "diluted|dilute", "Use model.bond_dilution with gaussian, bimodal or ferromagnet."},
    {"model.couplings", "sk|sherrington-kirkpatrick|mean-field|all-to-all",
     "Use model.lattice = complete with gaussian or bimodal."},
    {"model.lattice", "chain|linear|1d", "Use hypercubic with model.dim = 1."},
    {"model.lattice", "square|2d|rectangular", "Use hypercubic with model.dim = 2."},
    {"model.lattice", "cubic|simple-cubic|sc|cube|3d", "Use hypercubic with model.dim = 3."},
    {"model.lattice", "face-centred-cubic|face-centered-cubic", "Use fcc."},
    {"model.lattice", "body-centred-cubic|body-centered-cubic", "Use bcc."},
    {"model.lattice", "hexagonal|hex|graphene", "Use honeycomb."},
    {"model.lattice", "random-graph|er|gnp|poisson", "Use erdos-renyi or random-regular, with model.degree."},
    {"model.lattice", "regular|rrg|random-regular-graph", "Use random-regular with model.degree."},
    {"model.lattice", "sk|sherrington-kirkpatrick|fully-connected|mean-field|infinite-range", "Use complete."},
    {"model.lattice", "cayley|cayley-tree|tree", "Use bethe with model.degree."},
    {"model.lattice", "long-range|power-law-chain", "Use power-law or power-law-complete, with model.sigma."},
    {"model.lattice", "file|edge-list|edges|network", "Use graph with model.graph = <path>."},
    {"model.boundary", "pbc|closed|cyclic|wrap|torus", "Use periodic."},
    {"model.boundary", "obc|fbc|free|none", "Use open."},
    {"model.boundary", "apbc|anti", "Use antiperiodic."},
    {"model.boundary", "fixed|helical|screw|twisted", "There are no such ends here."},
    {"model.field", "homogeneous|external", "Use constant."},
    {"model.field", "normal|gauss|random", "Use gaussian."},
    {"model.field", "bimodal|pm|+-h", "Use sphere: of ising its fields are model.field_strength with random signs."},
    {"protocol.kind", "metropolis|metropolis-hastings",
     "Use local with protocol.local = metropolis; protocol.multispin = metropolis is the rule for ising with "
     "model.couplings = bimodal, many realizations at once."},
    {"protocol.kind", "heatbath|glauber|gibbs|single-spin|single-flip|checkerboard|sequential|random-sequential",
     "Use local, whose sweeps are heat bath (protocol.heatbath)."},
    {"protocol.kind", "overrelaxation|microcanonical|reflection", "Use local with protocol.overrelaxation."},
    {"protocol.kind", "sw|swendsen|swendsenwang|multi-cluster|cluster", "Use swendsen-wang."},
    {"protocol.kind", "wolff-cluster|single-cluster|wolf", "Use wolff."},
    {"protocol.kind", "houdayer|isoenergetic|icm|isoenergetic-cluster", "Use local with protocol.isoenergetic = 1."},
    {"protocol.kind", "pt|parallel-tempering|tempering|replica-exchange|exchange|remc",
     "Use local: tempering follows from two temperatures or more (protocol.exchange)."},
    {"protocol.kind", "worm|wang-landau|multicanonical|muca|event-chain|ecmc|population-annealing|pa|kmc|langevin|hmc",
     "There is no such update here; use local, swendsen-wang or wolff."},
    {"protocol.moves", "local|glauber|gibbs|single-spin|single-flip", "Use heat-bath."},
    {"protocol.moves", "metropolis-hastings", "Use metropolis."},
    {"protocol.moves", "creutz|demons", "Use demon."},
    {"protocol.local", "metropolis-hastings|single-flip", "Use metropolis."},
    {"protocol.local", "heatbath|glauber|gibbs", "Use heat-bath."},
    {"protocol.local", "microcanonical|creutz|demons", "Use demon."},
    {"protocol.moves", "microcanonical|reflection|or", "Use over-relaxation."},
    {"protocol.moves", "sw|swendsen|multi-cluster|cluster", "Use swendsen-wang."},
    {"protocol.moves", "single-cluster|wolf", "Use wolff."},
    {"protocol.moves", "houdayer|icm", "Use isoenergetic."},
    {"protocol.moves", "exchange|pt|tempering|parallel-tempering|swap",
     "Exchanges follow every step by themselves (protocol.exchange)."},
    {"protocol.exchange", "on|yes|true|pt|deo|checkerboard", "Use even-odd."},
    {"protocol.exchange", "off|no|false", "Use none."},
    {"protocol.exchange", "seo|random", "Use even-odd or sequential."},
    {"protocol.multispin", "on|yes|true|msc", "Use metropolis."},
    {"protocol.multispin", "glauber|gibbs|heatbath", "Use heat-bath."},
    {"protocol.multispin", "none|no|false", "Use off."},
    {"ladder.kind", "log|logarithmic|exponential|geom", "Use geometric."},
    {"ladder.kind", "uniform|equidistant|arithmetic|linspace", "Use linear."},
    {"ladder.kind", "beta|betas|inverse|custom|manual|explicit|given",
     "Use list with ladder.temperatures, where T = 1/beta."},
    {"ladder.adapt", "yes|on|true|acceptance|uniform", "Use rejection."},
    {"ladder.adapt", "no|off|false", "Use none."},
    {"ladder.adapt", "round-trips|round-trip|katzgraber", "Use feedback."},
    {"campaign.start", "hot|disordered|infinite|quench", "Use random."},
    {"campaign.start", "cold|up|aligned|ferromagnet", "Use ordered."},
    {"campaign.start", "file|checkpoint|state|configuration|campaign|restart", "Use stored, with campaign.start_from."},
    {"campaign.start", "anneal|annealing|simulated-annealing|cooled", "Use annealed."},
    {"campaign.generator", "philox|curand|default|mt19937|mersenne-twister|xorwow|pcg|pcg64|taus|lcg",
     "Use philox4x32: generators are functions of a counter here."},
    {"campaign.generator", "threefry", "Use threefry4x32."},
    {"backend.kind", "gpu|nvidia|device", "Use cuda."},
    {"backend.kind", "host|openmp|omp|threads|simd|avx|avx2|avx512|native", "Use cpu."},
    {"backend.kind", "hip|rocm|amd|opencl|metal|sycl", "Use cpu: of GPUs only those of NVIDIA are used."},
    {"backend.isa", "native|best", "Use auto."},
    {"backend.isa", "sse|sse2|scalar|generic|none|neon", "Use portable."},
    {"backend.isa", "avx512f|avx-512", "Use avx512."},
    {foreign_key, "temperature|temp|temps|t|tlist|t-list", "Use ladder.temperatures."},
    {foreign_key, "beta|betas|inverse-temperature", "Use ladder.temperatures, where T = 1/beta."},
    {foreign_key, "beta-min|min-beta", "Use ladder.T_max, where T = 1/beta."},
    {foreign_key, "beta-max|max-beta", "Use ladder.T_min, where T = 1/beta."},
    {foreign_key, "tmin|temp-min|temperature-min|min-temperature|tlow", "Use ladder.T_min."},
    {foreign_key, "tmax|temp-max|temperature-max|max-temperature|thigh", "Use ladder.T_max."},
    {foreign_key, "ntemps|nt|num-temps|n-temps|num-temperatures|n-temperatures|nbeta|nbetas",
     "Use ladder.slots, the number of temperatures."},
    {foreign_key, "nreplicas|n-replicas|num-replicas|replicas|real-replicas|nrep",
     "Use ladder.slots for the temperatures, and replicas.copies for copies of the same disorder."},
    {foreign_key, "random-seed|rng-seed|iseed|rseed", "Use campaign.seed."},
    {foreign_key, "rng|prng|random-generator", "Use campaign.generator."},
    {foreign_key,
     "samples|nsamples|n-samples|num-samples|disorder-samples|instances|n-instances|ndisorder|num-disorder",
     "Use disorder.realizations."},
    {foreign_key, "size|length|lattice-size|linear-size|system-size|lx|edge|n",
     "Use model.L, the edge length (model.shape for edges that differ; of random graphs the number of sites)."},
    {foreign_key, "d|ndim|dims|dimension|dimensions", "Use model.dim."},
    {foreign_key, "j|coupling|bond|bonds|interaction|interactions|disorder-type|bond-distribution",
     "Use model.couplings."},
    {foreign_key, "z|connectivity|coordination|mean-degree", "Use model.degree."},
    {foreign_key, "h|magnetic-field|external-field|hfield", "Use model.field = constant with model.field_strength."},
    {foreign_key, "p|prob-ferro", "Use model.bimodal_p, the probability of J = +1."},
    {foreign_key, "hamiltonian|spin|spins|spin-type", "Use model.type."},
    {foreign_key, "bc|pbc|boundary-conditions|boundary-condition", "Use model.boundary."},
    {foreign_key, "nstates|n-states|states|nq", "Use model.q."},
    {foreign_key, "components|ncomponents|n-components", "Use model.n."},
    {foreign_key, "algorithm|update|updates|method|updater|move|moves|dynamics", "Use protocol.kind."},
    {foreign_key, "sweeps|nsweeps|n-sweeps|num-sweeps|steps|nsteps|n-steps|mcs|mc-steps|mcsteps|iterations|max-sweeps",
     "Use convergence.min_rounds and convergence.max_rounds: a round is round.measurements measurements, and "
     "each realization runs until it meets the convergence criteria. A history in time has course.sweeps."},
    {foreign_key,
     "thermalization|therm|ntherm|thermal|burnin|burn-in|warmup|warm-up|equilibration|nequi|eqsteps|"
     "equilibration-sweeps|equilibration-steps",
     "Leave it out: averages leave out convergence.equilibration_tau autocorrelation times, at least an eighth of the "
     "rounds."},
    {foreign_key, "nmeas|n-meas|nmeasurements|num-measurements|measurements", "Use round.measurements."},
    {foreign_key, "measure-every|measurement-interval|sweeps-per-measurement|interval-measure|thin|thinning",
     "Use protocol.exchanges_per_measurement."},
    {foreign_key, "exchange-interval|pt-interval|swap-interval|sweeps-per-swap", "Use protocol.sweeps_per_exchange."},
    {foreign_key, "multihit|multi-hit|nhit|n-hit|hits|tile-hits", "Use protocol.tile_repeats, with protocol.tile."},
    {foreign_key, "output|outdir|out-dir|output-dir|output-directory|outfile|out|folder|path",
     "Use campaign.directory."},
    {foreign_key, "nthreads|n-threads|num-threads|omp-num-threads|ncpu|cores|nproc", "Use backend.threads."},
    {foreign_key, "gpu|gpus|cuda|device|gpu-id",
     "Use backend.kind = cuda, and backend.devices to choose among devices."},
    {foreign_key, "walltime|wall-time|max-time|time-limit|timelimit", "Use `glassworks run --time-limit`."},
    {foreign_course_key, "length|duration|steps|nsteps|n-steps|mcs|end|time-max|max-time|tmax|t-max|total|iterations",
     "Use course.sweeps, the length of the history."},
    {foreign_course_key, "tw|wait|waits|waiting|waiting-time|reference-times|references|age|ages",
     "Use course.waiting_times."},
    {foreign_course_key, "measure|measurements|measure-at|measure-every|measurement-times|sampling|every|interval",
     "Use course.times, such as 10 per decade."},
    {foreign_course_key,
     "temperature|temperatures|temp|t|quench|protocol|schedule|stages|steps-of-temperature|cooling|heating|cycle|ramp|"
     "rate|"
     "field|fields",
     "Use course.segments, such as 1000 from 2 to 0.5, at 0.7 (a number of sweeps and the temperature; field 0.5: the "
     "part of the fields that acts)."},
    {foreign_course_key, "start|initial|initial-state", "Use campaign.start."},
    {foreign_course_key, "copies|replicas|clones", "Use replicas.copies."},
    {foreign_verb, "simulate|sim|start|continue|resume|restart|execute|exec|mc",
     "`glassworks run` begins a campaign, and continues it."},
    {foreign_verb, "list|ls|info|show|progress|state", "`glassworks status` shows a campaign."},
    {foreign_verb, "monitor|top|tail|follow|live", "`glassworks watch` follows a campaign."},
    {foreign_verb, "results|average|averages|stats|statistics|analysis|fit|scaling|observable",
     "`glassworks analyze` prints averages, and `glassworks report` also fits them."},
    {foreign_verb, "stop|kill|cancel|pause|abort|quit", "Ctrl-C stops a run, and `glassworks run` continues it."},
    {foreign_verb, "create|new|template|config|configure", "`glassworks init` writes a configuration."},
    {foreign_verb, "check|fsck|checksum", "`glassworks verify` checks a campaign."},
    {foreign_verb, "dump|archive|pack|convert", "`glassworks export` writes files, and `glassworks publish` a folder."},
    {foreign_verb, "benchmark|speed|time|timing", "`glassworks bench` measures the speed."},
    {foreign_verb, "groundstate|groundstates|ground-state|ground-states|minimize|optimize|anneal",
     "`glassworks ground` looks for lowest energies."},
    {foreign_verb, "slurm|sbatch|queue|batch|mpirun|mpi", "`glassworks submit` starts a campaign in Slurm."},
    {foreign_verb, "keys|options|observables|completion|man|docs|manual",
     "`glassworks describe` prints keys, observables, completion and manual pages."},
    {foreign_verb, "gpu|gpus|device|devices|selftest|self-test|test|diagnose",
     "`glassworks doctor` tests this machine and lists its devices."},
    {foreign_verb, "draw|figure|figures|graph|print", "`glassworks plot` draws figures."},
    {foreign_verb, "explain|reason", "`glassworks why` explains the state of a realization."},
    {foreign_verb, "percolation|clusters|cluster", "`glassworks percolate` simulates percolation."},
});

/// Those above, and those that the rules of a model have.
const std::vector<ForeignWords>& foreign_words() {
  static const std::vector<ForeignWords> words = [] {
    std::vector<ForeignWords> all(common_words.begin(), common_words.end());
    for (int kind = 0; kind < model_kinds; ++kind) {
      const ModelRules& rules = rules_of({.kind = static_cast<ModelKind>(kind)});
      if (*rules.words != '\0') all.push_back({"model.type", rules.words, rules.instead});
    }
    return all;
  }();
  return words;
}

bool letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Small letters, without the hyphens, underscores and blanks between letters.
std::string without_joints(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = i > 0 && i + 1 < text.size() && letter_or_digit(text[i - 1]) && letter_or_digit(text[i + 1]);
    if (between && (text[i] == '-' || text[i] == '_' || text[i] == ' ')) continue;
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return result;
}

bool has_foreign_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (without_joints(words.substr(0, end)) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::span<const ForeignWords> all_foreign_words() { return foreign_words(); }

std::string_view instead_of(std::string_view subject, std::string_view word) {
  if (word.size() > longest_foreign_word) return {};
  if (subject == foreign_key && word.starts_with("course.")) {
    const std::string_view sentence = instead_of(foreign_course_key, word.substr(word.find('.') + 1));
    if (!sentence.empty()) return sentence;
  }
  if (subject == foreign_key) word.remove_prefix(word.rfind('.') + 1);
  const std::string small = without_joints(word);
  for (const ForeignWords& row : foreign_words()) {
    if (row.subject == subject && has_foreign_word(row.words, small)) return row.sentence;
  }
  return {};
}

std::string advice_for(std::string_view subject, std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view otherwise, std::string_view prefix) {
  const auto last_part = [](std::string_view name) { return name.substr(name.rfind('.') + 1); };
  const bool lacks_section = subject == foreign_key && last_part(near_name(word, candidates)) == last_part(word);
  const std::string_view sentence = lacks_section ? std::string_view() : instead_of(subject, word);
  return sentence.empty() ? suggestion(word, candidates, otherwise, prefix) : std::string(sentence);
}

}}  // namespace glassworks::engine
