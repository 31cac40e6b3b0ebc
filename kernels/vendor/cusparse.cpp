#include "kernels/vendor/cusparse.hpp"

#include <array>

#include "kernels/vendor/library.hpp"

namespace warpspy {
namespace {

using Layout = CusparseRow::Layout;

// The numbers of cusparseSpMVAlg_t, which belong to the library's binary interface.
constexpr int any_algorithm = 0, coo_alg1 = 1, csr_alg1 = 2, csr_alg2 = 3, coo_alg2 = 4;

ParamSpec preprocess() {
  return {.id = "preprocess",
          .label = "Preprocessing",
          .help =
              "Whether cuSPARSE analyses the matrix once before the first product (cusparseSpMV_preprocess). What "
              "that took is told as the setup time.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = 1,
          .def = 1,
          .choices = {"no", "yes"},
          .tried = {0, 1}};
}

ParamSpec algorithm(std::vector<std::string> choices) {
  return {.id = "algorithm",
          .label = "Algorithm",
          .help = "Which of cuSPARSE's algorithms for this format.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = static_cast<double>(choices.size() - 1),
          .choices = std::move(choices),
          .tried = {0, 1, 2}};
}

KernelInfo info(const char* id, const char* label, const char* help, const char* format,
                std::vector<ParamSpec> params = {}, Operation operation = Operation::product) {
  return {.id = id,
          .label = label,
          .help = help,
          .source = "NVIDIA, cuSPARSE library, cusparseSpMV",
          .format = format,
          .params = std::move(params),
          .operation = operation,
          .library = "cuSPARSE"};
}

template <std::size_t place>
std::unique_ptr<DeviceProduct> launcher([[maybe_unused]] const ProductInputs& in) {
#if defined(WARPSPY_HAVE_CUSPARSE_HEADER)
  const VendorLibrary& library = vendor_library();
  if (library.available) return cusparse_product(cusparse_rows()[place], in);
#endif
  throw Error("kernel " + cusparse_rows()[place].info.id + " needs cuSPARSE: " + vendor_library().reason, {},
              vendor_library().remedy);
}

template <std::size_t... place>
std::vector<KernelRow> rows([[maybe_unused]] std::index_sequence<place...>) {
#if defined(WARPSPY_HAVE_CUDA)
  return {{cusparse_rows()[place].info, nullptr, launcher<place>}...};
#else
  return {{cusparse_rows()[place].info, nullptr, nullptr}...};
#endif
}

constexpr std::size_t row_count = 6;

const std::array<CusparseRow, row_count>& table() {
  static const std::array<CusparseRow, row_count> all = {{
      {info("cusparse_csr_alg1", "cuSPARSE CSR 1",
            "The vendor's CSR product, first algorithm: the one it takes by itself.", "csr", {preprocess()}),
       Layout::csr,
       {csr_alg1}},
      {info("cusparse_csr_alg2", "cuSPARSE CSR 2",
            "The vendor's CSR product, second algorithm: the same result bit for bit in every run.", "csr",
            {preprocess()}),
       Layout::csr,
       {csr_alg2}},
      {info("cusparse_coo", "cuSPARSE COO", "The vendor's COO product.", "coo", {algorithm({"ALG1", "ALG2"})}),
       Layout::coo,
       {coo_alg1, coo_alg2}},
      {info("cusparse_sell", "cuSPARSE SELL",
            "The vendor's sliced ELLPACK product. It knows no sorted rows: with a sorting window above 1 its scatter "
            "puts y back in order, and that is timed too.",
            "sell"),
       Layout::sell,
       {any_algorithm}},
      {info("cusparse_bsr", "cuSPARSE BSR", "The vendor's BSR product, for the block sizes that its version supports.",
            "bsr"),
       Layout::bsr,
       {any_algorithm}},
      {info("cusparse_csr_transposed", "cuSPARSE CSR, transposed",
            "The vendor's product with the transposed matrix, from the CSR of the matrix itself.", "csr",
            {algorithm({"default", "ALG1", "ALG2"}), preprocess()}, Operation::transposed_product),
       Layout::csr,
       {any_algorithm, csr_alg1, csr_alg2}},
  }};
  return all;
}

}  // namespace

const std::vector<CusparseRow>& cusparse_rows() {
  static const std::vector<CusparseRow> all(table().begin(), table().end());
  return all;
}

std::vector<KernelRow> vendor_kernels() { return rows(std::make_index_sequence<row_count>()); }

}  // namespace warpspy
