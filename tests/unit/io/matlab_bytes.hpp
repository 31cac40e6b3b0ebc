// MATLAB 5 files put together by hand, byte by byte, for what no library would write.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace warpspy::test {

enum MatType : std::uint32_t { kI8 = 1, kU8 = 2, kI16 = 3, kI32 = 5, kU32 = 6, kF64 = 9, kMat = 14, kZlib = 15 };
enum MatClass : std::uint32_t {
  kCellClass = 1,
  kStructClass = 2,
  kObjectClass = 3,
  kSparseClass = 5,
  kDoubleClass = 6,
  kFunctionClass = 16,
  kOpaqueClass = 17
};

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

inline std::string element(std::uint32_t type, const std::string& data) {
  std::string e = raw(std::vector<std::uint32_t>{type, static_cast<std::uint32_t>(data.size())}) + data;
  if (type != kZlib) e.resize((e.size() + 7) / 8 * 8);
  return e;
}
// Four bytes at most, inside the tag.
inline std::string small_element(std::uint32_t type, std::string data) {
  const auto size = static_cast<std::uint32_t>(data.size());
  data.resize(4);
  return raw(std::vector<std::uint32_t>{type | size << 16}) + data;
}

inline std::string variable(std::uint32_t kind, const std::vector<std::int32_t>& dims, const std::string& name,
                            const std::string& parts, std::uint32_t nzmax = 0) {
  return element(kMat, element(kU32, raw(std::vector<std::uint32_t>{kind, nzmax})) + element(kI32, raw(dims)) +
                           element(kI8, name) + parts);
}

inline std::string field_names(std::initializer_list<std::string> names) {
  std::string all;
  for (std::string name : names) {
    name.resize(8);
    all += name;
  }
  return small_element(kI32, raw(std::vector<std::int32_t>{8})) + element(kI8, all);
}

// [1 0; 2 0; 0 3]
inline std::string sparse(const std::string& name) {
  return variable(kSparseClass, {3, 2}, name,
                  element(kI32, raw(std::vector<std::int32_t>{0, 1, 2})) +
                      element(kI32, raw(std::vector<std::int32_t>{0, 2, 3})) +
                      element(kF64, raw(std::vector<double>{1, 2, 3})),
                  3);
}

inline std::string deflated(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string packed(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
  packed.resize(size);
  return packed;
}
inline std::string compressed(const std::string& bytes) { return element(kZlib, deflated(bytes)); }

inline std::string mat_file(const std::string& variables) {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  return header + std::string("\0\1IM", 4) + variables;
}

}  // namespace warpspy::test
