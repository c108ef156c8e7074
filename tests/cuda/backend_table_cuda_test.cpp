#include <gtest/gtest.h>

#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/backend_cells.hpp"

namespace glassworks { namespace {

class BackendTableOnDevice : public test::OnDevice {};

TEST_F(BackendTableOnDevice, EveryCellIsTrue) {
  const auto reference = test::oracle_backend(test::Oracle::reference), cuda = test::cuda_backend();
  for (const BackendCell& cell : backend_cells()) {
    test::expect_true(*cuda, *reference, cell);
    EXPECT_EQ(cuda->refusal(cell.chain), refusal_of(BackendKind::cuda, cell.chain)) << test::name_of(cell);
    const KernelFamily* const family = family_of(BackendKind::cuda, cell.chain);
    if (family == nullptr) continue;
    const std::string said = cuda->kernel_description(cell.chain);
    EXPECT_EQ(said.starts_with("multi-spin"), family->kind == KernelKind::bits) << test::name_of(cell) << ": " << said;
    if (family->kind == KernelKind::plain) {
      EXPECT_TRUE(said.starts_with("plain")) << test::name_of(cell) << ": " << said;
    }
  }
}

}}  // namespace glassworks
