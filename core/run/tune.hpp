// A search for the fastest parameters of a kernel as plain data: the request, each product that was tried, and what
// every strategy found. It can be written as JSON and read back unchanged.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct TuneRequest {
  // Kernel, precision, view, device, and the seconds each product may take. Parameters in run.params keep their values;
  // the search changes all others.
  RunRequest run;
  std::vector<std::string> strategies;  // ids of Catalog::strategies; empty: all
  int most_products = 600;              // limit of the exhaustive search; a grid with more points is thinned
  bool operator==(const TuneRequest&) const = default;
};

// One product that a strategy asked for.
struct TuneStep {
  std::string strategy;  // id; "default" is the product with the kernel's default parameters, with which all are
                         // compared
  int product = 0;       // number within its strategy, from 1
  std::string kernel;
  ParamSet params;           // complete
  std::optional<double> us;  // time of the product; nothing when it failed
  std::string failure;       // why it failed, in one line
  double conversion_us = 0;  // measured time of the conversion to the kernel's format; 0 if this strategy used it
                             // before
  bool operator==(const TuneStep&) const = default;
};

// Holds what a strategy found and what it cost.
struct TuneOutcome {
  std::string strategy;
  std::string kernel;        // kernel with the best parameters
  ParamSet params;           // the best; empty when every product failed
  std::optional<double> us;  // their time
  int products = 0;          // how many products the choice needed
  double cost_us = 0;        // time of these products with conversions
  // (Time of this choice) / (best time of the exhaustive search) - 1. No value if there was no exhaustive search. It is
  // below 0 if a strategy chose something better that the exhaustive search did not try, such as another kernel.
  std::optional<double> regret;
  // cost_us / time saved per product against the default parameters; nothing ("never") if no time is saved.
  std::optional<double> pays_after;
  std::string reason;              // why the best is fast, as far as that is known without counters; may be empty
  std::vector<std::string> notes;  // sentences
  bool operator==(const TuneOutcome&) const = default;
};

struct TuneRecord {
  std::string started;  // UTC, ISO 8601
  TuneRequest request;
  RunStatus status = RunStatus::failed;
  std::string error;  // one line when failed
  std::string matrix_name;
  index_t rows = 0, cols = 0, nnz = 0;
  std::string device, device_name;
  Provenance provenance = Provenance::modelled;  // provenance of the products' times
  std::vector<TuneStep> steps;                   // the default first, then strategy by strategy, in order
  std::vector<TuneOutcome> outcomes;             // outcomes of the strategies that have ended
  std::vector<std::string> notes;

  const TuneOutcome* outcome(const std::string& strategy) const;
  // The default parameters' step; nullptr before it came.
  const TuneStep* base() const;
};

// Returns what `strategy` found, in sentences: how much faster than the default, why, and after how many products the
// search has paid off. Empty if it found nothing.
std::string verdict_text(const TuneRecord& record, const std::string& strategy, const Catalog& catalog);

// Computes regret and pays_after of `o`. `base` is the time with default parameters, `best` the best time of the
// exhaustive search.
void judge(TuneOutcome& o, std::optional<double> base, std::optional<double> best);

// A listener that is called after each product, failed ones too, on the thread that tunes. It gets the step and the
// product's record.
using OnTuneStep = std::function<void(const TuneStep&, const RunRecord&)>;

std::string to_json(const TuneRequest& r);
std::string to_json(const TuneRecord& r);
// Throw Error on text that is not such an object.
TuneRequest tune_request_from_json(const std::string& text);
TuneRecord tune_record_from_json(const std::string& text);

}  // namespace warpspy
