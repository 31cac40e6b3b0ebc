// Parameters of kernels that tests of the tuner make up.
#pragma once

#include <cstddef>
#include <string>

#include "core/catalog/catalog.hpp"

namespace warpspy {

using Type = ParamSpec::Type;

inline ParamSpec spec(const std::string& id, Type type, double min, double max, double def) {
  ParamSpec s;
  s.id = id, s.type = type, s.min = min, s.max = max, s.def = def;
  if (type == Type::choice) s.choices.resize(static_cast<std::size_t>(max) + 1, "choice");
  return s;
}

}  // namespace warpspy
