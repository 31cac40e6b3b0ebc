// Makes plans of the search strategies of profiling/tuner, so that the executor can run them.
#pragma once

#include "core/experiment/search.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

using KernelOf = const KernelRow& (*)(const std::string& id);  // throws Error for an unknown one

// Makes searches with these kernels, measured on a CUDA device or modelled on a simulated GPU. All products of a search
// run on the device that its request means at the beginning, and fail once that device is lost.
MakeSearch search_maker(KernelOf kernel_of = kernel_row);

}  // namespace warpspy
