// Writes a sweep as a table, with a row for each product and a column for each quantity.
#pragma once

#include <string>

#include "core/catalog/catalog.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {

// CSV. The inputs stand first, with a column for each parameter of any kernel. Then come state and reason, then the
// results, with units in the header. Last come the maker, the number in the history, and the time that the product
// took; only these differ when the same product runs again. A product without a result has empty fields and its reason.
std::string table_of(const Sweep& sweep, const StoredSweep& stored, const Catalog& catalog);

}  // namespace warpspy
