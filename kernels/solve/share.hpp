// The share that one of several GPUs has in a solve: its rows of the system, and the vectors with which it begins.
#pragma once

#include "core/partition/partition.hpp"
#include "kernels/solve/iteration.hpp"

namespace warpspy {

// The rows of the system that a part has, with its own columns alone: `matrix` is part.local. Not for block Jacobi,
// whose blocks a part does not keep together.
LinearSystem system_of_part(const LinearSystem& whole, const Part& part);

// What the part of GPU `gpu` of `gpus` begins with, from the inputs of the whole system. `system` is the part's, and
// must live as long as the result.
IterationInputs inputs_of_part(const IterationInputs& whole, const LinearSystem& system, const Part& part, int gpus,
                               int gpu);

}  // namespace warpspy
