#include "analysis/export/hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

/// Below this an array is stored in one piece; chunks have about this size.
constexpr std::size_t smallest_chunked = 4096, chunk_bytes = 1 << 17;
constexpr int gzip_level = 4;

/// Why the first HDF5 call of this thread failed; then the files that are open are lost, and every call fails.
thread_local std::string reason;

/// Takes the innermost of a stack of errors. HDF5 quotes the system as "..., error message = 'No space left on
/// device'".
herr_t find_reason(unsigned, const H5E_error2_t* error, void*) {
  constexpr std::string_view mark = "error message = '";
  const std::string_view text = error->desc != nullptr ? error->desc : "";
  const std::size_t begin = text.find(mark);
  if (begin != std::string_view::npos) {
    const std::string_view rest = text.substr(begin + mark.size());
    reason = rest.substr(0, rest.find('\''));
  } else if (reason.empty()) {
    reason = fmt::format("HDF5: {}", text);
  }
  return 0;
}

/// Descriptors of the files that this thread has open.
thread_local std::set<int> descriptors;

/// Redirects further writes to a file into discarded memory, so that destructors report no errors.
void redirect_to_memory(int descriptor) {
  const int memory = ::memfd_create("abandoned", MFD_CLOEXEC);
  if (memory < 0) return;
  ::dup3(memory, descriptor, O_CLOEXEC);
  ::close(memory);
}

/// Called by the library where a call fails, while its stack of errors still stands.
herr_t remember_error(hid_t stack, void*) {
  if (!reason.empty()) return 0;
  H5Ewalk2(stack, H5E_WALK_UPWARD, find_reason, nullptr);
  if (reason.empty()) reason = "HDF5 gives no reason";
  for (const int descriptor : descriptors) redirect_to_memory(descriptor);
  return 0;
}

/// HDF5 crashes if it cannot close a file, at the latest in its cleanup at exit. Registers an exit handler that skips
/// that cleanup.
void skip_hdf5_cleanup_at_exit() {
  static const int registered = ::on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        ::_exit(status);
      },
      nullptr);
  static_cast<void>(registered);
}

[[noreturn]] void fail_in_hdf5(const std::string& file) {
  throw std::runtime_error(fmt::format(
      "Cannot write {} ({}). Check the disk, its free space and the permissions, then export again.", file, reason));
}

template <typename Function>
auto translated(const std::string& file, Function&& function) {
  if (!reason.empty()) fail_in_hdf5(file);
  try {
    if constexpr (std::is_void_v<decltype(function())>) {
      function();
      if (!reason.empty()) fail_in_hdf5(file);
    } else {
      auto result = function();
      if (!reason.empty()) fail_in_hdf5(file);
      return result;
    }
  } catch (const H5::Exception& error) {
    if (reason.empty()) reason = "HDF5: " + error.getDetailMsg();
    fail_in_hdf5(file);
  }
}

H5::StrType text_type() {
  H5::StrType type(H5::PredType::C_S1, H5T_VARIABLE);
  type.setCset(H5T_CSET_UTF8);
  return type;
}

template <typename T>
H5::DataType stored_type() {
  if constexpr (std::is_same_v<T, double>) return H5::PredType::IEEE_F64LE;
  if constexpr (std::is_same_v<T, float>) return H5::PredType::IEEE_F32LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5::PredType::STD_I64LE;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5::PredType::STD_U64LE;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5::PredType::STD_U32LE;
  if constexpr (std::is_same_v<T, std::int8_t>) return H5::PredType::STD_I8LE;
  if constexpr (std::is_same_v<T, std::string>) return text_type();
}

/// Writes values to a data set or an attribute of the same type.
template <typename T, typename Write>
void write_values(std::span<const T> values, const Write& write) {
  if constexpr (std::is_same_v<T, std::string>) {
    std::vector<const char*> pointers;
    for (const std::string& text : values) pointers.push_back(text.c_str());
    write(static_cast<const void*>(pointers.data()));
  } else {
    write(static_cast<const void*>(values.data()));
  }
}

template <typename T>
void write_attribute(H5::H5Object& object, const std::string& name, const T& value) {
  const H5::DataType type = stored_type<T>();
  H5::Attribute attribute = object.createAttribute(name, type, H5::DataSpace(H5S_SCALAR));
  write_values<T>({&value, 1}, [&](const void* data) { attribute.write(type, data); });
}

/// Adds what a data set means and closes it; the destructor could only complain about what fails there.
void finish(H5::DataSet& data_set, const ArrayInfo& info) {
  if (!info.order.empty()) write_attribute(data_set, "shape", info.order);
  if (!info.description.empty()) write_attribute(data_set, "description", info.description);
  if (!info.units.empty()) write_attribute(data_set, "units", info.units);
  data_set.close();
}

template <typename T>
void write_scalar(H5::Group& group, const std::string& name, const T& value, const ArrayInfo& info) {
  const H5::DataType type = stored_type<T>();
  H5::DataSet data_set = group.createDataSet(name, type, H5::DataSpace(H5S_SCALAR));
  write_values<T>({&value, 1}, [&](const void* data) { data_set.write(data, type); });
  finish(data_set, info);
}

H5::DSetCreatPropList layout(const std::vector<hsize_t>& shape, std::size_t element) {
  H5::DSetCreatPropList properties;
  properties.setFillTime(H5D_FILL_TIME_NEVER);
  const auto product = [](auto begin, auto end) {
    return std::accumulate(begin, end, hsize_t{1}, std::multiplies<>());
  };
  const hsize_t row = shape.empty() ? 1 : element * product(shape.begin() + 1, shape.end());
  if (shape.empty() || shape.front() * row < smallest_chunked) return properties;
  std::vector<hsize_t> chunk = shape;
  chunk.front() = std::clamp<hsize_t>(chunk_bytes / std::max<hsize_t>(row, 1), 1, shape.front());
  properties.setChunk(static_cast<int>(chunk.size()), chunk.data());
  properties.setShuffle();
  properties.setDeflate(gzip_level);
  return properties;
}

}  // namespace

