// The options of a run's request, one row for each option. JSON, the command line, comparisons and the tables of runs
// are made from these rows. A row also tells whether the arrays on a device can be used again when the option changes.
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
  // Kinds of options: on or off, a whole number, a word that only the engine checks; and these:
  struct Number {
    double RunRequest::* member = nullptr;
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  };
  struct Limit {  // of bytes; "none"
    std::optional<std::uint64_t> MemoryBudget::* member = nullptr;
  };
  struct Choice {  // one of these words; the value is its index
    std::vector<const char*> words;
    int (*get)(const RunRequest&) = nullptr;
    void (*set)(RunRequest&, int) = nullptr;
  };
  using Value =
      std::variant<bool RunRequest::*, std::uint64_t RunRequest::*, std::string RunRequest::*, Number, Limit, Choice>;

  const char* id = "";  // in JSON
  Value value;
  // The option's name and help on the command line; nullptr: it is not there. `bare`: it takes no value, and means the
  // last choice.
  const char* flag = nullptr;
  const char* help = "";
  bool bare = false;
  bool has_default = true;  // whether the command line has a default; false: the user must give it where it matters
  // The option's name where runs are compared; nullptr: the option does not count as a difference. `told` returns the
  // option's value as the record has it, for an option of which the record knows more than the request.
  const char* label = nullptr;
  std::string (*told)(const RunRecord&) = nullptr;
  const char* column = nullptr;  // its column in tables of runs; nullptr: none
  const char* absent = nullptr;  // the value in records of older versions, which lack the option; nullptr: every record
                                 // has it
  // Whether a product's arrays on a device depend on the option. If not, they stay there when the option changes.
  bool of_product = true;
  bool seldom = false;    // JSON leaves it out where it has its default
  bool of_solve = false;  // only a solve has it; it is seldom too
};
const std::vector<RequestOption>& request_options();
const RequestOption& request_option(const std::string& id);  // throws Error

// The value in words: "f64", "0.5", "on", "none".
std::string text_of(const RequestOption& option, const RunRequest& r);
void set_text(const RequestOption& option, RunRequest& r, const std::string& text);  // throws Error
// The option's value in a comparison.
std::string told_of(const RequestOption& option, const RunRecord& r);

// Returns the request, with defaults for all options on which a product's arrays on a device do not depend. Requests
// that then are equal can share these arrays.
RunRequest product_of(const RunRequest& r);

}  // namespace warpspy
