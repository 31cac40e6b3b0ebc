// A report over all saved runs: the best run of each matrix for a number of products, and why it is the best.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/model/product_count.hpp"
#include "core/model/run_grid.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The fastest run with a kernel, its parameters and its format. It may be the best run for some number of products.
struct BestCandidate {
  std::shared_ptr<const RunRecord> run;
  std::string name;  // its kernel's; with its parameters if several candidates have this kernel
  PreparationTime preparation;
  // Nothing if the preparation is not known.
  std::optional<ProductCost> cost() const {
    if (!preparation.us) return std::nullopt;
    return ProductCost{*preparation.us, run->time.value};
  }
};

// The best of all runs of the same matrix, precision, device, operation and state of the caches. It is the run with the
// least preparation + products x time. For an unlimited number of products that is the fastest run.
struct BestRun {
  std::shared_ptr<const RunRecord> best;
  std::shared_ptr<const RunRecord> second;  // the best run of another kernel; nullptr: there is no good one
  Operation operation = Operation::product;
  std::optional<RoofShare> share;     // of the best
  std::string params;                 // parameters of the best run that differ from the defaults
  std::string why;                    // why the best run is better than the second; a sentence
  std::string limit;                  // what limits the best run, in a few words; "": nothing was found, or it was not
                                      // looked for
  std::size_t runs = 0, kernels = 0;  // how many good runs, and of how many kernels

  ProductCount products = for_ever;  // number of products for which it is the best
  // Every kernel's fastest run, and its runs that are the best of the kernel for fewer products. The fastest first.
  std::vector<BestCandidate> candidates;
  std::vector<CheapestFor> cheapest;          // of these
  std::shared_ptr<const RunRecord> csr;       // the fastest run of a kernel that reads CSR; nullptr: there is none
  std::optional<double> total_us, second_us;  // of so many products, with preparation; of one product, for ever
  double times_as_fast() const { return total_us && second_us ? *second_us / *total_us : 1; }
  const BestCandidate* candidate(const RunRecord& run) const;  // nullptr: it is none
  // The preparation of the best, in products of the best CSR kernel, or why it is not known.
  std::optional<double> preparation_products() const;
  std::string why_no_products() const;
};

// Whether a run can be the best at all. Failed runs, wrong results, products with alpha or beta, and solves cannot.
bool may_be_best(const RunRecord& r);
// A row for each best run, in the order in which the matrices first appear. `share_of` may be empty. If a number of
// products is given, runs whose preparation is not known do not count. If it is not known of any run, the fastest run
// is listed, without a total.
std::vector<BestRun> best_runs(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                               const ShareOf& share_of, ProductCount products = for_ever);

// A text on what the best run costs, and which run is the best for other numbers of products: "For 100 products CSR
// vector takes least: 1230 us = 0 us of preparation + 100 x 12.3 us. CSR vector up to 34 products, then SELL."
std::string cost_text(const BestRun& b);
// Only the second sentence, without its point: "CSR vector up to 34 products, then SELL".
std::string crossings_text(const BestRun& b);
// Lists the candidates whose preparation is not known, each with the reason; "" if there is none.
std::string left_out_text(const BestRun& b);

// Returns why the first run is faster than the second: it compares noise and bytes, and names what limits only the
// second.
std::string why_faster(const RunRecord& best, const RunRecord& second);

// The table as text: a row for each best run. The name of a column has the unit. An unknown value is empty, in JSON
// null.
std::string to_csv(const std::vector<BestRun>& all);
std::string to_json(const std::vector<BestRun>& all);

}  // namespace warpspy
