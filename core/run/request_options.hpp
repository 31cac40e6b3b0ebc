// The options of a run: one row for each. JSON, the command line, comparisons, the tables of runs, and for how long a
// product may stay on a device, are made from the rows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

struct RequestOption {
  // What is on or off, a whole number, a word that only the engine checks; and:
  struct Number {
    double RunRequest::* member = nullptr;
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  };
  struct Limit {  // of bytes; "none"
    std::optional<std::uint64_t> MemoryBudget::* member = nullptr;
  };
  struct Choice {  // one of these words, by place
    std::vector<const char*> words;
    int (*get)(const RunRequest&) = nullptr;
    void (*set)(RunRequest&, int) = nullptr;
  };
  using Value =
      std::variant<bool RunRequest::*, std::uint64_t RunRequest::*, std::string RunRequest::*, Number, Limit, Choice>;

  const char* id = "";  // in JSON
  Value value;
  // On the command line, with its help; nullptr: not there. `bare`: it takes no value, and means the last choice.
  const char* flag = nullptr;
  const char* help = "";
  bool bare = false;
  bool has_default = true;  // on the command line; false: to be said where it matters
  // Where runs are compared; nullptr: runs that differ by it alone are alike. `told`: what is said of a record there,
  // where that is more than what was asked for.
  const char* label = nullptr;
  std::string (*told)(const RunRecord&) = nullptr;
  const char* column = nullptr;  // in tables of runs; nullptr: none
  const char* absent = nullptr;  // what records of older versions mean, which lack it; nullptr: none does
  // Whether a product on a device depends on it. Else it stays there while the option changes.
  bool of_product = true;
};
const std::vector<RequestOption>& request_options();
const RequestOption& request_option(const std::string& id);  // throws Error

// The value in words: "f64", "0.5", "on", "none".
std::string text_of(const RequestOption& option, const RunRequest& r);
void set_text(const RequestOption& option, RunRequest& r, const std::string& text);  // throws Error
// In a comparison.
std::string told_of(const RequestOption& option, const RunRecord& r);

// The request with everything at its default that a product on a device does not depend on.
RunRequest product_of(const RunRequest& r);

}  // namespace warpspy
