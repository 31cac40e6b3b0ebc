#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {

// THE list. A new reader is in it by its row in core/io/readers.cpp.
std::vector<Target> targets() {
  std::vector<Target> list = reader_targets();
  for (auto make : {archive_target, zip_target, cache_target, generator_target, permutation_target, history_target,
                    engine_target, server_target, drawn_target, sweep_target})
    list.push_back(make());
  for (auto make : {json_targets, lesson_targets})
    for (Target& t : make()) list.push_back(std::move(t));
  return list;
}

}  // namespace warpspy::fuzz
