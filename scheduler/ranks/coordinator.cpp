#include "scheduler/ranks/coordinator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "scheduler/ranks/directory_token.hpp"
#include "scheduler/ranks/greeting.hpp"
#include "scheduler/ranks/pace.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr int file_threads = 4;
/// Messages that are looked at before the answers of the queue are.
constexpr int messages_of_poll = 64;
constexpr std::chrono::milliseconds time_between_checks{20};

}  // namespace

Coordinator::Coordinator(Transport& transport, BatchQueue& queue, RoundControl& control, Run run)
    : transport_(transport),
      queue_(queue),
      control_(control),
      run_(std::move(run)),
      checkpoints_(run_.config.campaign.directory / "checkpoints"),
      peers_(static_cast<std::size_t>(transport.size())),
      stored_(peers_.size()),
      files_(file_threads, [this] { return [this](FileTask task) { work_on_files(task); }; }) {}

Coordinator::~Coordinator() {
  try {
    files_.finish();
    for (FilesDone& done : files_done_.take()) {
      auto* const commit = std::get_if<RankCommit>(&done);
      if (commit == nullptr) continue;
      for (RankCommit& next : in_order(*commit)) {
        if (next.state == RankCommit::State::committing) advance(std::move(next));
      }
    }
  } catch (...) {
    queue_.abort(std::current_exception());
  }
}

void Coordinator::serve() {
  std::optional<DirectoryToken> token;
  try {
    token.emplace(run_.config.campaign.directory);
    welcome(*token);
    loop();
  } catch (...) {
    queue_.abort(std::current_exception());
    if (token) return;
    dismiss(transport_, "the campaign's directory cannot be written");
    for (Peer& each : peers_) each.state = Peer::State::finished;
  }
}

void Coordinator::send(int rank, const FromCoordinator& message) { transport_.send(rank, encode(message)); }

void Coordinator::welcome(const DirectoryToken& token) {
  const auto now = run_.now();
  checked_ = judge_from_ = now;
  Welcome welcome;
  welcome.config_text = canonical_text(run_.config);
  welcome.directory = run_.config.campaign.directory.string();
  welcome.token_file = token.file();
  welcome.token = token.text();
  welcome.temperatures = run_.temperatures;
  if (run_.deadline) {
    welcome.seconds_left = std::max(std::chrono::duration<double>(*run_.deadline - now).count(), 0.0);
  }
  for (int rank = 1; rank < transport_.size(); ++rank) {
    peers_[static_cast<std::size_t>(rank)].heard = now;
    welcome.share = run_.shares.at(static_cast<std::size_t>(rank));
    send(rank, welcome);
  }
}

void Coordinator::loop() {
  Pace pace;
  while (!all_gone()) {
    const bool busy = poll();
    check_times(run_.now());
    const auto pause = pace.pause(busy || !transport_.all_sent());
    if (pause.count() > 0) {
      queue_.answers().wait_for(pause);
    } else if (!busy) {
      std::this_thread::yield();
    }
  }
  for (int rank = 1; rank < transport_.size(); ++rank) {
    if (peer(rank).state == Peer::State::finished) send(rank, End{});
  }
  flush(transport_, std::chrono::seconds(5));
}

/// Handles messages, then answers of the queue, then results of the file threads. Returns whether there were any.
bool Coordinator::poll() {
  bool busy = false;
  for (int i = 0; i < messages_of_poll; ++i) {
    std::optional<Received> received = transport_.receive();
    if (!received) break;
    busy = true;
    take_in(*received);
  }
  const auto receive_all = [&](auto items) {
    for (auto& item : items) {
      busy = true;
      std::visit([this](auto& kind) { receive(kind); }, item);
    }
  };
  receive_all(queue_.answers().take());
  receive_all(files_done_.take());
  return busy;
}

