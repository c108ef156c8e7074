#pragma once

#include <H5Cpp.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glassworks { inline namespace analysis {

/// What an array means; becomes its attributes. Empty texts are left out.
struct ArrayInfo {
  std::string order;  ///< names of its indices, the slowest first: "[round][slot][observable]"
  std::string description, units;
};

/// A group of an HDF5 file that is being written. Numbers keep their type (little endian), texts are UTF-8 of variable
/// length. Members throw std::runtime_error with one sentence that names the file.
class Hdf5Group {
 public:
  [[nodiscard]] Hdf5Group group(const std::string& name);

  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, double number);
  void attribute(const std::string& name, std::int64_t number);
  void attribute(const std::string& name, std::uint64_t number);
  /// Stored as an 8-bit integer. Takes bool only, because a string literal converts to bool.
  void attribute(const std::string& name, std::same_as<bool> auto flag) { flag_attribute(name, flag); }

  /// Scalar data sets.
  void scalar(const std::string& name, double number, const ArrayInfo& info = {});
  void scalar(const std::string& name, std::uint64_t number, const ArrayInfo& info = {});
  void scalar(const std::string& name, const std::string& text, const ArrayInfo& info = {});

  /// Data set of the given shape in C order; larger ones are chunked along the first index, shuffled and compressed
  /// (gzip). T: double, float, std::int64_t, std::uint64_t, std::uint32_t or std::string.
  template <typename T>
  void array(const std::string& name, std::span<const T> values, const std::vector<std::size_t>& shape,
             const ArrayInfo& info);

  /// The attribute of a data set of this group.
  void attribute_of(const std::string& data_set, const std::string& name, std::int64_t number);
  void attribute_of(const std::string& data_set, const std::string& name, const std::string& text);

 private:
  friend class Hdf5File;
  void flag_attribute(const std::string& name, bool flag);
  Hdf5Group(H5::Group group, std::string file) : group_(std::move(group)), file_(std::move(file)) {}

  H5::Group group_;
  std::string file_;  ///< as messages name it
};

/// A new HDF5 file that readers since HDF5 1.8 understand.
class Hdf5File {
 public:
  /// path  where it is written
  /// name  what messages call it
  Hdf5File(const std::filesystem::path& path, std::string name);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  /// Abandons a file that was not closed: its content is undefined.
  ~Hdf5File();

  [[nodiscard]] Hdf5Group root();
  /// Writes out everything. No group of the file may be used afterwards. Throws std::runtime_error.
  void close();

 private:
  std::string name_;
  std::unique_ptr<H5::H5File> file_;
  int descriptor_ = -1;  ///< of the open file
};

}}  // namespace glassworks::analysis
