// The benchmark's search without a library, as the plan that finds the best of a matrix.
#pragma once

#include "core/experiment/best.hpp"

namespace warpspy {

MakeBest best_maker();

}  // namespace warpspy
