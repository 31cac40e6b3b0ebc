#include "core/run/fingerprint.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>

#include "core/base/splitmix.hpp"

namespace warpspy {

std::string fingerprint_of(const Csr& a) {
  constexpr std::size_t kSampled = 1'000'000;
  std::uint64_t h = 0;
  const auto add = [&](std::uint64_t v) { h = splitmix::after(h ^ v); };
  for (const index_t n : {a.rows(), a.cols(), a.nnz()}) add(static_cast<std::uint64_t>(n));
  const auto step_for = [](std::size_t count) { return count / kSampled + 1; };
  for (std::size_t i = 0; i < a.row_ptr().size(); i += step_for(a.row_ptr().size()))
    add(static_cast<std::uint64_t>(a.row_ptr()[i]));
  a.columns().visit([&](auto columns) {
    const std::size_t step = step_for(columns.size());
    for (std::size_t k = 0; k < columns.size(); k += step)
      add(static_cast<std::uint64_t>(columns[k]) ^ std::bit_cast<std::uint64_t>(static_cast<double>(a.values()[k])));
  });
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

}  // namespace warpspy
