// What can limit a product, as rows: rules() is THE list.
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
  // Counters and details without which it cannot tell; "arrays": traffic by array.
  std::vector<const char*> needs = {};
  bool (*holds)(const Evidence&) = nullptr;   // the condition
  bool (*unless)(const Evidence&) = nullptr;  // counter-evidence: it holds, and is not what limits; nullptr: none
  Sentences (*says)(const Evidence&) = nullptr;
  // The causes that a remedy lessens, and what is left of their bounds at best: that bounds the gain.
  std::vector<Cause> lessens = {};
  double (*left)(const Evidence&) = nullptr;  // nullptr: nothing
  bool balances = false;                      // its remedy shares work out: it may take what uneven rows cost
  std::vector<Remedy> tries = {};             // the most likely first
  bool proven = true;                         // its predictions hold on a GPU four times in five (docs/validation.md)
};

// What a rule says of a run, before its gain is held against the noise.
enum class Ruling : std::uint8_t { fires, silent, cannot_tell };
struct Judgement {
  Ruling ruling = Ruling::silent;
  std::string lacks = {};  // cannot_tell: the first of its needs that is not there
};
Judgement judge(const RuleRow& rule, const Evidence& e);

// By file: loads and gathers; lanes, rows and blocks; bytes and roofs; launches, instructions and waiting.
std::span<const RuleRow> load_rules();
std::span<const RuleRow> balance_rules();
std::span<const RuleRow> byte_rules();
std::span<const RuleRow> waiting_rules();
std::vector<const RuleRow*> rules();

}  // namespace warpspy