void Coordinator::take_in(const Received& received) {
  const int rank = received.from;
  peer(rank).heard = run_.now();
  if (peer(rank).silent) bring_back(rank);
  try {
    FromWorker message = decode_from_worker(received.bytes);
    std::visit([&](auto& kind) { receive(rank, kind); }, message);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    queue_.abort(std::make_exception_ptr(std::runtime_error(
        fmt::format("{} sent a message that cannot be read ({}). Start the same executable on all machines.",
                    name(rank), error.what()))));
  }
}

bool Coordinator::all_gone() const {
  if (end_by_ && run_.now() > *end_by_) return true;
  return unfinished() == 0;
}

int Coordinator::unfinished() const {
  return static_cast<int>(
      std::count_if(peers_.begin() + 1, peers_.end(), [](const Peer& p) { return p.state != Peer::State::finished; }));
}

void Coordinator::check_times(Clock::time_point now) {
  if (control_.stop && !stopping_) begin_stop();
  if (now - checked_ < time_between_checks) return;
  const bool held_up = now - checked_ > run_.max_wait.silence / 2;  // this process itself
  if (held_up) judge_from_ = now + run_.max_wait.silence;
  checked_ = now;
  if (!end_by_ && (stopping_ || queue_.is_over())) end_by_ = now + run_.max_wait.end;
  for (int rank = 1; rank < transport_.size(); ++rank) {
    const Peer& p = peer(rank);
    if (p.silent || p.state == Peer::State::finished || now < judge_from_) continue;
    const auto max_wait = p.state == Peer::State::preparing ? run_.max_wait.start : run_.max_wait.silence;
    if (now - p.heard > max_wait) drop_rank(rank, max_wait);
  }
}

void Coordinator::begin_stop() {
  stopping_ = true;
  queue_.wake();
  for (int rank = 1; rank < transport_.size(); ++rank) {
    if (peer(rank).state != Peer::State::finished) send(rank, Stop{});
  }
}

void Coordinator::receive(int rank, Ready& ready) {
  Peer& p = peer(rank);
  p.ready = std::move(ready);
  p.state = Peer::State::working;
  if (!p.ready->problem.empty()) {
    queue_.abort(std::make_exception_ptr(
        InputError(InputFault::unsupported, name(rank), fmt::format("{}: {}", name(rank), p.ready->problem))));
  }
  for (const auto& [device, workers] : p.devices()) {
    queue_.enter(number_in_run(rank, {device, 0}).device, workers);
    workers_ += workers;
  }
  report_ready();
}

/// Calls `ready` once no rank is preparing any more; the run continues without silent ranks.
void Coordinator::report_ready() {
  if (reported_ready_) return;
  std::vector<std::optional<Ready>> all(peers_.size());
  std::vector<int> apart;
  for (std::size_t rank = 1; rank < peers_.size(); ++rank) {
    const Peer& p = peers_[rank];
    if (p.state == Peer::State::preparing && !p.silent) return;
    all[rank] = p.ready;
    if (p.ready && p.ready->problem.empty() && !p.ready->sees_directory) apart.push_back(static_cast<int>(rank));
  }
  reported_ready_ = true;
  if (!apart.empty()) {
    queue_.note(fmt::format(
        "{} (the directory {} is not shared with {}): the states of {} travel through rank 0, which takes longer. Put "
        "campaign.directory on a file system that all machines share.",
        apart.size() > 1 ? fmt::format("Ranks {} see another directory", fmt::join(apart, ", "))
                         : fmt::format("Rank {} sees another directory", apart.front()),
        run_.config.campaign.directory.string(), apart.size() > 1 ? "their machines" : "its machine",
        apart.size() > 1 ? "their realizations" : "its realizations"));
  }
  if (run_.ready) run_.ready(all);
}

void Coordinator::receive(int rank, Take& take) { ask(rank, std::move(take)); }

