#include "db/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "db/impl.hpp"
#include "db/schema.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

Database::Impl::Impl(std::filesystem::path path, DatabaseAccess access) : connection(std::move(path), access) {
  static_cast<void>(config());  // what everything rests on is verified at once
  static_cast<void>(sizes());
}

std::string Database::Impl::config() {
  auto query = connection.query("SELECT config, checksum FROM campaign WHERE id = 1");
  if (!query->executeStep()) db::throw_damaged(file(), "the empty table campaign");
  std::string text = query->getColumn(0).getString();
  if (db::RowBytes().text(text).checksum() != query->getColumn(1).getInt64()) {
    db::throw_damaged(file(), "the configuration in table campaign");
  }
  return text;
}

std::uint32_t Database::Impl::first_realization() { return stored_first_realization(config()); }

Database Database::open(const std::filesystem::path& file, DatabaseAccess access) {
  return db::translated(file, [&] { return Database(std::make_unique<Impl>(file, access)); });
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::together(const std::function<void()>& body) {
  db::translated(impl_->file(), [&] {
    try {
      db::WriteTransaction transaction(impl_->connection);
      body();
      transaction.commit();
    } catch (...) {
      impl_->last_provenance.reset();  // its row may be among what was undone
      throw;
    }
  });
}

const std::filesystem::path& Database::file() const { return impl_->file(); }

std::string Database::config_text() const {
  return db::translated(impl_->file(), [&] { return impl_->config(); });
}

std::vector<Provenance> Database::provenances() const {
  return db::translated(impl_->file(), [&] {
    std::vector<Provenance> all;
    auto query = impl_->connection.query(
        "SELECT id, version, source_commit, compiler, backend, host, checksum FROM provenance ORDER BY id");
    while (query->executeStep()) {
      const auto text = [&](int column) { return query->getColumn(column).getString(); };
      all.push_back({text(1), text(2), text(3), text(4), text(5)});
      if (query->getColumn(0).getInt64() != static_cast<std::int64_t>(all.size()) ||
          query->getColumn(6).getInt64() != db::provenance_checksum(all.back())) {
        db::throw_damaged(impl_->file(), fmt::format("row {} of table provenance", all.size()));
      }
    }
    return all;
  });
}

CampaignCost Database::cost() const {
  return db::translated(impl_->file(), [&] {
    CampaignCost cost;
    auto created = impl_->connection.query("SELECT created FROM campaign WHERE id = 1");
    if (created->executeStep()) cost.created = created->getColumn(0).getString();
    auto query = impl_->connection.query("SELECT count(*), total(seconds) FROM rounds");
    query->executeStep();
    cost.rounds = static_cast<std::uint64_t>(query->getColumn(0).getInt64());
    cost.seconds = query->getColumn(1).getDouble();
    return cost;
  });
}

}}  // namespace glassworks::db
