// The collection of matrices, as the open dialog and the action search show it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/collection/index.hpp"

namespace warpspy::ui {

struct CollectionShown {
  std::string from;                              // "https://sparse.tamu.edu", or a folder; empty: there is none
  std::shared_ptr<const CollectionIndex> index;  // nullptr: there is none, or it was not read
  std::set<std::string> here;                    // full names of the matrices that are on this machine
  bool asking = false;                           // the list is being read
  std::string problem;                           // why the list could not be read
};

}  // namespace warpspy::ui
