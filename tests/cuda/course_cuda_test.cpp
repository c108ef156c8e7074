#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/course_cases.hpp"

/// Courses on the device: temperatures and fields that change between pieces.
namespace glassworks { namespace {

using namespace test;

class CudaCourse : public OnDeviceWith<CourseCase> {};

TEST_P(CudaCourse, SameBitsAsTheHost) {
  const auto cuda = cuda_backend(), host = oracle_backend(Oracle::reference);
  for (const Lattice lattice : {Lattice{2, 8}, Lattice{3, 8}}) {
    const Chain chain = chain_of(GetParam(), lattice);
    if (const std::string refusal = cuda->refusal(chain); !refusal.empty()) GTEST_SKIP() << refusal;
    const Course course = course_of(GetParam(), chain);
    const std::vector<Disorder> disorder{disorder_of(GetParam(), lattice, 3), disorder_of(GetParam(), lattice, 4),
                                         disorder_of(GetParam(), lattice, 5)};
    const Walked expected = walk(*host, chain, disorder, course);
    const std::string what = "d = " + std::to_string(lattice.dim);
    expect_same_walk(walk(*cuda, chain, disorder, course), expected, what);
    expect_same_walk(walk(*cuda, chain, disorder, course, {1, 3, 7, 11}), expected, what + ", cut");
  }
}

INSTANTIATE_TEST_SUITE_P(Chains, CudaCourse, ::testing::ValuesIn(course_cases),
                         [](const auto& one) { return one.param.name; });

}}  // namespace glassworks
