// A rule describes what can limit a product, and when. Each rule is a row, and rules() is the one list.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/evidence.hpp"
#include "core/diagnosis/remedies.hpp"
#include "core/run/finding.hpp"

namespace warpspy {

struct Sentences {
  std::string limit, evidence, advice;
};

struct RuleRow {
  const char* id;
  const char* title;
  Finding::Kind kind = Finding::Kind::limit;
  // Counters and details without which the rule cannot decide; "arrays" means traffic by array.
  std::vector<const char*> needs = {};
  bool (*holds)(const Evidence&) = nullptr;   // the condition
  bool (*unless)(const Evidence&) = nullptr;  // counter-evidence: the rule's condition holds, but something else
                                              // limits; nullptr: none
  Sentences (*says)(const Evidence&) = nullptr;
  // The causes that a remedy lessens, and how much of their bounds remains at best. This limits the predicted gain.
  std::vector<Cause> lessens = {};
  double (*left)(const Evidence&) = nullptr;  // nullptr: nothing
  bool balances = false;                      // the rule's remedy shares work evenly, so its gain may include what
                                              // uneven rows cost
  std::vector<Remedy> tries = {};             // the most likely first
  bool proven = true;                         // four of five of its predictions are right on a GPU (docs/validation.md)
};

// Tells what a rule decides about a run: it fires, it stays silent, or it lacks a number. The gain is compared with the
// noise only later.
enum class Ruling : std::uint8_t { fires, silent, cannot_tell };
struct Judgement {
  Ruling ruling = Ruling::silent;
  std::string lacks = {};  // for cannot_tell: the first missing number of `needs`
};
Judgement judge(const RuleRow& rule, const Evidence& e);

// The rules are in four files: on loads and gathers; on lanes, rows and blocks; on bytes and roofs; and on launches,
// instructions and waiting.
std::span<const RuleRow> load_rules();
std::span<const RuleRow> balance_rules();
std::span<const RuleRow> byte_rules();
std::span<const RuleRow> waiting_rules();
std::vector<const RuleRow*> rules();

}  // namespace warpspy
