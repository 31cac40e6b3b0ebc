// Each parameter struct has one table of fields. From that table come the ParamSpecs (for window, command line, JSON)
// and the conversion between the struct and a ParamSet.
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// A member of a plain parameter struct and its description. spec.def is the struct's own default.
template <class Params>
struct Field {
  int Params::* member = nullptr;
  ParamSpec spec;
};
template <class Params>
using Fields = std::vector<Field<Params>>;

template <class Params>
std::vector<ParamSpec> specs_of(const Fields<Params>& fields) {
  std::vector<ParamSpec> specs;
  for (const Field<Params>& f : fields) {
    specs.push_back(f.spec);
    specs.back().def = Params{}.*f.member;
  }
  return specs;
}

// Makes the struct from a set that has all its fields; the set may have other values too.
template <class Params>
Params read_fields(const Fields<Params>& fields, const ParamSet& complete) {
  Params p;
  for (const Field<Params>& f : fields) p.*f.member = static_cast<int>(complete.at(f.spec.id));
  return p;
}

// Throws Error as checked_params does: unknown name, value out of range.
template <class Params>
Params params_of(const Fields<Params>& fields, const ParamSet& given) {
  return read_fields(fields, checked_params(specs_of(fields), given));
}

template <class Params>
ParamSet set_of(const Fields<Params>& fields, const Params& p) {
  ParamSet set;
  for (const Field<Params>& f : fields) set[f.spec.id] = p.*f.member;
  return set;
}

}  // namespace warpspy
