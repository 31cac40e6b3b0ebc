// Which kernel makes a solve the fastest. In a solve the product shares time and caches with the vectors, and begins
// while they end. So the fastest product of a search need not give the fastest iteration, and a few kernels are tried
// in short solves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/model/best_runs.hpp"
#include "core/run/record.hpp"

namespace warpspy {

inline constexpr std::uint64_t iterations_of_trial = 32;

// Short solves like `solve`, each with another kernel: the four kernels whose products with preparation cost the least
// for `products` products, and the best three that read CSR. Those that read CSR stand there with their defaults too. A
// solve's products come from the program's own kernels; `solve.deterministic` leaves out kernels that add by atomics.
// Empty if no kernel is left. Run them twice: the first solve with a kernel also loads its code and that of the
// conversion, which counts as preparation.
std::vector<RunRequest> solve_trials(const BestRun& best, const Catalog& catalog, const RunRequest& solve,
                                     ProductCount products);

// Whether a saved run of the same matrix tells what `trial` would: a solve with its kernel, parameters, method,
// preconditioner and precision, on `device`.
bool tells(const RunRecord& saved, const RunRequest& trial, const std::string& device, const Catalog& catalog);

// Preparation and `iterations` iterations of a solve, in us. Nothing if the solve failed.
std::optional<double> solve_cost_us(const RunRecord& solve, std::uint64_t iterations);

// The solve that costs the least; nullptr if no cost is known.
std::shared_ptr<const RunRecord> least_solve(std::span<const std::shared_ptr<const RunRecord>> solves,
                                             std::uint64_t iterations);

}  // namespace warpspy
