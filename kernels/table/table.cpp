#include "kernels/table/table.hpp"

#include "kernels/spmv/emulated_product.hpp"
#include "kernels/table/list.hpp"

namespace warpspy {
namespace {

template <std::size_t... place>
std::vector<KernelRow> rows(std::index_sequence<place...>) {
  return {{std::tuple_element_t<place, KernelList>::info(), emulate<std::tuple_element_t<place, KernelList>>,
           cuda_launcher(place)}...};
}

}  // namespace

#if !defined(WARPSPY_HAVE_CUDA)
decltype(KernelRow::on_device) cuda_launcher(std::size_t) { return nullptr; }
#endif

const std::vector<KernelRow>& kernels() {
  static const std::vector<KernelRow> table = rows(std::make_index_sequence<std::tuple_size_v<KernelList>>());
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

}  // namespace warpspy
