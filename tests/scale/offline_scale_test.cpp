#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/report/html_page.hpp"
#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks { namespace {

/// Realizations of each of the four sizes: 40, or as many as GLASSWORKS_SCALE_REALIZATIONS says (1000 is a real
/// campaign).
int realizations_of_a_size() {
  const char* text = std::getenv("GLASSWORKS_SCALE_REALIZATIONS");
  return text == nullptr ? 40 : std::max(std::atoi(text), 8);
}

/// The whole report of four sizes with 64 temperatures, 200 jackknife blocks, reweighting at 400 temperatures: within a
/// minute and 2 GB for 1000 realizations of each size on two cores.
TEST(OfflineAnalysisScale, ReportOfFourSizes) {
  testing::SyntheticModel model;
  model.L = {4, 6, 8, 12};
  model.realizations = realizations_of_a_size();
  for (int slot = 0; slot < 64; ++slot) model.temperatures.push_back(0.1 * std::pow(6.0, slot / 63.0));
  const testing::DiskDirectory directory;
  testing::write_synthetic_campaign(directory.path() / database_file_name, model);
  const Database database = Database::open(directory.path() / database_file_name, DatabaseAccess::read_only);

  testing::Timer timer;
  const Document document = campaign_report("scale", database, {});
  const std::string page = html_page(document);
  const double seconds = timer.lap();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double gigabytes = 1e-6 * static_cast<double>(usage.ru_maxrss);
  std::printf("report of 4 x %d realizations: %.1f s, at most %.2f GB, page %.1f MB, database %.0f MB\n",
              model.realizations, seconds, gigabytes, 1e-6 * static_cast<double>(page.size()),
              1e-6 * static_cast<double>(directory.bytes()));
  EXPECT_LT(seconds, 60.0 * std::max(1.0, model.realizations / 1000.0));
  EXPECT_LT(gigabytes, 2.0 * std::max(1.0, model.realizations / 1000.0));
}

}}  // namespace glassworks
