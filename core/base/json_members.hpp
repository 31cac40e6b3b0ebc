// JSON of plain structs. Each struct names its members once, for writing and for reading:
//   template <class IO> void members(IO& io, Point& p) { io("x", p.x), io("y", p.y); }
// json_of<How>(v) writes, read_json_of<How>(j, v) reads. How::write(v) and How::read(j, v) say what is written in a way
// of its own, and take only that type: numbers that JSON lacks, words of an enumeration. How::Json is nlohmann's class,
// whose header is left to the sources that write JSON.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/json_text.hpp"

namespace warpspy {

template <class How, class T>
typename How::Json json_of(const T& v);
template <class How, class T>
void read_json_of(const typename How::Json& j, T& v);

template <class How>
struct JsonWriting {
  using Json = typename How::Json;
  static constexpr bool reads = false;
  Json j = Json::object();

  template <class T>
  void operator()(const char* name, const T& v) {
    j[name] = json_of<How>(v);
  }
  // A member that files of older versions lack.
  template <class T>
  void newer(const char* name, const T& v) {
    (*this)(name, v);
  }
  // A member that is left out if it has its default value.
  template <class T>
  void if_any(const char* name, const T& v) {
    if (v != T{}) (*this)(name, v);
  }
  // Written as null if it is empty.
  void or_null(const char* name, const std::string& text) { j[name] = text.empty() ? Json() : Json(text); }
  // Only written, for scripts: its value follows from other members.
  template <class T>
  void tell(const char* name, const T& v) {
    (*this)(name, v);
  }
};

template <class How>
struct JsonReading {
  static constexpr bool reads = true;
  const typename How::Json& j;

  template <class T>
  void operator()(const char* name, T& v) {
    read_json_of<How>(j.at(name), v);
  }
  template <class T>
  void newer(const char* name, T& v) {
    if (j.contains(name)) (*this)(name, v);
  }
  template <class T>
  void if_any(const char* name, T& v) {
    newer(name, v);
  }
  void or_null(const char* name, std::string& text) {
    if (!j.at(name).is_null()) (*this)(name, text);
  }
  template <class T>
  void tell(const char*, const T&) {}
};

namespace json_members {
template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;
template <class T, std::size_t n>
constexpr bool is_list<std::array<T, n>> = true;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_pair = false;
template <class A, class B>
constexpr bool is_pair<std::pair<A, B>> = true;
}  // namespace json_members

template <class How, class T>
typename How::Json json_of(const T& v) {
  using Json = typename How::Json;
  if constexpr (requires { How::write(v); }) {
    return How::write(v);
  } else if constexpr (json_members::is_optional<T>) {
    return v ? json_of<How>(*v) : Json();
  } else if constexpr (json_members::is_pair<T>) {
    return Json::array({json_of<How>(v.first), json_of<How>(v.second)});
  } else if constexpr (json_members::is_list<T>) {
    Json list = Json::array();
    for (const auto& each : v) list.push_back(json_of<How>(each));
    return list;
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    JsonWriting<How> io;
    members(io, const_cast<T&>(v));  // reads alone
    return std::move(io.j);
  } else {
    return v;
  }
}

template <class How, class T>
void read_json_of(const typename How::Json& j, T& v) {
  if constexpr (requires { How::read(j, v); }) {
    How::read(j, v);
  } else if constexpr (json_members::is_optional<T>) {
    if (j.is_null()) return v.reset();
    typename T::value_type read;
    read_json_of<How>(j, read);
    v = std::move(read);
  } else if constexpr (json_members::is_pair<T>) {
    read_json_of<How>(j.at(0), v.first), read_json_of<How>(j.at(1), v.second);
  } else if constexpr (json_members::is_list<T>) {
    const auto& items = j.template get_ref<const typename How::Json::array_t&>();  // anything but a list is refused
    if constexpr (requires { v.emplace_back(); }) v.resize(items.size());
    for (std::size_t k = 0; k < v.size(); ++k) read_json_of<How>(j.at(k), v[k]);
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    JsonReading<How> io{j};
    members(io, v);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    v = whole_of<T>(j);
  } else {
    v = j.template get<T>();
  }
}

}  // namespace warpspy
