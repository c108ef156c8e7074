#include "tools/glassworks/submit_script.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

#include "engine/config/config.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

JobSettings settings() {
  JobSettings job;
  job.program = "/opt/glassworks";
  job.config = "/home/me/first.cfg";
  job.directory = "/scratch/me/first";
  job.script = "/scratch/me/first/slurm/submit-2026-01-02-1.sh";
  job.time = 12 * 3600;
  return job;
}

/// What bash prints for a command.
std::string said_by_bash(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), n);
  return text;
}

TEST(SubmitScript, AsksForWhatWasAskedFor) {
  JobSettings job = settings();
  job.nodes = 3;
  job.gpus_per_node = 4;
  job.ranks_per_node = 4;
  job.cpus_per_rank = 6;
  job.partition = "gpu";
  job.account = "spin glass";
  job.sbatch_options = {"--qos=long", "--mem=64G"};
  const std::string script = submit_script(job);
  EXPECT_THAT(script, ::testing::StartsWith("#!/bin/bash\n"));
  for (const char* line :
       {"--job-name=\"first\"", "--nodes=3", "--ntasks-per-node=4", "--cpus-per-task=6", "--gpus-per-node=4",
        "--time=0-12:00:00", "--partition=\"gpu\"", "--account=\"spin glass\"", "--requeue", "--open-mode=append",
        "--signal=B:USR1@45", "--output=\"/scratch/me/first/slurm/%j.log\"", "--qos=long", "--mem=64G"}) {
    EXPECT_THAT(script, HasSubstr(std::string("\n#SBATCH ") + line + "\n"));
  }
  EXPECT_THAT(script, Not(HasSubstr("--exclusive")));
  EXPECT_THAT(script, HasSubstr("\nranks=(--mpi='pmix' --cpus-per-task=6 --kill-on-bad-exit=1)\n"));
}

TEST(SubmitScript, TakesWholeNodesWithoutACountOfProcessors) {
  const std::string script = submit_script(settings());
  EXPECT_THAT(script, HasSubstr("\n#SBATCH --exclusive\n#SBATCH --mem=0\n"));
  EXPECT_THAT(script, Not(HasSubstr("--cpus-per-task")));
  EXPECT_THAT(script, Not(HasSubstr("--gpus-per-node")));
  EXPECT_THAT(script, HasSubstr("\nranks=(--mpi='pmix' --cpu-bind=none --kill-on-bad-exit=1)\n"));
}

TEST(SubmitScript, LinesForSlurmComeBeforeEverythingElse) {
  const std::string script = submit_script(settings());
  EXPECT_EQ(script.find("\n#SBATCH", script.find("\n\n")), std::string::npos);
}

TEST(SubmitScript, IsBash) {
  JobSettings job = settings();
  job.config = "/home/my $HOME/it's \"mine\"; rm -rf `pwd`\\.cfg";
  job.keys = {"model.L=4, 6", "campaign.seed=1"};
  EXPECT_EQ(said_by_bash("bash -n -c " + shell_quoted(submit_script(job)) + " 2>&1"), "");
}

TEST(SubmitScript, LeavesTimeToEnd) {
  EXPECT_EQ(end_margin(60), 20);
  EXPECT_EQ(end_margin(20 * 60), 60);
  EXPECT_EQ(end_margin(86400), 120);
  for (const long time : {60L, 600L, 1800L, 3600L, 864000L}) {
    EXPECT_GE(signal_lead(time), 10);
    EXPECT_LT(signal_lead(time), end_margin(time));
    EXPECT_TRUE(time < 3600 || signal_lead(time) + 60 <= end_margin(time)) << time;
  }
  JobSettings job = settings();
  job.time = 2 * 86400 + 3 * 3600 + 4 * 60 + 5;
  EXPECT_THAT(submit_script(job), HasSubstr("--time=2-03:04:05\n"));
  EXPECT_THAT(submit_script(job), HasSubstr("\nlimit=183845\nmargin=120\n"));
}

TEST(SubmitScript, NamesTheOutputSoThatSlurmFindsIt) {
  JobSettings job = settings();
  job.script = "/scratch/100 % \"mine\"/slurm/submit.sh";
  EXPECT_THAT(submit_script(job), HasSubstr("--output=\"/scratch/100 %% \\\"mine\\\"/slurm/%j.log\"\n"));
  job.script = "/scratch/a\\b/slurm/submit.sh";
  EXPECT_THROW(static_cast<void>(submit_script(job)), InputError);
}

TEST(SubmitScript, RefusesWhatIsNotOneLine) {
  const auto refused = [](auto change) {
    JobSettings job = settings();
    change(job);
    EXPECT_THROW(static_cast<void>(submit_script(job)), InputError);
  };
  refused([](JobSettings& job) { job.partition = "gpu\n#SBATCH --nodes=100"; });
  refused([](JobSettings& job) { job.sbatch_options = {"--qos=a\nrm -rf ~"}; });
  refused([](JobSettings& job) { job.keys = {"model.L=4\n"}; });
  refused([](JobSettings& job) { job.mpi = "pm\x7fix"; });
}

RC_GTEST_PROP(ShellQuoted, StandsForExactlyTheText, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7f'));
  RC_ASSERT(said_by_bash("bash -c " + shell_quoted("printf %s " + shell_quoted(text))) == text);
}

}}  // namespace glassworks
