#pragma once

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler/ranks/message_fields.hpp"

namespace glassworks { inline namespace scheduler {

/// What travels as it lies in memory; arrays of it as one block.
template <typename T>
concept Block = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;

/// Writes fields into a Boost binary archive in memory: lengths as 64 bits before what they count.
class MessageWriter {
 public:
  template <typename... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  /// The archive; ends the writing.
  [[nodiscard]] std::vector<std::byte> bytes() && { return std::move(buffer_.bytes); }

 private:
  struct Buffer : std::streambuf {
    std::vector<std::byte> bytes;
    std::streamsize xsputn(const char* data, std::streamsize count) override {
      const auto* first = reinterpret_cast<const std::byte*>(data);
      bytes.insert(bytes.end(), first, first + count);
      return count;
    }
    int_type overflow(int_type c) override {
      bytes.push_back(static_cast<std::byte>(c));
      return c;
    }
  };

  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      put(static_cast<std::uint8_t>(value));
    } else if constexpr (Block<T>) {
      archive_.save_binary(&value, sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      put(static_cast<std::int32_t>(value));
    } else {
      visit_fields(value, *this);
    }
  }
  template <typename T>
  void put_block(const T& elements) {
    put(std::uint64_t{elements.size()});
    archive_.save_binary(elements.data(), elements.size() * sizeof elements[0]);
  }
  void put(const std::string& text) { put_block(text); }
  template <typename T>
  void put(const std::vector<T>& elements) {
    if constexpr (Block<T>) {
      put_block(elements);
    } else {
      put(std::uint64_t{elements.size()});
      for (const T& element : elements) put(element);
    }
  }
  template <typename Key, typename Value>
  void put(const std::map<Key, Value>& map) {
    put(std::uint64_t{map.size()});
    for (const auto& [key, value] : map) (*this)(key, value);
  }

  Buffer buffer_;
  boost::archive::binary_oarchive archive_{buffer_, boost::archive::no_codecvt | boost::archive::no_header};
};

/// Reads what MessageWriter wrote. Throws std::runtime_error or Boost's archive_exception where the bytes are something
/// else; allocates no more than a small multiple of what is there.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : buffer_(bytes) {}

  template <typename... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }
  /// Throws unless everything has been read.
  void finish() const {
    if (buffer_.left() != 0) throw std::runtime_error("bytes after its end");
  }

 private:
  struct Buffer : std::streambuf {
    explicit Buffer(std::span<const std::byte> bytes) {
      char* first = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));  // only read
      setg(first, first, first + bytes.size());
    }
    [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(egptr() - gptr()); }
  };

  template <typename T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      get(byte);
      if (byte > 1) throw std::runtime_error("neither true nor false");
      value = byte == 1;
    } else if constexpr (Block<T>) {
      archive_.load_binary(&value, sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      std::int32_t number = 0;
      get(number);
      if (number < 0 || number > static_cast<std::int32_t>(last_value(T{}))) throw std::runtime_error("unknown value");
      value = static_cast<T>(number);
    } else {
      visit_fields(value, *this);
    }
  }
  /// A length of elements that take at least so many bytes each.
  std::size_t length(std::size_t element_bytes) {
    std::uint64_t count = 0;
    get(count);
    if (count > buffer_.left() / element_bytes) throw std::runtime_error("longer than the message");
    return static_cast<std::size_t>(count);
  }
  template <typename T>
  void get_block(T& elements) {
    elements.resize(length(sizeof elements[0]));
    archive_.load_binary(elements.data(), elements.size() * sizeof elements[0]);
  }
  void get(std::string& text) { get_block(text); }
  template <typename T>
  void get(std::vector<T>& elements) {
    if constexpr (Block<T>) {
      get_block(elements);
    } else {
      for (std::size_t left = length(1); left > 0; --left) get(elements.emplace_back());
    }
  }
  template <typename Key, typename Value>
  void get(std::map<Key, Value>& map) {
    for (std::size_t left = length(1); left > 0; --left) {
      std::pair<Key, Value> entry;
      (*this)(entry.first, entry.second);
      if (!map.insert(std::move(entry)).second) throw std::runtime_error("a key twice");
    }
  }

  Buffer buffer_;
  boost::archive::binary_iarchive archive_{buffer_, boost::archive::no_codecvt | boost::archive::no_header};
};

}}  // namespace glassworks::scheduler
