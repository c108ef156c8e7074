#include "tools/glassworks/submit_script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// After the variables of `variables`. Statuses of `run`: 0 finished, 75 time limit, 130 signal, 2 unusable input, 1
/// other errors; anything else means that ranks were lost.
constexpr const char* body = R"script(
again="sbatch $(printf '%q' "$script")"
say() { echo "glassworks job $SLURM_JOB_ID: $*"; }

# Seconds until Slurm ends this job; nothing if it never does.
seconds_left() {
  local left days=0 seconds=0 field
  local -a fields
  if [[ ${SLURM_JOB_END_TIME:-} =~ ^[0-9]+$ ]]; then
    echo "$((SLURM_JOB_END_TIME - $(date +%s)))"
    return
  fi
  left=$(squeue -h -j "$SLURM_JOB_ID" -o %L)
  [[ $left != UNLIMITED ]] || return
  if [[ ! $left =~ ^([0-9]+-)?[0-9]+(:[0-9]+)+$ ]]; then
    echo "$((limit - SECONDS))"
    return
  fi
  [[ $left != *-* ]] || days=${left%%-*}
  IFS=: read -r -a fields <<<"${left#*-}"
  for field in "${fields[@]}"; do seconds=$((60 * seconds + 10#$field)); done
  echo "$((86400 * days + seconds))"
}

# Numbers that change with every commit: rounds and stages of ladders.
committed() {
  "$program" status "$directory" --json 2>/dev/null | sed '/"workers"/q' | grep -oE '"(rounds|ladder_stages)": *[1-9][0-9]*'
}

# Another turn for this job, or a new job where Slurm refuses that.
go_on() {
  say "$1 Another job continues."
  scontrol requeue "$SLURM_JOB_ID" && return
  (unset -v $(compgen -e SLURM_ | grep -vx SLURM_CONF) && exec sbatch "$script") && return
  say "Slurm did not accept another job. Continue with: $again"
  exit 1
}

# One SIGTERM for the ranks: the run gives up its running rounds and ends. srun would kill them if it got the signal.
run=
told=no
stop_ranks() {
  [[ -n $run && $told == no ]] || return
  told=yes
  until scancel --signal=TERM "$SLURM_JOB_ID.0" 2>/dev/null || ! kill -0 "$run"; do sleep 1; done
}
signals=0
trap 'signals=$((signals + 1)); stop_ranks' USR1

before=$(committed)
left=$(seconds_left)
if [[ -n $left ]]; then
  arguments+=("--time-limit=$((left > margin ? left - margin : 1))s")
fi
say "$(date '+%F %T'), restart ${SLURM_RESTART_COUNT:-0}, on $SLURM_JOB_NODELIST, time left: ${left:-unlimited}."

srun "${ranks[@]}" "$program" run "$config" "${arguments[@]}" &
run=$!
((signals == 0)) || stop_ranks
seen=-1
while ((seen < signals)); do  # a signal ends the waiting, not the run
  seen=$signals
  wait "$run"
  status=$?
done

case $status in
  0)
    say "the campaign is finished."
    exit 0
    ;;
  1 | 2)
    say "no other job follows, because the run ended with an error (status $status); its message is above." \
      "After that is fixed, continue with: $again"
    exit "$status"
    ;;
  75) why="the time of this job is over." ;;
  *)
    if ((signals > 0)); then
      why="the run was stopped before the end of this job."
    elif [[ $status == 130 ]]; then
      say "no other job follows, because the run was stopped by a signal. Continue with: $again"
      exit 130
    else
      why="a rank or a node was lost (status $status)."
    fi
    ;;
esac

idle=$(cat "$script.idle" 2>/dev/null || echo 0)
if [[ $(committed) != "$before" ]]; then idle=0; else idle=$((idle + 1)); fi
echo "$idle" >"$script.idle"
if ((idle >= 2)); then
  say "$why No other job follows, because two in a row have committed no round. Take a longer --time or a smaller" \
    "backend.batch, or look above for what went wrong; then continue with: $again"
  exit 1
