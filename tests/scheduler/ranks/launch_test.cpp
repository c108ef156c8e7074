#include "scheduler/ranks/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string open_mpi = "Open MPI v4.1.4", mpich = "MPICH Version: 4.0.2", no_mpi;

Environment joined(Environment a, const Environment& b) {
  for (const auto& [name, value] : b) a[name] = value;
  return a;
}

// As Slurm 22.05 and Open MPI 4.1 set them.
Environment job(int tasks) {
  return {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", std::to_string(tasks)}, {"SLURM_PROCID", "0"}};
}
Environment srun(int tasks, int rank, const std::string& type) {
  Environment step = joined(job(tasks), {{"SLURM_STEP_NUM_TASKS", std::to_string(tasks)},
                                         {"SLURM_PROCID", std::to_string(rank)},
                                         {"SLURM_STEP_ID", "0"}});
  if (type == "none") return step;
  step["SLURM_MPI_TYPE"] = type;
  if (type == "pmi2") {
    return joined(step, {{"PMI_SIZE", std::to_string(tasks)}, {"PMI_RANK", std::to_string(rank)}, {"PMI_FD", "11"}});
  }
  return joined(step, {{"PMIX_RANK", std::to_string(rank)}, {"PMIX_NAMESPACE", "slurm.pmix.5.0"}});
}
Environment mpirun(int ranks, int rank) {
  return {{"OMPI_COMM_WORLD_SIZE", std::to_string(ranks)},
          {"OMPI_COMM_WORLD_RANK", std::to_string(rank)},
          {"PMIX_RANK", std::to_string(rank)}};
}
Environment mpiexec(int ranks, int rank) {
  return {{"PMI_SIZE", std::to_string(ranks)}, {"PMI_RANK", std::to_string(rank)}, {"PMI_FD", "9"}};
}

void expect_ranks(const Launch& launch, int ranks, int rank, const std::string& launcher) {
  EXPECT_EQ(launch.ranks, ranks);
  EXPECT_EQ(launch.rank, rank);
  EXPECT_EQ(launch.launcher, launcher);
  EXPECT_THAT(launch.problem, IsEmpty());
}

TEST(Launch, AnOrdinaryRunIsOneProcess) {
  for (const std::string& library : {open_mpi, mpich, no_mpi}) {
    expect_ranks(launch_of({}, library), 1, 0, "");
    expect_ranks(launch_of(job(4), library), 1, 0, "");  // in a batch script or in salloc, without a launcher
    for (const std::string type : {"none", "pmi2", "pmix"})
      expect_ranks(launch_of(srun(1, 0, type), library), 1, 0, "");
    expect_ranks(launch_of(mpirun(1, 0), library), 1, 0, "");
    expect_ranks(launch_of(mpiexec(1, 0), library), 1, 0, "");
  }
}

TEST(Launch, TheRanksOfALauncherAreSeen) {
  expect_ranks(launch_of(mpirun(4, 3), open_mpi), 4, 3, "mpirun");
  expect_ranks(launch_of(srun(4, 2, "pmix"), open_mpi), 4, 2, "srun");
  expect_ranks(launch_of(srun(4, 2, "pmix_v4"), open_mpi), 4, 2, "srun");
  expect_ranks(launch_of(mpiexec(3, 1), mpich), 3, 1, "mpiexec");
  expect_ranks(launch_of(srun(3, 1, "pmi2"), mpich), 3, 1, "srun");
}

/// Inside a job, mpirun and mpiexec start their helpers by srun: its variables are there, but mean those helpers.
TEST(Launch, TheInnermostLauncherCounts) {
  expect_ranks(launch_of(joined(srun(2, 0, "none"), mpirun(6, 5)), open_mpi), 6, 5, "mpirun");
  expect_ranks(launch_of(joined(srun(2, 0, "pmix"), mpirun(1, 0)), open_mpi), 1, 0, "");
  expect_ranks(launch_of(joined(srun(2, 0, "none"), mpiexec(6, 5)), mpich), 6, 5, "mpiexec");
}

TEST(Launch, SrunWithoutPmixIsExplained) {
  for (const std::string type : {"none", "pmi2"}) {
    const Launch launch = launch_of(srun(4, 1, type), open_mpi);
    EXPECT_EQ(launch.ranks, 4);
    EXPECT_EQ(launch.rank, 1);
    EXPECT_EQ(launch.problem, "the 4 tasks that srun has started do not find each other (srun --mpi=" + type +
                                  ", but Open MPI needs PMIx). Use `srun --mpi=pmix`, or mpirun.");
  }
  EXPECT_THAT(launch_of(srun(4, 1, "none"), mpich).problem, HasSubstr("Use `srun --mpi=pmi2`."));
}

TEST(Launch, TheLauncherOfAnotherMpiIsNamed) {
  EXPECT_THAT(launch_of(mpiexec(3, 1), open_mpi).problem,
              HasSubstr("(mpiexec belongs to another MPI, but Glassworks is built with Open MPI v4.1.4)"));
  EXPECT_THAT(launch_of(mpirun(3, 1), mpich).problem, HasSubstr("mpirun belongs to Open MPI, but Glassworks is built"));
}

TEST(Launch, SeveralRanksNeedABuildWithMpi) {
  for (const Environment& environment : {mpirun(4, 1), srun(4, 1, "pmix"), srun(4, 1, "none"), mpiexec(4, 1)}) {
    const Launch launch = launch_of(environment, no_mpi);
    EXPECT_EQ(launch.rank, 1);
    EXPECT_THAT(launch.problem, HasSubstr("(this build of Glassworks has no MPI). Start a single one"));
  }
}

TEST(Launch, NonsenseInTheEnvironmentIsNoLaunch) {
  for (const std::string size : {"", "many", "4x", "-4", "99999999999999"}) {
    expect_ranks(launch_of({{"OMPI_COMM_WORLD_SIZE", size}, {"OMPI_COMM_WORLD_RANK", "0"}}, open_mpi), 1, 0, "");
  }
  expect_ranks(launch_of({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "4"}}, open_mpi), 1, 0, "");
}

TEST(Launch, MpiMustHaveTheRanksThatWereStarted) {
  EXPECT_THAT(world_problem({4, 0, "srun", ""}, 4), IsEmpty());
  EXPECT_THAT(world_problem({4, 0, "srun", ""}, 1), HasSubstr("srun has started 4 processes, but MPI counts 1 ("));
}

TEST(Launch, TheEnvironmentOfThisProcessIsRead) {
  ASSERT_EQ(setenv("GLASSWORKS_LAUNCH_TEST", "a=b", 1), 0);
  EXPECT_EQ(this_environment().at("GLASSWORKS_LAUNCH_TEST"), "a=b");
  ASSERT_EQ(unsetenv("GLASSWORKS_LAUNCH_TEST"), 0);
}

}}  // namespace glassworks
