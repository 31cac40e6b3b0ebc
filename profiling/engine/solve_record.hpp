// What solves on one GPU and over several share: their system, and what their records tell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/solve/system.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

// What Newton's method gives to the solve of a step, since the request has no word for it.
struct SolveVectors {
  std::vector<double> b;  // the right-hand side; the start is 0
  std::vector<double> x;  // gets the solution
  // The first step, for the later ones; nullptr: this is the first. The matrix then has the same entries with other
  // values, so a device takes the time of each launch in the first step only, and needs no other facts again.
  const RunRecord* first = nullptr;
  bool is_later() const { return first != nullptr; }
};

// Vectors that an iteration reads or writes beside the product's x and y.
double vectors_of(const SolveOptions& o);
// A vector of a word or of a file. Throws Error as vector_of_word() and read_vector().
std::vector<double> vector_of(const std::string& words, index_t size, std::uint64_t seed, Progress& progress);
// Reads or makes the vectors of a solve, and its preconditioner; `cg` and what it throws: as make_system. `given`:
// nullptr unless Newton's method asks.
LinearSystem system_of(const RunRequest& request, const std::shared_ptr<const Csr>& matrix, const SolveVectors* given,
                       Progress& progress, const CgRun& cg);
// Sums of the vectors are made in the same order each time; those of some products are not. Throws Error for these, if
// the request asks for the same bits each time.
void require_deterministic(const PreparedRun& run);

void add_detail(RunRecord& r, const char* id, const char* label, double value, const char* unit, Provenance from);
// The time of an iteration. `product_bytes`: the least bytes of its products.
void set_iteration(const PreparedRun& run, const SolveOptions& options, double product_bytes, RunRecord& r, double us,
                   Provenance from, std::string how);
// Time to solution: what is prepared once, all iterations, and the steps between them.
void add_solution(const PreparedRun& run, RunRecord& r, const LinearSystem& system, double solve_us, Provenance from);
// Notes what the model of an iteration leaves out, and who computed the numbers.
void note_modelled(const SolveOptions& options, Precision precision, RunRecord& r);
// Gives the solution to Newton's method, or writes the file that the request names.
void hand_over(std::vector<double> x, const RunRequest& request, SolveVectors* given);

}  // namespace warpspy