Hdf5Group Hdf5Group::group(const std::string& name) {
  return translated(file_, [&] { return Hdf5Group(group_.createGroup(name), file_); });
}

void Hdf5Group::attribute(const std::string& name, const std::string& text) {
  translated(file_, [&] { write_attribute(group_, name, text); });
}

void Hdf5Group::attribute(const std::string& name, double number) {
  translated(file_, [&] { write_attribute(group_, name, number); });
}

void Hdf5Group::attribute(const std::string& name, std::int64_t number) {
  translated(file_, [&] { write_attribute(group_, name, number); });
}

void Hdf5Group::attribute(const std::string& name, std::uint64_t number) {
  translated(file_, [&] { write_attribute(group_, name, number); });
}

void Hdf5Group::flag_attribute(const std::string& name, bool flag) {
  translated(file_, [&] { write_attribute(group_, name, static_cast<std::int8_t>(flag)); });
}

void Hdf5Group::scalar(const std::string& name, double number, const ArrayInfo& info) {
  translated(file_, [&] { write_scalar(group_, name, number, info); });
}

void Hdf5Group::scalar(const std::string& name, std::uint64_t number, const ArrayInfo& info) {
  translated(file_, [&] { write_scalar(group_, name, number, info); });
}

void Hdf5Group::scalar(const std::string& name, const std::string& text, const ArrayInfo& info) {
  translated(file_, [&] { write_scalar(group_, name, text, info); });
}

void Hdf5Group::attribute_of(const std::string& data_set, const std::string& name, std::int64_t number) {
  translated(file_, [&] {
    H5::DataSet object = group_.openDataSet(data_set);
    write_attribute(object, name, number);
    object.close();
  });
}

void Hdf5Group::attribute_of(const std::string& data_set, const std::string& name, const std::string& text) {
  translated(file_, [&] {
    H5::DataSet object = group_.openDataSet(data_set);
    write_attribute(object, name, text);
    object.close();
  });
}

template <typename T>
void Hdf5Group::array(const std::string& name, std::span<const T> values, const std::vector<std::size_t>& shape,
                      const ArrayInfo& info) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  if (std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>()) != values.size()) {
    throw std::logic_error("Hdf5Group::array: " + name + " does not have its shape");
  }
  translated(file_, [&] {
    const H5::DataType type = stored_type<T>();
    const H5::DataSpace space(static_cast<int>(extent.size()), extent.data());
    // Of texts the data set holds references only: nothing to compress, and HDF5 needs them initialized.
    constexpr bool texts = std::is_same_v<T, std::string>;
    H5::DataSet data_set =
        group_.createDataSet(name, type, space, texts ? H5::DSetCreatPropList() : layout(extent, sizeof(T)));
    if (!values.empty()) write_values<T>(values, [&](const void* data) { data_set.write(data, type); });
    finish(data_set, info);
  });
}

#define GLASSWORKS_HDF5_ARRAY(T)                                                                             \
  template void Hdf5Group::array<T>(const std::string&, std::span<const T>, const std::vector<std::size_t>&, \
                                    const ArrayInfo&)
GLASSWORKS_HDF5_ARRAY(double);
GLASSWORKS_HDF5_ARRAY(float);
GLASSWORKS_HDF5_ARRAY(std::int64_t);
GLASSWORKS_HDF5_ARRAY(std::uint64_t);
GLASSWORKS_HDF5_ARRAY(std::uint32_t);
GLASSWORKS_HDF5_ARRAY(std::string);

namespace {

/// HDF5 1.10 dereferences a null pointer if memory runs out while it opens a file (H5AC_create), which takes about
/// 1 MiB. Allocates and frees more than that first, so that a lack of memory is a std::bad_alloc here.
void ensure_room_for_hdf5() {
  constexpr std::size_t room = std::size_t{8} << 20;
  ::operator delete(::operator new(room));
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path, std::string name) : name_(std::move(name)) {
  ensure_room_for_hdf5();
  H5Eset_auto2(H5E_DEFAULT, remember_error, nullptr);
  if (descriptors.empty()) reason.clear();
  translated(name_, [&] {
    H5::FileAccPropList access;
    access.setLibverBounds(H5F_LIBVER_V18, H5F_LIBVER_V18);
    // Closing the file also closes all objects in it that an exception has left open.
    access.setFcloseDegree(H5F_CLOSE_STRONG);
    file_ = std::make_unique<H5::H5File>(path.string(), H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access);
    void* handle = nullptr;
    file_->getVFDHandle(&handle);
    descriptor_ = *static_cast<const int*>(handle);
  });
  descriptors.insert(descriptor_);
}

Hdf5File::~Hdf5File() {
  if (!file_) return;
  descriptors.erase(descriptor_);
  static_cast<void>(file_.release());  // never closed
  skip_hdf5_cleanup_at_exit();
}

Hdf5Group Hdf5File::root() {
  return translated(name_, [&] { return Hdf5Group(file_->openGroup("/"), name_); });
}

void Hdf5File::close() {
  translated(name_, [&] { file_->flush(H5F_SCOPE_GLOBAL); });  // what may fail, while the file can still be abandoned
  translated(name_, [&] { file_->close(); });
  file_.reset();
  descriptors.erase(descriptor_);
}

}}  // namespace glassworks::analysis
