#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "scheduler/ranks/coordinator.hpp"

// Requests and commits of ranks in flight. An error in a file thread aborts the run.
namespace glassworks { inline namespace scheduler {

void Coordinator::ask(int rank, Take take) { advance(RankQuestion{rank, peer(rank).rejoins, std::move(take)}); }

/// To the place of its state.
void Coordinator::advance(RankQuestion question) {
  switch (question.state) {
    case RankQuestion::State::leasing: {
      const auto& [ticket, asked] = *leasing_.emplace(++last_ticket_, std::move(question)).first;
      return queue_.ask(number_in_run(asked.rank, asked.take.who), asked.take.limits, ticket);
    }
    case RankQuestion::State::reading:
      return files_.post(std::move(question));
    case RankQuestion::State::answering:
      return send(question.rank, BatchReply{question.take.who, std::move(question.batch), std::move(question.files)});
  }
}

/// To the place of its state.
void Coordinator::advance(RankCommit commit) {
  switch (commit.state) {
    case RankCommit::State::storing:
      return files_.post(std::move(commit));
    case RankCommit::State::committing: {
      FinishedBatch batch = std::move(commit.message.batch);
      for (const RoundCommit& round : batch.rounds) {
        commit.updates += updates_of_rounds(run_.chains.at(round.key.L), round.round, round.round + 1);
      }
      const auto& [ticket, sent] = *committing_.emplace(++last_ticket_, std::move(commit)).first;
      return queue_.commit(number_in_run(sent.rank, sent.message.who), std::move(batch), ticket);
    }
    case RankCommit::State::answering:
      if (commit.result.written) {
        control_.updates += static_cast<std::uint64_t>(commit.updates);
        if (!commit.obsolete.empty()) files_.post(ObsoleteFiles{std::move(commit.obsolete)});
      }
      return send(commit.rank, CommitReply{commit.message.id, std::move(commit.result)});
  }
}

void Coordinator::receive(LeaseAnswer& answer) {
  RankQuestion question = std::move(leasing_.extract(answer.ticket).mapped());
  question.batch = std::move(answer.batch);
  const std::vector<RealizationRow>& rows = question.batch.rows;
  if (!is_current(question)) {
    if (!rows.empty()) queue_.give_back(question.batch);
    return ask_again(question);
  }
  Peer& p = peer(question.rank);
  for (const RealizationRow& row : rows) p.held.insert_or_assign(row.key, row);
  const bool has_files = std::ranges::any_of(rows, [](const RealizationRow& row) { return row.rounds > 0; });
  const bool reads = has_files && !p.ready->sees_directory;
  question.state = reads ? RankQuestion::State::reading : RankQuestion::State::answering;
  advance(std::move(question));
}

/// If the question is outdated, `drop_rank` has already released what the rank held.
void Coordinator::receive(RankQuestion& read) {
  if (!is_current(read)) return ask_again(read);
  advance(std::move(read));
}

void Coordinator::receive(CommitAnswer& answer) {
  RankCommit commit = std::move(committing_.extract(answer.ticket).mapped());
  commit.result = std::move(answer.result);
  commit.state = RankCommit::State::answering;
  advance(std::move(commit));
}

/// A round is committed after the one before it, which another thread for files may still have.
void Coordinator::receive(RankCommit& stored) {
  for (RankCommit& commit : in_order(stored)) advance(std::move(commit));
}

std::vector<RankCommit> Coordinator::in_order(RankCommit& stored) {
  const std::uint64_t number = stored.number;
  return stored_[static_cast<std::size_t>(stored.rank)].done(number, std::move(stored));
}

/// Whether the rank is alive and has been so since it asked.
bool Coordinator::is_current(const RankQuestion& question) {
  const Peer& p = peer(question.rank);
  return !p.silent && question.rejoins == p.rejoins && p.state == Peer::State::working;
}

/// Asks again for a rank that fell silent after asking; if it is still silent, when it rejoins.
void Coordinator::ask_again(RankQuestion& question) {
  Peer& p = peer(question.rank);
  if (p.state == Peer::State::finished) return;
  if (p.silent) return p.waiting.push_back(std::move(question.take));
  ask(question.rank, std::move(question.take));
}

void Coordinator::work_on_files(FileTask& task) {
  try {
    std::visit([this](auto& kind) { work_on(kind); }, task);
  } catch (...) {
    queue_.abort(std::current_exception());
  }
}

void Coordinator::work_on(RankQuestion& question) {
  question.files = read_states(run_.config, run_.chains, question.batch.rows);
  question.state = RankQuestion::State::answering;
  files_done_.put(std::move(question));
}

void Coordinator::work_on(RankCommit& commit) {
  try {
    write_states(checkpoints_, std::exchange(commit.message.files, {}));
    commit.state = RankCommit::State::committing;
  } catch (...) {
    queue_.abort(std::current_exception());
    commit.state = RankCommit::State::answering;
  }
  files_done_.put(std::move(commit));
}

void Coordinator::work_on(const ObsoleteFiles& files) { remove_states(checkpoints_, files.names); }

}}  // namespace glassworks::scheduler
