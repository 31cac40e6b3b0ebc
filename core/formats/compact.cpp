#include "core/formats/compact.hpp"

namespace warpspy {

ParamSet plain_params(const FormatInfo& compact, const ParamSet& params) {
  ParamSet plain;
  for (const ParamSpec& spec : format_row(compact.compact_of).info.params)
    for (const std::string& id : {spec.id, spec.tried_as})
      if (const auto at = params.find(id); at != params.end()) {
        plain[spec.id] = at->second;
        break;
      }
  return plain;
}

}  // namespace warpspy
