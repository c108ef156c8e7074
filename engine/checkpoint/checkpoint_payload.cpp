#include "engine/checkpoint/checkpoint_payload.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array_wrapper.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <vector>

namespace glassworks { inline namespace engine {

namespace {

// Spins are close to incompressible: level 1 saves what there is to save (8 %), higher levels only cost time.
constexpr int compression_level = 1;

/// Level 1 uses windows of up to 2^19 B, and decompression takes that memory.
constexpr int largest_window_log = 23;

std::size_t check(std::size_t code) {
  if (!ZSTD_isError(code)) return code;
  if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
    throw std::runtime_error("its compression needs too much memory");
  }
  throw std::runtime_error(fmt::format("its compressed data cannot be read: {}", ZSTD_getErrorName(code)));
}

class Compressor : public std::streambuf {
 public:
  explicit Compressor(const ByteSink& sink)
      : sink_(sink), context_(ZSTD_createCCtx(), ZSTD_freeCCtx), buffer_(ZSTD_CStreamOutSize()) {
    if (!context_) throw std::bad_alloc();
    check(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, compression_level));
  }

  /// Ends the stream; returns the bytes that went in.
  std::uint64_t finish() {
    compress(nullptr, 0, ZSTD_e_end);
    return total_;
  }

 protected:
  std::streamsize xsputn(const char* data, std::streamsize count) override {
    compress(data, static_cast<std::size_t>(count), ZSTD_e_continue);
    return count;
  }

  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    compress(&byte, 1, ZSTD_e_continue);
    return c;
  }

 private:
  void compress(const char* data, std::size_t count, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{data, count, 0};
    bool done = false;
    while (!done) {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = check(ZSTD_compressStream2(context_.get(), &out, &in, directive));
      if (out.pos > 0) sink_(std::span(buffer_).first(out.pos));
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
    total_ += count;
  }

  const ByteSink& sink_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::vector<std::byte> buffer_;
  std::uint64_t total_ = 0;
};

class Decompressor : public std::streambuf {
 public:
  explicit Decompressor(std::span<const std::byte> payload)
      : context_(ZSTD_createDCtx(), ZSTD_freeDCtx), in_{payload.data(), payload.size(), 0} {
    if (!context_) throw std::bad_alloc();
    check(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_log));
  }

  /// Bytes that came out; throws unless the stream ends here and uses up the payload.
  std::uint64_t finish() {
    char extra = 0;
    if (gptr() != egptr() || decompress(&extra, 1) != 0 || !ended_ || in_.pos != in_.size)
      throw std::runtime_error("wrong payload length");
    return total_;
  }

 protected:
  /// Boost looks at its version byte by byte.
  int_type underflow() override {
    if (decompress(&peeked_, 1) == 0) return traits_type::eof();
    setg(&peeked_, &peeked_, &peeked_ + 1);
    return traits_type::to_int_type(peeked_);
  }

  std::streamsize xsgetn(char* data, std::streamsize count) override {
    const auto wanted = static_cast<std::size_t>(count);
    const bool first = total_ == 0;
    std::size_t have = 0;
    if (gptr() != egptr() && wanted > 0) {
      data[have++] = *gptr();
      gbump(1);
    }
    have += decompress(data + have, wanted - have);
    if (first) check_heading(data, have);
    return static_cast<std::streamsize>(have);
  }

 private:
  /// An archive begins with the length of the name of its format, for which Boost takes memory before it looks at it.
  static void check_heading(const char* data, std::size_t count) {
    constexpr std::uint64_t name_length = std::string_view("serialization::archive").size();
    std::uint64_t length = 0;
    if (count == sizeof length) std::memcpy(&length, data, sizeof length);
    if (length != name_length) throw std::runtime_error("its archive has another heading");
  }

  std::size_t decompress(char* data, std::size_t count) {
    ZSTD_outBuffer out{data, count, 0};
    while (out.pos < out.size && !ended_) {
      const std::size_t before = out.pos + in_.pos;
      ended_ = check(ZSTD_decompressStream(context_.get(), &out, &in_)) == 0;
      if (out.pos + in_.pos == before) break;  // truncated
    }
    total_ += out.pos;
    return out.pos;
  }

  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  ZSTD_inBuffer in_;
  bool ended_ = false;
  char peeked_ = 0;
  std::uint64_t total_ = 0;
};

template <typename Archive, typename T>
void archive_elements(Archive& archive, std::vector<T>& elements) {
  auto wrapper = boost::serialization::make_array(elements.data(), elements.size());
  archive& wrapper;
}

template <typename Archive, typename T>
void archive_elements(Archive& archive, const std::vector<T>& elements) {
  const auto wrapper = boost::serialization::make_array(elements.data(), elements.size());
  archive << wrapper;
}