/// Refuses commits of realizations that the rank has lost before any file of an outdated state is written.
void Coordinator::receive(int rank, Commit& message) {
  Peer& p = peer(rank);
  if (!p.holds(message.batch)) {
    queue_.note(fmt::format("{} has finished {} rounds that were given to others meanwhile: they were not added.",
                            name(rank), message.batch.rounds.size()));
    return send(rank, CommitReply{message.id, {}});
  }
  std::vector<std::string> obsolete = p.release_batch(message.batch);
  if (p.ready->sees_directory) obsolete.clear();  // the rank removes them itself
  RankCommit commit{.rank = rank, .message = std::move(message), .obsolete = std::move(obsolete)};
  if (p.ready->sees_directory) {
    commit.state = RankCommit::State::committing;
  } else {
    commit.number = stored_[static_cast<std::size_t>(rank)].number();
  }
  advance(std::move(commit));
}

void Coordinator::receive(int rank, GiveBack& message) {
  peer(rank).release(message.batch);
  if (!message.batch.rows.empty()) queue_.give_back(message.batch);
}

void Coordinator::receive(int rank, Failed& failed) {
  Peer& p = peer(rank);
  p.release(failed.batch);
  if (failed.device >= 0) {
    p.failed_devices.insert(failed.device);
    queue_.device_failed(number_in_run(rank, {failed.device, 0}).device,
                         fmt::format("{} of {}", failed.backend, name(rank)), failed.batch, failed.reason);
  } else if (!failed.batch.rows.empty()) {
    queue_.round_failed(failed.batch, failed.reason);
  }
}

void Coordinator::receive(int, Note& note) { queue_.note(note.text); }

void Coordinator::receive(int rank, Abort& abort) {
  const std::string reason = abort.out_of_memory
                                 ? "the memory of its machine is used up. Use a smaller backend.batch, fewer slots, a "
                                   "smaller lattice or fewer ranks on each machine"
                                 : abort.reason;
  queue_.abort(std::make_exception_ptr(std::runtime_error(fmt::format("{}: {}", name(rank), reason))));
}

void Coordinator::receive(int, StopRequest&) {
  stopped_by_rank_ = true;
  control_.stop = true;
}

void Coordinator::receive(int rank, Finished& finished) {
  Peer& p = peer(rank);
  times_ += {finished.rounds, finished.checkpoints, finished.database, finished.idle, finished.measurements};
  p.state = Peer::State::finished;
  for (const auto& [device, workers] : p.devices()) queue_.leave(number_in_run(rank, {device, 0}).device);
  give_back_all(p);
  report_ready();
}

void Coordinator::drop_rank(int rank, std::chrono::milliseconds silence) {
  Peer& p = peer(rank);
  p.silent = true;
  const std::size_t held = p.held.size();
  for (const auto& [device, workers] : p.devices()) queue_.leave(number_in_run(rank, {device, 0}).device);
  give_back_all(p);
  queue_.note(fmt::format("{} has not answered for {} s: the run continues without it{}.", name(rank),
                          silence.count() / 1000,
                          held > 0 ? fmt::format(", and its {} realizations are given to others", held) : ""));
  report_ready();
}

/// The leases of one batch have one holder, but this process may have entered the campaign again since.
void Coordinator::give_back_all(Peer& p) {
  std::map<std::int64_t, Batch> batches;
  for (const auto& [key, row] : p.held) batches[row.worker].rows.push_back(row);
  p.held.clear();
  for (const auto& [holder, batch] : batches) queue_.give_back(batch);
}

void Coordinator::bring_back(int rank) {
  Peer& p = peer(rank);
  p.silent = false;
  ++p.rejoins;
  queue_.note(fmt::format("{} has rejoined the run.", name(rank)));
  for (const auto& [device, workers] : p.devices()) queue_.enter(number_in_run(rank, {device, 0}).device, workers);
  for (Take& take : std::exchange(p.waiting, {})) ask(rank, std::move(take));
}

std::string Coordinator::name(int rank) const {
  return name_of_rank(rank, run_.handshakes.at(static_cast<std::size_t>(rank)));
}

}}  // namespace glassworks::scheduler
