#include "core/catalog/names.hpp"

#include <cctype>
#include <cstddef>

namespace warpspy {

namespace {

// Ids that are the names of Reguly & Giles 2012, so that readers of the paper find them.
constexpr const char* papers_names[] = {"coop", "repeat"};

}  // namespace

std::string full_label(const ParamSpec& spec) {
  for (const char* name : papers_names)
    if (spec.id == name && spec.label != name) return spec.label + " (" + name + ")";
  return spec.label;
}

// Names in capitals, such as K and COO, keep them.
std::string label_in_sentence(const ParamSpec& spec) {
  std::string label = spec.label;
  const auto is_upper = [&](std::size_t k) {
    return k < label.size() && std::isupper(static_cast<unsigned char>(label[k])) != 0;
  };
  if (label.size() > 1 && is_upper(0) && !is_upper(1) && label[1] != ' ')
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

}  // namespace warpspy
