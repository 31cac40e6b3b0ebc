// What limits a run, as a finding: one sentence each for the limit, the evidence and what to try, and what that should
// give. Found by core/diagnosis; kept with the run, so that a prediction stands beside its outcome later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy {

// A change of the request: another kernel with these parameters (missing ones take their default), or the same on
// the matrix reordered.
struct Change {
  std::string text;  // "CSR vector", "Reverse Cuthill-McKee, then the same kernel"
  std::string kernel;
  ParamSet params = {}, format_params = {};
  std::string reorder = {};  // id of a reordering; empty: the matrix as it is
  bool operator==(const Change&) const = default;
};

// What a change should give, of the whole product: the time after it. Gains of several findings are never added, since
// they may be the same microseconds.
struct Gain {
  double least_us = 0, most_us = 0;        // time after the change: from..to
  double least_times = 1, most_times = 1;  // how many times as fast: before / after
  // model: the change was run on the model of the GPU. roof: a bound only, "at most so many times".
  enum class From : std::uint8_t { roof, model } from = From::roof;
  bool operator==(const Gain&) const = default;
};
constexpr const char* name_of(Gain::From f) { return f == Gain::From::model ? "model" : "roof"; }

struct Finding {
  // limit: it costs time, and something can be tried. finished: at the roof of what this format moves.
  // note: what one has to know to judge the run. cannot_tell: a number that the rule needs is not there.
  enum class Kind : std::uint8_t { limit, finished, note, cannot_tell } kind = Kind::limit;
  std::string rule;      // id of core/diagnosis
  std::string title;     // a few words: "Gathers of x that miss L1"
  std::string limit;     // a sentence each
  std::string evidence;  // with numbers and units
  std::string advice;
  double share = 0;                              // of the product's time that the cause takes
  Provenance provenance = Provenance::modelled;  // of the evidence: the least that it rests on
  std::vector<Change> changes = {};              // the one to try first; once the model was asked, it alone
  std::optional<Gain> gain = {};                 // of the first change
  bool operator==(const Finding&) const = default;
};
constexpr const char* name_of(Finding::Kind k) {
  constexpr const char* names[] = {"limit", "finished", "note", "cannot tell"};
  return names[static_cast<int>(k)];
}

}  // namespace warpspy
