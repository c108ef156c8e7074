#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler/ranks/messages.hpp"

namespace glassworks::testing {

/// The fields of a struct, listed here a second time: whatever the code forgets shows up. A new field does not compile
/// before it is listed.
#define GLASSWORKS_FIELDS(Type, ...)   \
  inline auto fields_of(Type& value) { \
    auto& [__VA_ARGS__] = value;       \
    return std::tie(__VA_ARGS__);      \
  }
GLASSWORKS_FIELDS(RealizationKey, a, b)
GLASSWORKS_FIELDS(Judgement, a, b, c)
GLASSWORKS_FIELDS(RealizationRow, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
GLASSWORKS_FIELDS(Provenance, a, b, c, d, e)
GLASSWORKS_FIELDS(RoundRecord, a, b, c, d, e, f, g, h, i, j)
GLASSWORKS_FIELDS(RoundCommit, a, b, c, d, e, f, g, h, i, j, k)
GLASSWORKS_FIELDS(WorkerId, a, b)
GLASSWORKS_FIELDS(Batch, a, b)
GLASSWORKS_FIELDS(BatchLimits, a, b)
GLASSWORKS_FIELDS(StateCommit, a, b, c, d)
GLASSWORKS_FIELDS(FinishedBatch, a, b, c, d, e)
GLASSWORKS_FIELDS(Committed, a, b, c)
GLASSWORKS_FIELDS(RankPlace, a, b, c, d)
GLASSWORKS_FIELDS(RankShare, a, b, c, d)
GLASSWORKS_FIELDS(Handshake, a, b, c, d, e, f)
GLASSWORKS_FIELDS(CheckpointFile, a, b)
GLASSWORKS_FIELDS(DeviceOfRank, a, b)
GLASSWORKS_FIELDS(Ready, a, b, c, d)
GLASSWORKS_FIELDS(Take, a, b)
GLASSWORKS_FIELDS(Commit, a, b, c, d)
GLASSWORKS_FIELDS(GiveBack, a)
GLASSWORKS_FIELDS(Failed, a, b, c, d)
GLASSWORKS_FIELDS(Note, a)
GLASSWORKS_FIELDS(Abort, a, b)
GLASSWORKS_FIELDS(Finished, a, b, c, d, e)
GLASSWORKS_FIELDS(Refusal, a)
GLASSWORKS_FIELDS(Welcome, a, b, c, d, e, f, g)
GLASSWORKS_FIELDS(BatchReply, a, b, c)
GLASSWORKS_FIELDS(CommitReply, a, b)
#undef GLASSWORKS_FIELDS

template <typename T>
requires std::is_empty_v<T> std::tuple<> fields_of(T&) { return {}; }

/// Gives every number and every text in a value another value than all before it; containers get two elements.
class DistinctValues {
 public:
  void operator()(std::string& text) { text = "text " + std::to_string(++last_); }
  void operator()(RealizationStatus& status) { status = static_cast<RealizationStatus>(1 + ++last_ % 5); }
  void operator()(LeaseAfter& lease) { lease = LeaseAfter::goes_on; }
  void operator()(bool& flag) { flag = !flag; }
  template <typename T>
  void operator()(std::vector<T>& elements) {
    elements.resize(2);
    for (T& element : elements) (*this)(element);
  }
  template <typename Key, typename Value>
  void operator()(std::map<Key, Value>& map) {
    for (int i = 0; i < 2; ++i) (*this)(map[static_cast<Key>(++last_)]);
  }
  template <typename T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>) {
      value = static_cast<T>(++last_);
    } else {
      std::apply([&](auto&... fields) { ((*this)(fields), ...); }, fields_of(value));
    }
  }

 private:
  int last_ = 0;
};

template <typename T>
bool same(T& a, T& b);

template <typename T>
bool same(std::vector<T>& a, std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

/// Whether all fields are equal, down to the last number.
template <typename T>
bool same(T& a, T& b) {
  if constexpr (requires { fields_of(a); }) {
    auto x = fields_of(a), y = fields_of(b);
    const auto same_fields = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(x), std::get<I>(y)) && ...);
    };
    return same_fields(std::make_index_sequence<std::tuple_size_v<decltype(x)>>{});
  } else {
    return a == b;
  }
}

}  // namespace glassworks::testing
