// Calls one of several functions, chosen by the type that a std::variant holds: std::visit(Cases{...}, v).
#pragma once

namespace warpspy {

template <class... Case>
struct Cases : Case... {
  using Case::operator()...;
};
// C++20 has this by itself; clang before 17 does not.
template <class... Case>
Cases(Case...) -> Cases<Case...>;

}  // namespace warpspy
