// A sweep as one tidy table: a row for each product, a column for each quantity.
#pragma once

#include <string>

#include "core/catalog/catalog.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {

// CSV. What was asked for stands first, a column for each parameter that any of the kernels has; then state and reason;
// then what came of it, with units in the header; last who made it, its number in the history and how long it took,
// which alone differ when the same is run again. A product without a result has empty fields and its reason.
std::string table_of(const Sweep& sweep, const StoredSweep& stored, const Catalog& catalog);

}  // namespace warpspy
