#include "analysis/export/hdf5.hpp"

namespace glassworks { inline namespace analysis {

namespace {

[[noreturn]] void refuse_hdf5() {
  throw InputError(
      InputFault::unsupported, "HDF5",
      "HDF5 files cannot be written (this program was built without HDF5). Install libhdf5-dev and build again; "
      "`glassworks export --csv` writes the tables without it.");
}

}  // namespace

std::unique_ptr<ExportWriter> make_hdf5_writer(Staging&, const CampaignSnapshot&, const std::vector<Provenance>&,
                                               const std::string&, RawBins) {
  refuse_hdf5();
}

void write_course_file(Staging&, const CampaignSnapshot&, const std::vector<Provenance>&, const std::string&,
                       std::span<const ExportedSize>, const CourseAnalysis&, RawBins) {
  refuse_hdf5();
}

}}  // namespace glassworks::analysis
