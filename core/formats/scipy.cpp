#include "core/formats/scipy.hpp"

#include <algorithm>
#include <cstring>

#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

struct Name {
  const char *format, *ours, *theirs;
};
constexpr Name kNames[] = {
    {"csr", "values", "data"},           {"csr", "columns", "indices"},
    {"csr", "row_ptr", "indptr"},        {"csc", "values", "data"},
    {"csc", "rows", "indices"},          {"csc", "col_ptr", "indptr"},
    {"coo", "values", "data"},           {"coo", "rows", "row"},
    {"coo", "columns", "col"},           {"bsr", "values", "data"},
    {"bsr", "block_columns", "indices"}, {"bsr", "block_ptr", "indptr"},
    {"dia", "values", "data"},           {"dia", "offsets", "offsets"},
};

ArrayView& array_of(ScipyMatrix& m, const char* name) {
  return *std::find_if(m.arrays.begin(), m.arrays.end(), [&](const ArrayView& a) { return a.name == name; });
}

bool blocks_divide(const Format& f, const ArrayView& data) {
  return f.rows() % data.shape[1] == 0 && f.cols() % data.shape[2] == 0;
}

// SciPy's diagonals have an element for every column, ours for every row.
void by_column(const Format& f, ScipyMatrix& m) {
  const ArrayView& offsets = array_of(m, "offsets");
  ArrayView& data = array_of(m, "data");
  const index_t diagonals = data.shape[0], pitch = data.shape[1], cols = f.cols();
  const std::size_t bytes = data.element_bytes();
  require_memory(static_cast<double>(diagonals) * static_cast<double>(cols) * static_cast<double>(bytes),
                 "the diagonals in SciPy's order");
  m.made.assign(static_cast<std::size_t>(diagonals * cols) * bytes, 0);
  for (index_t d = 0; d < diagonals; ++d) {
    const auto offset = static_cast<index_t>(offsets[static_cast<std::size_t>(d)]);
    const index_t first = std::max<index_t>(0, -offset), end = std::min(f.rows(), cols - offset);
    if (end <= first) continue;
    std::memcpy(m.made.data() + static_cast<std::size_t>(d * cols + first + offset) * bytes,
                static_cast<const char*>(data.data) + static_cast<std::size_t>(d * pitch + first) * bytes,
                static_cast<std::size_t>(end - first) * bytes);
  }
  data.data = m.made.data();
  data.shape = {diagonals, cols};
}

}  // namespace

std::optional<ScipyMatrix> as_scipy(const Format& format) {
  ScipyMatrix m{format.id(), {}, {}};
  for (ArrayView array : format.arrays())
    for (const Name& name : kNames)
      if (name.format == m.format && name.ours == array.name) {
        array.name = name.theirs;
        m.arrays.push_back(std::move(array));
        break;
      }
  if (m.arrays.empty()) return std::nullopt;
  if (m.format == "bsr" && !blocks_divide(format, array_of(m, "data"))) return std::nullopt;
  if (m.format == "dia") by_column(format, m);
  return m;
}

}  // namespace warpspy
