// Turns plain structs into bytes and back. Numbers are little endian, texts and lists follow their length, and structs
// are written member by member, as `parts` lists them. Both ends must be the same version of the program: no member is
// optional.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy::wire {

static_assert(std::endian::native == std::endian::little, "numbers go as they lie in memory");

// Lists all members of a struct that is sent: std::tuple(&T::a, &T::b, ...). The compiler checks that none is missing.
template <class T>
constexpr auto parts = nullptr;
template <class T>
concept Described = !std::is_null_pointer_v<std::remove_cv_t<decltype(parts<T>)>>;

// Tells how many values an enumeration has, counted from 0. Bytes with a larger value are refused.
template <class T>
constexpr int values_of = 0;

struct Anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
// Counts the members of a struct.
template <class T, std::size_t N = 0>
constexpr std::size_t member_count() {
  if constexpr (takes<T>(std::make_index_sequence<N + 1>{}))
    return member_count<T, N + 1>();
  else
    return N;
}

class Writer {
 public:
  template <class... T>
  Writer& operator()(const T&... values) {
    (put(values), ...);
    return *this;
  }
  std::string take() { return std::move(out_); }

 private:
  void bytes(const void* from, std::size_t n) { out_.append(static_cast<const char*>(from), n); }
  template <class T>
  void put(const T& v) {
    if constexpr (Described<T>) {
      static_assert(std::tuple_size_v<decltype(parts<T>)> == member_count<T>(), "a member of T is not listed");
      std::apply([&](auto... member) { (put(v.*member), ...); }, parts<T>);
    } else {
      static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "T is not listed");
      bytes(&v, sizeof v);
    }
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    if constexpr (std::is_arithmetic_v<T>)
      bytes(list.data(), list.size() * sizeof(T));
    else
      for (const T& one : list) put(one);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& list) {
    for (const T& one : list) put(one);
  }
  template <class T>
  void put(const std::optional<T>& v) {
    put(v.has_value());
    if (v) put(*v);
  }
  template <class K, class V>
  void put(const std::map<K, V>& map) {
    put(static_cast<std::uint64_t>(map.size()));
    for (const auto& [key, value] : map) put(key), put(value);
  }

  std::string out_;
};

// Throws Error if the bytes end too early, have an impossible value, or continue after the end.
class Reader {
 public:
  explicit Reader(std::string_view from) : left_(from) {}

  template <class... T>
  Reader& operator()(T&... values) {
    (get(values), ...);
    return *this;
  }
  template <class T>
  T read() {
    T value{};
    get(value);
    return value;
  }
  void end() const {
    if (!left_.empty()) throw Error("a message of the engine is longer than it should be");
  }

 private:
  static Error damaged() { return Error("a message of the engine is damaged"); }
  std::string_view bytes(std::uint64_t n) {
    if (n > left_.size()) throw damaged();
    const std::string_view taken = left_.substr(0, n);
    left_.remove_prefix(n);
    return taken;
  }
  template <class T>
  void get(T& v) {
    if constexpr (Described<T>) {
      std::apply([&](auto... member) { (get(v.*member), ...); }, parts<T>);
    } else if constexpr (std::is_same_v<T, bool>) {
      v = read<std::uint8_t>() != 0;
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(values_of<T> > 0, "how many values T has is not listed");
      const auto value = read<std::underlying_type_t<T>>();
      if (std::cmp_less(value, 0) || std::cmp_greater_equal(value, values_of<T>)) throw damaged();
      v = static_cast<T>(value);
    } else {
      static_assert(std::is_arithmetic_v<T>, "T is not listed");
      std::memcpy(&v, bytes(sizeof v).data(), sizeof v);
    }
  }
  void get(std::string& text) { text = std::string(bytes(read<std::uint64_t>())); }
  template <class T>
  void get(std::vector<T>& list) {
    const auto n = read<std::uint64_t>();
    if (n > left_.size()) throw damaged();  // no element takes less than a byte
    if constexpr (std::is_arithmetic_v<T>) {
      if (n > left_.size() / sizeof(T)) throw damaged();
      list.resize(n);
      if (n > 0) std::memcpy(list.data(), bytes(n * sizeof(T)).data(), n * sizeof(T));
    } else {
      list.clear();
      for (std::uint64_t k = 0; k < n; ++k) get(list.emplace_back());
    }
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& list) {
    for (T& one : list) get(one);
  }
  template <class T>
  void get(std::optional<T>& v) {
    v.reset();
    if (read<bool>()) get(v.emplace());
  }
  template <class K, class V>
  void get(std::map<K, V>& map) {
    const auto n = read<std::uint64_t>();
    map.clear();
    for (std::uint64_t k = 0; k < n; ++k) {
      K key{};
      get(key);
      get(map[key]);
    }
  }

  std::string_view left_;
};

template <class... T>
std::string pack(const T&... values) {
  return Writer()(values...).take();
}
// Reads all of `bytes`; more or fewer bytes are an error.
template <class... T>
void unpack(std::string_view bytes, T&... values) {
  Reader r(bytes);
  r(values...);
  r.end();
}

}  // namespace warpspy::wire