/// Resizes to a length read from the archive, within what the archive can still hold.
template <typename T>
void resize_within(std::vector<T>& elements, std::uint64_t count, std::uint64_t& bytes_left) {
  if (count > bytes_left / sizeof(T)) throw std::runtime_error("an array is longer than the archive");
  bytes_left -= count * sizeof(T);
  elements.resize(static_cast<std::size_t>(count));
}

template <typename Archive>
void write_kept(Archive& archive, const std::vector<KeptSpins>& kept) {
  const std::uint64_t count = kept.size();
  archive << count;
  for (const KeptSpins& one : kept) {
    const std::uint64_t words = one.bits.size(), spins = one.spins.size();
    archive << one.time << words << spins;
    archive_elements(archive, one.bits);
    archive_elements(archive, one.spins);
  }
}

template <typename Archive>
std::vector<KeptSpins> read_kept(Archive& archive, std::uint64_t& bytes_left) {
  std::uint64_t count = 0;
  archive >> count;
  std::vector<KeptSpins> kept;
  while (kept.size() < count) {
    KeptSpins& one = kept.emplace_back();
    std::uint64_t words = 0, spins = 0;
    archive >> one.time >> words >> spins;
    resize_within(one.bits, words, bytes_left);
    resize_within(one.spins, spins, bytes_left);
    archive_elements(archive, one.bits);
    archive_elements(archive, one.spins);
  }
  return kept;
}

}  // namespace

std::uint64_t write_payload(const ChainState& state, PayloadArrays arrays, const ByteSink& sink) {
  Compressor compressor(sink);
  {
    boost::archive::binary_oarchive archive(compressor, boost::archive::no_codecvt);
    const std::array<std::uint64_t, 4> counts{state.slot.size(), state.heading.size(), state.round_trips.size(),
                                              state.spins.size()};
    archive << state.steps;
    for (const std::uint64_t count : counts) archive << count;
    const std::uint64_t states = state.states.size(), beside = state.beside.size();
    if (arrays != PayloadArrays::spins) archive << states;
    if (arrays >= PayloadArrays::with_beside) archive << beside;
    archive_elements(archive, state.slot);
    archive_elements(archive, state.heading);
    archive_elements(archive, state.round_trips);
    archive_elements(archive, state.spins);
    if (arrays != PayloadArrays::spins) archive_elements(archive, state.states);
    if (arrays >= PayloadArrays::with_beside) archive_elements(archive, state.beside);
    if (arrays == PayloadArrays::all) write_kept(archive, state.kept);
  }
  return compressor.finish();
}

std::uint64_t largest_payload(std::uint64_t archive_length) {
  return std::max<std::uint64_t>(ZSTD_compressBound(static_cast<std::size_t>(archive_length)), 1U << 12) +
         archive_length / 64;
}

ChainState read_payload(std::span<const std::byte> payload, PayloadArrays arrays, std::uint64_t archive_length) {
  const unsigned long long declared = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (declared != ZSTD_CONTENTSIZE_UNKNOWN && declared != archive_length) {
    throw std::runtime_error("wrong archive length");
  }
  Decompressor decompressor(payload);
  ChainState state;
  try {
    boost::archive::binary_iarchive archive(decompressor, boost::archive::no_codecvt);
    std::array<std::uint64_t, 4> counts{};
    archive >> state.steps;
    for (std::uint64_t& count : counts) archive >> count;
    std::uint64_t states = 0, beside = 0;
    if (arrays != PayloadArrays::spins) archive >> states;
    if (arrays >= PayloadArrays::with_beside) archive >> beside;
    std::uint64_t bytes_left = archive_length;
    resize_within(state.slot, counts[0], bytes_left);
    resize_within(state.heading, counts[1], bytes_left);
    resize_within(state.round_trips, counts[2], bytes_left);
    resize_within(state.spins, counts[3], bytes_left);
    resize_within(state.states, states, bytes_left);
    resize_within(state.beside, beside, bytes_left);
    archive_elements(archive, state.slot);
    archive_elements(archive, state.heading);
    archive_elements(archive, state.round_trips);
    archive_elements(archive, state.spins);
    if (arrays != PayloadArrays::spins) archive_elements(archive, state.states);
    if (arrays >= PayloadArrays::with_beside) archive_elements(archive, state.beside);
    if (arrays == PayloadArrays::all) state.kept = read_kept(archive, bytes_left);
  } catch (const boost::archive::archive_exception&) {
    throw std::runtime_error("its archive cannot be read");
  }
  if (decompressor.finish() != archive_length) throw std::runtime_error("wrong archive length");
  return state;
}

}}  // namespace glassworks::engine
