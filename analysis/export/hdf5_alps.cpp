#include "analysis/export/hdf5_alps.hpp"

#include <fmt/format.h>

#include "analysis/export/hdf5_file.hpp"
#include "analysis/export/hdf5_parameters.hpp"
#include "analysis/export/observable_info.hpp"

namespace glassworks { inline namespace analysis {
namespace {

void write_result(Hdf5Group& results, const Curve& curve, std::size_t slot) {
  Hdf5Group group = results.group(curve.observable);  // no name holds '/' or '&', which ALPS would encode
  const ObservableInfo info = describe_observable(curve.observable);
  const double value = curve.value[slot], error = curve.error(slot);
  group.attribute("cannotrebin", true);
  group.attribute("units", info.units);
  group.attribute("description", info.equation);
  group.scalar("count", static_cast<std::uint64_t>(curve.realizations));
  Hdf5Group mean = group.group("mean");
  mean.scalar("value", value);
  mean.scalar("error", error);
  group.group("variance").scalar("value", curve.realizations * error * error);

  const std::size_t blocks = curve.sampled.size();
  std::vector<double> jackknife{value}, pseudovalues;
  const auto n = static_cast<double>(blocks);
  for (const std::vector<double>& sample : curve.sampled) {
    jackknife.push_back(sample[slot]);
    pseudovalues.push_back(n * value - (n - 1.0) * sample[slot]);
  }
  if (blocks == 0) pseudovalues.push_back(value);  // one realization
  Hdf5Group series = group.group("timeseries");
  series.array<double>("data", pseudovalues, {pseudovalues.size()},
                       {"[block]", "pseudovalues of blocks of realizations", {}});
  series.attribute_of("data", "binningtype", "linear");
  series.attribute_of("data", "binsize", std::int64_t{1});
  series.attribute_of("data", "maxbinnum", std::int64_t{0});
  if (blocks == 0) return;
  Hdf5Group leave_out = group.group("jacknife");  // as ALPS spells it
  leave_out.array<double>("data", jackknife, {blocks + 1}, {"[1 + block]", "all, then without each block", {}});
  leave_out.attribute_of("data", "binningtype", "linear");
}

}  // namespace

std::string alps_file_name(int L, std::size_t slot) { return fmt::format("alps/L{}.task{}.out.h5", L, slot + 1); }

void write_alps_file(const std::filesystem::path& path, const std::string& name, const std::string& config_text,
                     const ExportedSize& size, std::size_t slot) {
  Hdf5File file(path, name);
  {
    Hdf5Group root = file.root();
    Hdf5Group parameters = root.group("parameters");
    const double T = size.size.temperatures[slot];
    parameters.scalar("L", static_cast<std::uint64_t>(size.size.L));
    parameters.scalar("T", T);
    parameters.scalar("beta", 1.0 / T);
    write_parameters(parameters, config_text);
    Hdf5Group simulation = root.group("simulation");
    Hdf5Group results = simulation.group("results");
    for (const Curve& curve : size.curves) {
      if (slot < curve.temperatures.size()) write_result(results, curve, slot);
    }
  }
  file.close();
}

}}  // namespace glassworks::analysis
