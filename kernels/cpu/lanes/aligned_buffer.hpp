#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace glassworks { inline namespace cpu {

/// Zeroed array on a 64-byte boundary (one AVX-512 register, one cache line).
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : size_(size), data_(new (std::align_val_t{64}) T[size]()) {}

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
