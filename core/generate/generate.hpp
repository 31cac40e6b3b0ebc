// Seeded generators: matrices of any size without a download. The table in generate.cpp is the one list of generators.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

struct GeneratorInfo {
  std::string id, label, help;
  std::string good_for;  // what the generator is good for: one or two sentences for a student
  std::string source;
  std::vector<ParamSpec> params;
};
const std::vector<GeneratorInfo>& generators();

// A generator's text, parsed: the generator (an index of generators()) and its parameters: those in the text, or all of
// them. Throws Error as generate() does.
struct GeneratorText {
  std::size_t generator = 0;
  ParamSet params;
};
GeneratorText read_generator(const std::string& spec);

// "laplace5?nx=1000&ny=1000" (an optional "gen:" in front is accepted). Same text, same matrix, on any machine and any
// number of threads. Throws Error naming the unknown generator or parameter and listing the known ones, or when the
// result would not fit in memory (checked before allocating).
Matrix generate(const std::string& spec, Progress& progress);

}  // namespace warpspy
