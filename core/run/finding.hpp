// Tells what limits a run, as a finding: one sentence each for the limit, the evidence, what to try, and how much
// faster that should be. core/diagnosis makes findings. They are kept with the run, so that a prediction can later be
// compared with its outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy {

// A change of a run's request that a user can try. It is another kernel with these parameters (missing ones take their
// default), or the same kernel on a reordered matrix.
struct Change {
  std::string text;  // "CSR vector", "Reverse Cuthill-McKee, then the same kernel"
  std::string kernel;
  ParamSet params = {}, format_params = {};
  std::string reorder = {};  // id of a reordering; empty: the matrix as it is
  bool operator==(const Change&) const = default;
};

// Holds what a change should gain: the time of the whole product after the change. Gains of several findings are never
// added up, since they may concern the same microseconds.
struct Gain {
  double least_us = 0, most_us = 0;        // time after the change: from..to
  double least_times = 1, most_times = 1;  // how many times as fast: before / after
  // model: the change was run on the model of the GPU. roof: an estimate of what
  // goes with the cause, "up to about so many times".
  enum class From : std::uint8_t { roof, model } from = From::roof;
  bool operator==(const Gain&) const = default;
};
constexpr const char* name_of(Gain::From f) { return f == Gain::From::model ? "model" : "roof"; }

struct Finding {
  // limit: something costs time, and a change can be tried. finished: the run is at the roof for the bytes of this
  // format. note: a fact that one must know to judge the run. cannot_tell: the run lacks a number that the rule needs.
  enum class Kind : std::uint8_t { limit, finished, note, cannot_tell } kind = Kind::limit;
  std::string rule;      // id of core/diagnosis
  std::string title;     // a few words: "Gathers of x that miss L1"
  std::string limit;     // one sentence: what limits the run
  std::string evidence;  // one sentence with numbers and units
  std::string advice;
  double share = 0;                              // share of the product's time that the cause takes
  Provenance provenance = Provenance::modelled;  // of the evidence: modelled if any of its numbers is modelled
  std::vector<Change> changes = {};              // changes to try, the best guess first; only that one is left after
                                                 // the model has predicted its gain
  std::optional<Gain> gain = {};                 // gain of the first change
  bool operator==(const Finding&) const = default;
};
constexpr const char* name_of(Finding::Kind k) {
  constexpr const char* names[] = {"limit", "finished", "note", "cannot tell"};
  return names[static_cast<int>(k)];
}

}  // namespace warpspy
