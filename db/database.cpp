#include "db/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "db/impl.hpp"
#include "db/schema.hpp"

namespace glassworks {

namespace {

std::string load_config(db::Connection& connection) {
  auto query = connection.query("SELECT config, checksum FROM campaign WHERE id = 1");
  if (!query->executeStep()) db::throw_damaged(connection.file(), "the empty table campaign");
  std::string config = query->getColumn(0).getString();
  if (db::RowBytes().text(config).checksum() != query->getColumn(1).getInt64()) {
    db::throw_damaged(connection.file(), "the configuration in table campaign");
  }
  return config;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<SizeRow> load_sizes(db::Connection& connection) {
  std::vector<SizeRow> sizes;
  auto query = connection.query("SELECT L, temperatures, observables, realizations, checksum FROM sizes ORDER BY L");
  while (query->executeStep()) {
    SizeRow size;
    size.L = query->getColumn(0).getInt();
    const auto column = query->getColumn(1);
    const auto temperatures = db::blob_bytes(column);
    const std::string observables = query->getColumn(2).getString();
    const auto checksum = db::size_checksum(size.L, temperatures, observables, query->getColumn(3).getInt());
    if (checksum != query->getColumn(4).getInt64() || temperatures.size() % sizeof(double) != 0) {
      db::throw_damaged(connection.file(), fmt::format("the row of L = {} in table sizes", size.L));
    }
    size.temperatures.resize(temperatures.size() / sizeof(double));
    if (!temperatures.empty()) std::memcpy(size.temperatures.data(), temperatures.data(), temperatures.size());
    size.observables = split_lines(observables);
    sizes.push_back(std::move(size));
  }
  return sizes;
}

}  // namespace

Database::Impl::Impl(std::filesystem::path file, DatabaseAccess access) : connection(std::move(file), access) {
  config = load_config(connection);
  sizes = load_sizes(connection);
}

const SizeRow& Database::Impl::size(int L) const {
  const auto found = std::ranges::find(sizes, L, &SizeRow::L);
  if (found != sizes.end()) return *found;
  throw std::runtime_error(fmt::format("Campaign {} has no size L = {}. Choose one of its sizes.", file().string(), L));
}

Database Database::open(const std::filesystem::path& file, DatabaseAccess access) {
  return db::translated(file, [&] { return Database(std::make_unique<Impl>(file, access)); });
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::string Database::config_text() const { return impl_->config; }

std::vector<SizeRow> Database::sizes() const { return impl_->sizes; }

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

}  // namespace glassworks
