// A value of one of many types, like a std::variant, but quick to compile. A variant of a hundred types makes tables of
// functions in every source that copies or moves it.
#pragma once

#include <any>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpspy::ui {

template <class... Kinds>
class AnyOf {
 public:
  static constexpr std::size_t kinds = sizeof...(Kinds);

  template <class T>
    requires(std::is_same_v<T, Kinds> || ...)
  AnyOf(T value) : value_(std::move(value)), index_(index_of<T>()) {}

  // The index of the value's type, from 0.
  std::size_t index() const { return index_; }

  // nullptr if the value has another type.
  template <class T>
  const T* as() const {
    return std::any_cast<T>(&value_);
  }

  // Calls f with the value; f returns the same type for every type of value.
  template <class F>
  auto visit(F&& f) const {
    using Result = std::common_type_t<std::invoke_result_t<F&, const Kinds&>...>;
    using Call = Result (*)(F&, const std::any&);
    static constexpr Call calls[] = {
        [](F& g, const std::any& value) -> Result { return g(*std::any_cast<Kinds>(&value)); }...};
    return calls[index_](f, value_);
  }

 private:
  template <class T>
  static constexpr std::size_t index_of() {
    constexpr bool same[] = {std::is_same_v<T, Kinds>...};
    std::size_t i = 0;
    while (!same[i]) ++i;
    return i;
  }

  std::any value_;
  std::size_t index_;
};

}  // namespace warpspy::ui
