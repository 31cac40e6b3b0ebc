#include "kernels/table/table.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/table/list.hpp"
#include "kernels/table/row_of.hpp"
#include "kernels/table/shards.hpp"
#include "kernels/vendor/cusparse.hpp"

namespace warpspy {
namespace {

// The functions of the kernel at `place`, which exactly one shard has.
template <int... shard>
Emulator emulator(std::size_t place, std::integer_sequence<int, shard...>) {
  Emulator found = nullptr;
  ((found = found ? found : emulator_shard<shard>(place)), ...);
  return found;
}
template <int... shard>
CudaLauncher cuda_launcher([[maybe_unused]] std::size_t place, std::integer_sequence<int, shard...>) {
  CudaLauncher found = nullptr;
#if defined(WARPSPY_HAVE_CUDA)
  ((found = found ? found : cuda_shard<shard>(place)), ...);
#endif
  return found;
}

template <std::size_t... place>
std::vector<KernelRow> rows(std::index_sequence<place...>) {
  constexpr std::make_integer_sequence<int, WARPSPY_SHARDS> shards;
  return {row_of<std::tuple_element_t<place, KernelList>>(emulator(place, shards), cuda_launcher(place, shards))...};
}

}  // namespace

const std::vector<KernelRow>& kernels() {
  static const std::vector<KernelRow> table = [] {
    std::vector<KernelRow> all = rows(std::make_index_sequence<std::tuple_size_v<KernelList>>());
    for (KernelRow& row : vendor_kernels()) all.push_back(std::move(row));
    return all;
  }();
  return table;
}

const KernelRow& kernel_row(const std::string& id) {
  std::string known;
  for (const KernelRow& row : kernels()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown kernel " + id, {}, "known: " + known);
}

std::size_t minimum_bytes(const KernelRow& kernel, const Estimate& format, const Csr& a, Precision precision) {
  std::size_t bytes = minimum_bytes(format, a, precision);
  if (!kernel.reads_pointers) bytes -= format.bytes(ArraySize::Kind::pointers);
  if (kernel.reads_indices) return bytes;
  const std::size_t indices = format.bytes(ArraySize::Kind::indices);
  return bytes - indices + std::min(indices, sizeof(std::uint16_t) * static_cast<std::size_t>(a.nnz()));
}

}  // namespace warpspy