fi
go_on "$why"
)script";

/// Throws for what cannot stand in one line.
const std::string& one_line(const std::string& text) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::none_of(text.begin(), text.end(), control)) return text;
  std::string shown = text;
  std::replace_if(shown.begin(), shown.end(), control, '?');
  throw InputError(
      InputFault::malformed, text,
      fmt::format("'{}' cannot be in the script of a job (it holds a control character). Take that out.", shown));
}

/// Name of an output file: a percent sign begins a number of Slurm's there, and a backslash switches them off.
std::string output_pattern(const std::filesystem::path& folder) {
  std::string pattern;
  for (const char c : folder.string()) {
    if (c == '\\') {
      throw InputError(
          InputFault::malformed, "campaign.directory",
          fmt::format(
              "campaign.directory = '{}' cannot hold the output of a job (Slurm does not take a backslash). Rename it.",
              folder.parent_path().string()));
    }
    pattern += c == '%' ? "%%" : std::string(1, c);
  }
  return pattern + "/%j.log";
}

/// days-hours:minutes:seconds
std::string slurm_time(long seconds) {
  return fmt::format("{}-{:02}:{:02}:{:02}", seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}

std::string directives(const JobSettings& job) {
  std::string text;
  const auto option = [&](const std::string& line) { text += "#SBATCH " + one_line(line) + "\n"; };
  option("--job-name=" + sbatch_quoted(job.directory.filename().string()));
  option(fmt::format("--nodes={}", job.nodes));
  option(fmt::format("--ntasks-per-node={}", job.ranks_per_node));
  if (job.cpus_per_rank > 0) {
    option(fmt::format("--cpus-per-task={}", job.cpus_per_rank));
  } else {
    option("--exclusive");
    option("--mem=0");  // all of it
  }
  if (job.gpus_per_node > 0) option(fmt::format("--gpus-per-node={}", job.gpus_per_node));
  option("--time=" + slurm_time(job.time));
  if (!job.partition.empty()) option("--partition=" + sbatch_quoted(job.partition));
  if (!job.account.empty()) option("--account=" + sbatch_quoted(job.account));
  option("--requeue");
  option("--open-mode=append");
  option(fmt::format("--signal=B:USR1@{}", signal_lead(job.time)));
  option("--output=" + sbatch_quoted(output_pattern(job.script.parent_path())));
  for (const std::string& given : job.sbatch_options) option(given);
  return text;
}

std::string variables(const JobSettings& job) {
  std::string text;
  const auto variable = [&](const char* name, const std::string& value) {
    text += fmt::format("{}={}\n", name, shell_quoted(one_line(value)));
  };
  variable("program", job.program.string());
  variable("config", job.config.string());
  variable("directory", job.directory.string());
  variable("script", job.script.string());
  text += fmt::format("limit={}\nmargin={}\n", job.time, end_margin(job.time));
  text += "arguments=(";
  for (const std::string& key : job.keys) text += shell_quoted(one_line("--" + key)) + " ";
  text += shell_quoted("--campaign.directory=" + job.directory.string()) + ")\n";
  // Ranks without processors of their own find out who shares the node with them.
  const std::string processors = job.cpus_per_rank > 0 ? fmt::format("--cpus-per-task={}", job.cpus_per_rank)  //
                                                       : "--cpu-bind=none";
  return text + fmt::format("ranks=(--mpi={} {} --kill-on-bad-exit=1)\n", shell_quoted(one_line(job.mpi)), processors);
}

}  // namespace

long end_margin(long time) { return std::clamp(time / 20, 20L, 120L); }

long signal_lead(long time) { return std::max(10L, end_margin(time) - 75); }

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string sbatch_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string submit_script(const JobSettings& settings) {
  return "#!/bin/bash\n# Written by `glassworks submit`; `sbatch FILE` submits it again.\n" + directives(settings) +
         "\nset -uo pipefail\n" + variables(settings) + body;
}

}}  // namespace glassworks::tools
