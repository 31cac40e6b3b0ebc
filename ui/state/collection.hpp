// The collection of matrices, as the open dialog and the action search show it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/collection/index.hpp"

namespace warpspy::ui {

struct CollectionShown {
  std::string from;                              // "https://sparse.tamu.edu", or a folder; empty: there is none
  std::shared_ptr<const CollectionIndex> index;  // nothing: none is here, or nobody asked
  std::set<std::string> here;                    // full names of what needs no network
  bool asking = false;                           // the list is on its way
  std::string problem;                           // why it did not come
};

}  // namespace warpspy::ui
