// What every format's builder shares: the memory check before allocating, and the conversion of values.
#pragma once

#include <cstdint>

#include "core/formats/format.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy {

// Throws Error with the size, the limit and what the matrix takes as CSR when the estimate does not fit `available`.
void require_memory(const std::string& format, const Estimate& estimate, const Csr& a, Precision precision,
                    std::size_t available = available_memory());

// Products that stick at the largest value instead of wrapping: an estimate of an absurd format stays absurd.
std::size_t saturating_bytes(index_t count, std::size_t each);
index_t saturating_count(index_t a, index_t b);

// Entry k of `a`, in row `row`, as T through `view`. Throws Error when a finite value becomes infinite.
template <class T>
T converted(const Csr& a, index_t row, index_t k, RealView view);

// Calls f(first_row, last_row) for chunks of rows, reporting progress and noticing cancellation between them.
template <class F>
void for_row_chunks(index_t rows, Progress& progress, F&& f) {
  constexpr index_t chunk = 4096;
  for (index_t first = 0; first < rows; first += chunk) {
    progress.check();
    f(first, first + chunk < rows ? first + chunk : rows);
    progress.set(static_cast<double>(first) / static_cast<double>(rows));
  }
  progress.set(1);
}

}  // namespace warpspy
