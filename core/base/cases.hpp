// One function out of several, by the type that a std::variant holds: std::visit(Cases{...}, v).
#pragma once

namespace warpspy {

template <class... Case>
struct Cases : Case... {
  using Case::operator()...;
};

}  // namespace warpspy
