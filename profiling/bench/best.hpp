// The plan that finds the fastest kernel of a matrix. It is the benchmark's search without a library to compare with.
#pragma once

#include "core/experiment/best.hpp"

namespace warpspy {

MakeBest best_maker();

}  // namespace warpspy
