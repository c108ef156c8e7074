#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace glassworks { inline namespace cpu {

/// Zeroed array on a 64-byte boundary (one AVX-512 register, one cache line). Large ones ask for large pages.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivial_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : size_(size), data_(new (std::align_val_t{64}) T[size]) {
#if defined(__linux__)
    constexpr std::size_t page = 1 << 21;
    const auto begin = reinterpret_cast<std::uintptr_t>(data_.get());
    const std::uintptr_t first = (begin + page - 1) / page * page, end = (begin + size * sizeof(T)) / page * page;
    if (end > first) static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
#endif
    std::memset(static_cast<void*>(data_.get()), 0, size * sizeof(T));
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T[], Free> data_;
};

}}  // namespace glassworks::cpu
