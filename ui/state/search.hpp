// The action search: for some words it finds commands, kernels, devices, matrices, generators, matrices of the
// collection, values of parameters, and the field's words. It is a pure function; the dialog shows the result.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/state/command.hpp"

namespace warpspy::ui {

struct SearchHit {
  std::string kind;   // the kind of the hit: "Run", "Kernel", "Matrix"
  std::string title;  // "Threads per row: 16"
  std::string keys;   // "Ctrl+O"; may be empty
  std::string help;
  std::string why_not;  // why it is not possible now, and what to do; "" if it is possible
  std::function<void(const AppState&, ActionSink&)> perform;
  std::string note = {};  // text after the title
};

// The best first: titles that begin with the words, then words that begin words of the title or the kind, then words
// within them, then letters in their order. Of equally good hits, possible ones come first.
std::vector<SearchHit> search(const AppState& s, std::span<const Command> commands, const std::string& words);

// Returns how well words fit a title and its kind: the least number is the best; -1: not at all.
int search_rank(const std::string& words, const std::string& kind, const std::string& title);

}  // namespace warpspy::ui
