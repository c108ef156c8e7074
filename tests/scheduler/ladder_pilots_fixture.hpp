#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "scheduler/ladder/ladder_pilots.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {

namespace fs = std::filesystem;

/// A real backend that calls a function before each round.
class HookedBackend : public HostBackend {
 public:
  explicit HookedBackend(std::function<void(int round)> hook = {}, BackendKind kind = BackendKind::cpu)
      : hook_(std::move(hook)) {
    BackendOptions options;
    options.kind = kind;
    options.threads = 1;
    inner_ = make_backend(options);
  }
  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    if (hook_) hook_(rounds_);
    ++rounds_;
    return inner_->run_round(chain, batch, control);
  }
  [[nodiscard]] std::string refusal(const Chain& chain) const override { return inner_->refusal(chain); }
  [[nodiscard]] std::string description() const override { return inner_->description(); }
  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  std::function<void(int)> hook_;
  std::unique_ptr<Backend> inner_;
  int rounds_ = 0;
};

class LadderPilotsTest : public ::testing::Test {
 protected:
  /// Six stages of three pilots, with 5 temperatures first and as many as suggested at last.
  [[nodiscard]] Config config(const std::string& name) const {
    Config config;
    config.campaign.seed = 7;
    config.campaign.directory = scratch_.path() / name;
    config.model.L = {4};
    config.disorder.realizations = {5};
    config.ladder = {LadderKind::geometric, 0.5, 0.9, {}, {}, {}, LadderAdaptation::rejection, 3, 6};
    config.protocol.overrelaxation = 2;
    config.protocol.exchanges_per_measurement = 2;
    config.round.measurements_per_round = {10};
    config.backend.options.threads = 1;
    return config;
  }

  /// A campaign in its directory, created if need be, with its ladders open.
  static Campaign campaign_of(const Config& config) {
    const fs::path file = config.campaign.directory / database_file_name;
    if (!fs::exists(file)) {
      fs::create_directories(config.campaign.directory / "checkpoints");
      const BinLayout layout = config.bins();
      std::vector<SizeRow> sizes(config.model.L.size());
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i].L = config.model.L[i];
        sizes[i].temperatures = ladder_temperatures(config, i);
        sizes[i].observables = layout.names();
        if (config.round.samples() > 0) sizes[i].samples = layout.sample_names();
        sizes[i].adapting = true;
      }
      static_cast<void>(Database::create(file, canonical_text(config), sizes, config.disorder.realizations.front()));
    }
    return Campaign::create_or_continue(config);
  }

  static Database open(const Config& config) {
    return Database::open(config.campaign.directory / database_file_name, DatabaseAccess::read_write);
  }

  static std::int64_t new_worker(Database& database) {
    return database.add_worker({.host = "here", .backend = "cpu", .pid = 1, .expires = 1});
  }

  /// adapt_ladders with a worker of its own, which is removed however that ends.
  bool adapt(const Config& config, Backend& backend, RoundControl& control) {
    Campaign campaign = campaign_of(config);
    struct Visit {
      explicit Visit(Database& place) : database(place), worker(new_worker(place)) {}
      Visit(const Visit&) = delete;
      Visit& operator=(const Visit&) = delete;
      ~Visit() { database.remove_worker(worker, LeaseEnd::given_back); }
      Database& database;
      std::int64_t worker;
    };
    const Visit visit(campaign.database());
    RunObserver observer;
    observer.note = observer.ladder = [this](const std::string& line) { said_.push_back(line); };
    return adapt_ladders(campaign, visit.worker, backend, control, observer);
  }
  bool adapt(const Config& config) {
    HookedBackend backend;
    RoundControl control;
    return adapt(config, backend, control);
  }
  /// Until a stop is asked for before round `rounds` of the backend.
  bool adapt_rounds(const Config& config, int rounds) {
    RoundControl control;
    HookedBackend backend([&](int round) { control.stop = round == rounds; });
    return adapt(config, backend, control);
  }

  /// Everything that must not depend on how the ladders were adapted, as text.
  static std::string outcome(const Config& config) {
    const Database database = open(config);
    std::ostringstream text;
    text << std::hexfloat;
    for (const SizeRow& size : database.sizes()) {
      text << "L " << size.L << (size.adapting ? " adapting:" : " frozen:");
      for (const double T : size.temperatures) text << " " << T;
      for (const LadderStage& stage : database.ladder_stages(size.L)) {
        text << "\nstage " << stage.stage << " " << stage.pilots << " " << stage.round_trips << "\n";
        for (const double T : stage.temperatures) text << " " << T;
        for (const auto* counts :
             {&stage.exchange_attempts, &stage.exchange_accepted, &stage.walk_up, &stage.walk_down}) {
          for (const std::uint64_t count : *counts) text << " " << count;
        }
        text << "\n" << stage.checkpoints;
      }
    }
    return text.str();
  }

  static std::set<std::string> files(const Config& config) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(config.campaign.directory / "checkpoints")) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  ScratchDirectory scratch_;
  std::vector<std::string> said_;
};

}  // namespace glassworks::testing
