#if defined(WARPSPY_HAVE_CUSPARSE_HEADER)
#include <chrono>
#include <mutex>

#include "core/formats/bsr.hpp"
#include "core/formats/coo.hpp"
#include "core/formats/csr.hpp"
#include "core/formats/sell.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device_arrays.hpp"
#include "kernels/device/library_product.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/vendor/cusparse.hpp"
#include "kernels/vendor/functions.hpp"

namespace warpspy {
namespace {

using cusparse::Functions;

constexpr cusparseIndexType_t index32 = CUSPARSE_INDEX_32I, index64 = CUSPARSE_INDEX_64I;
constexpr cusparseIndexBase_t from_zero = CUSPARSE_INDEX_BASE_ZERO;

void check(cusparseStatus_t status, const std::string& what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  // An error of the device is reported first: cuSPARSE only says that something failed.
  if (status != CUSPARSE_STATUS_NOT_SUPPORTED) cuda::check(cudaPeekAtLastError(), what);
  const std::string version = vendor_library().version;
  if (status == CUSPARSE_STATUS_NOT_SUPPORTED)
    throw Error(what + ": not supported by cuSPARSE " + version, {},
                "choose another kernel, or other parameters (BSR: square blocks)");
  throw Error(what + ": cuSPARSE " + version + " says " + cusparse::functions()->error_string(status), {},
              "use a kernel of this program, or another algorithm or preprocess=no");
}

// A handle of cuSPARSE, shared by the products of a device, since making one takes milliseconds.
class Handle {
 public:
  static std::shared_ptr<Handle> of_current_device() {
    static std::mutex mutex;
    static std::map<int, std::weak_ptr<Handle>> handles;
    int device = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    const std::lock_guard lock(mutex);
    std::shared_ptr<Handle> handle = handles[device].lock();
    if (!handle) handles[device] = handle = std::make_shared<Handle>();
    return handle;
  }
  Handle() { check(cusparse::functions()->create(&handle_), "starting cuSPARSE"); }
  ~Handle() { cusparse::functions()->destroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  cusparseHandle_t get() const { return handle_; }

 private:
  cusparseHandle_t handle_{};
};

struct Destroy {
  void operator()(const cusparseSpMatDescr* m) const { cusparse::functions()->destroy_matrix(m); }
  void operator()(const cusparseDnVecDescr* v) const { cusparse::functions()->destroy_vector(v); }
  void operator()(const cusparseSpVecDescr* v) const { cusparse::functions()->destroy_sparse_vector(v); }
};

template <class Wanted>
const Wanted& as(const Format& format) {
  return dynamic_cast<const Wanted&>(format);
}

template <class T>
class CusparseProduct final : public LibraryProduct {
 public:
  CusparseProduct(const CusparseRow& row, const ProductInputs& in, const ParamSet& params, index_t out)
      : what_("kernel " + row.info.id),
        handle_(Handle::of_current_device()),
        alpha_(static_cast<T>(in.alpha)),
        beta_(static_cast<T>(in.beta)),
        out_(out),
        transposed_(row.info.operation == Operation::transposed_product) {
    const auto chosen = params.find("algorithm");
    algorithm_ = static_cast<cusparseSpMVAlg_t>(
        row.algorithms.at(chosen == params.end() ? 0 : static_cast<std::size_t>(chosen->second)));
    rows_ = in.format->rows();
    cols_ = in.format->cols();
    kept_ = in.kept;
    make_matrix(row.layout, *in.format);
    make_vectors(in);
    describe_vectors(x_memory_.data(), y_memory_.data());
    const auto wanted = params.find("preprocess");
    preprocess_ = wanted != params.end() && wanted->second != 0;
    if (out_ == 0) return;
    prepare();  // once, so that loading the library's code does not count as a cost of this matrix
    prepare();
  }

  index_t x_size() const override { return transposed_ ? rows_ : cols_; }
  index_t y_size() const override { return transposed_ ? cols_ : rows_; }
  void use_vectors(void* x, void* y) override {
    describe_vectors(x, y);
    x_memory_ = {}, y_memory_ = {};
    if (out_ > 0) prepare();
  }

  const std::vector<LaunchShape>& launches() const override {
    static const std::vector<LaunchShape> unknown;
    return unknown;
  }

  void launch(void* stream) override {
    if (out_ == 0) return;
    check(f_->set_stream(handle_->get(), static_cast<cudaStream_t>(stream)), what_);
    if (sorted_ && beta_ != T{0}) check(f_->gather(handle_->get(), y_.get(), sorted_.get()), what_);
    check(f_->spmv(handle_->get(), operation(), &alpha_, matrix_.get(), x_.get(), &beta_, target(), type, algorithm_,
                   buffer_.data()),
          what_);
    if (sorted_) check(f_->scatter(handle_->get(), sorted_.get(), y_.get()), what_);
  }

  std::vector<double> y() override {
    cuda::check(cudaDeviceSynchronize(), "running " + what_);
    std::vector<T> host(y_memory_.bytes() / sizeof(T));
    y_memory_.download(host.data());
    return {host.begin(), host.begin() + out_};
  }

  std::size_t device_bytes() const override {
    std::size_t sum = x_memory_.bytes() + y_memory_.bytes() + buffer_.bytes();
    for (const cuda::DeviceBytes& a : arrays_) sum += a.bytes();
    return sum;
  }
  double setup_us() const override { return setup_us_; }

 private:
  static constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;

  cusparseOperation_t operation() const {
    return transposed_ ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  }
  cusparseDnVecDescr_t target() const { return sorted_ ? sorted_y_.get() : y_.get(); }

  // cuSPARSE needs a valid address even for an empty array.
  void* upload(const void* host, std::size_t bytes) {
    if (void* there = kept_ ? kept_->find(host, bytes) : nullptr) return there;
    cuda::DeviceBytes& memory = arrays_.emplace_back(std::max<std::size_t>(bytes, 16));
    if (bytes) {
      cuda::check(cudaMemcpy(memory.data(), host, bytes, cudaMemcpyHostToDevice), "copying to the device");
      cuda::await_copies("copying to the device");
    }
    return memory.data();
  }
  void* upload(const IndexArray& indices) {
    if (!indices.is32())
      throw Error(what_ + " is given 32-bit indices, and this matrix needs 64 bits", {},
                  "use a kernel of this program");
    return indices.visit([&](auto span) { return upload(span.data(), span.size_bytes()); });
  }
  // The same as 64-bit indices, in pieces, so that the host never holds two copies of all.
  void* upload_wide(const IndexArray& indices) {
    constexpr std::size_t some = std::size_t{1} << 24;
    const std::size_t bytes = indices.size() * sizeof(std::int64_t);
    cuda::require_device_memory("indices of 64 bits, which cuSPARSE wants here", bytes);
    const cuda::DeviceBytes& memory = arrays_.emplace_back(std::max<std::size_t>(bytes, 16));
    std::vector<std::int64_t> wide;
    indices.visit([&](auto span) {
      for (std::size_t at = 0; at < span.size(); at += wide.size()) {
        const auto part = span.subspan(at, std::min(some, span.size() - at));
        wide.assign(part.begin(), part.end());
        cuda::check(cudaMemcpy(static_cast<std::int64_t*>(memory.data()) + at, wide.data(), wide.size() * 8,
                               cudaMemcpyHostToDevice),
                    "copying to the device");
      }
    });
    cuda::await_copies("copying to the device");
    return memory.data();
  }
  void* upload(const Values& values) {
    const auto span = values.template as<T>();
    return upload(span.data(), span.size_bytes());
  }

  void make_matrix(CusparseRow::Layout layout, const Format& format) {
    using enum CusparseRow::Layout;
    cusparseConstSpMatDescr_t m{};
    if (layout == csr) {
      const auto& a = as<CsrFormat>(format);
      // cuSPARSE refuses 64-bit pointers with 32-bit columns (12.6.3 says "not currently supported").
      const bool wide = !a.row_ptr().is32() || !a.columns().is32();
      const cusparseIndexType_t index = wide ? index64 : index32;
      void* ptr = wide ? upload_wide(a.row_ptr()) : upload(a.row_ptr());
      void* columns = wide ? upload_wide(a.columns()) : upload(a.columns());
      check(f_->create_csr(&m, rows_, cols_, a.nnz(), ptr, columns, upload(a.values()), index, index, from_zero, type),
            what_);
    } else if (layout == coo) {
      const auto& a = as<CooFormat>(format);
      void* rows = upload(a.row_indices());
      void* columns = upload(a.columns());
      check(f_->create_coo(&m, rows_, cols_, a.nnz(), rows, columns, upload(a.values()), index32, from_zero, type),
            what_);
    } else if (layout == sell) {
      const auto& a = as<SellFormat>(format);
      void* ptr = upload(a.slice_ptr());
      void* columns = upload(a.columns());
      check(f_->create_sell(&m, rows_, cols_, a.nnz(), static_cast<std::int64_t>(a.values().size()), a.slice_rows(),
                            ptr, columns, upload(a.values()), index32, index32, from_zero, type),
            what_);
      if (a.permuted()) make_sorted(a);
    } else {
      const auto& a = as<BsrFormat>(format);
      const auto block_rows = static_cast<index_t>(a.block_ptr().size()) - 1;
      const index_t block_columns = (cols_ + a.block_cols() - 1) / a.block_cols();
      void* ptr = upload(a.block_ptr());
      void* columns = upload(a.block_columns());
      what_ += " with blocks of " + std::to_string(a.block_rows()) + " x " + std::to_string(a.block_cols());
      // cuSPARSE would report "invalid value" and print to the terminal.
      if (a.block_rows() != a.block_cols()) check(CUSPARSE_STATUS_NOT_SUPPORTED, what_);
      check(f_->create_bsr(&m, block_rows, block_columns, a.blocks(), a.block_rows(), a.block_cols(), ptr, columns,
                           upload(a.values()), index32, index32, from_zero, type, CUSPARSE_ORDER_ROW),
            what_);
      rows_ = block_rows * a.block_rows();
      cols_ = block_columns * a.block_cols();
    }
    matrix_.reset(m);
  }

  // y in the order of the slices: a dense vector for the product, and the values of a sparse vector that scatters them.
  void make_sorted(const SellFormat& a) {
    void* permutation = upload(a.permutation());
    const cuda::DeviceBytes& memory =
        arrays_.emplace_back(std::max<std::size_t>(static_cast<std::size_t>(rows_) * sizeof(T), 16));
    memory.poison();
    cusparseSpVecDescr_t sparse{};
    check(f_->create_sparse_vector(&sparse, rows_, rows_, permutation, memory.data(), index32, from_zero, type), what_);
    sorted_.reset(sparse);
    cusparseDnVecDescr_t dense{};
    check(f_->create_vector(&dense, rows_, memory.data(), type), what_);
    sorted_y_.reset(dense);
  }

  // Padded with zeros to whole blocks, like the matrix.
  void make_vectors(const ProductInputs& in) {
    std::vector<T> x(in.x.begin(), in.x.end());
    x.resize(static_cast<std::size_t>(x_size()));
    x_memory_ = cuda::DeviceBytes(std::max<std::size_t>(x.size() * sizeof(T), 16));
    if (!x.empty())
      cuda::check(cudaMemcpy(x_memory_.data(), x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice),
                  "copying to the device");
    cuda::await_copies("copying to the device");
    y_memory_ = cuda::DeviceBytes(std::max<std::size_t>(static_cast<std::size_t>(y_size()) * sizeof(T), 16));
    y_memory_.poison();
    if (in.beta != 0) {
      std::vector<T> y(in.y.begin(), in.y.end());
      y.resize(y_memory_.bytes() / sizeof(T));
      y_memory_.upload(y.data());
    }
  }
  void describe_vectors(const void* x, void* y) {
    cusparseConstDnVecDescr_t of_x{};
    check(f_->create_const_vector(&of_x, x_size(), x, type), what_);
    x_.reset(of_x);
    cusparseDnVecDescr_t of_y{};
    check(f_->create_vector(&of_y, y_size(), y, type), what_);
    y_.reset(of_y);
  }

  void prepare() {
    const auto start = std::chrono::steady_clock::now();
    check(f_->set_stream(handle_->get(), nullptr), what_);
    std::size_t bytes = 0;
    check(f_->buffer_size(handle_->get(), operation(), &alpha_, matrix_.get(), x_.get(), &beta_, target(), type,
                          algorithm_, &bytes),
          what_ + ", asking for the size of its buffer");
    buffer_ = cuda::DeviceBytes(std::max<std::size_t>(bytes, 16));
    if (preprocess_)
      check(f_->preprocess(handle_->get(), operation(), &alpha_, matrix_.get(), x_.get(), &beta_, target(), type,
                           algorithm_, buffer_.data()),
            what_ + ", preprocessing");
    cuda::check(cudaDeviceSynchronize(), "preparing " + what_);
    setup_us_ = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }

  const Functions* f_ = cusparse::functions();
  std::string what_;
  std::shared_ptr<Handle> handle_;
  T alpha_, beta_;
  index_t out_, rows_ = 0, cols_ = 0;
  bool transposed_, preprocess_ = false;
  cusparseSpMVAlg_t algorithm_{};
  double setup_us_ = 0;
  std::shared_ptr<DeviceArrays> kept_;
  std::vector<cuda::DeviceBytes> arrays_;
  cuda::DeviceBytes x_memory_, y_memory_, buffer_;
  std::unique_ptr<const cusparseSpMatDescr, Destroy> matrix_;
  std::unique_ptr<const cusparseDnVecDescr, Destroy> x_;
  std::unique_ptr<cusparseDnVecDescr, Destroy> y_, sorted_y_;
  std::unique_ptr<cusparseSpVecDescr, Destroy> sorted_;  // only if rows are sorted
};

}  // namespace

std::unique_ptr<DeviceProduct> cusparse_product(const CusparseRow& row, const ProductInputs& in) {
  if (!in.format || in.format->id() != row.info.format)
    throw Error("kernel " + row.info.id + " reads format " + row.info.format + ", not " +
                (in.format ? in.format->id() : "none"));
  if (in.format->precision() != in.precision)
    throw Error(std::string("the format holds ") + name_of(in.format->precision()) + " values, not " +
                name_of(in.precision));
  const ParamSet params = checked_params(row.info.params, in.params);
  const index_t out = require_vectors(row.info, in);
  const auto vectors = (in.x.size() + static_cast<std::size_t>(out)) * static_cast<std::size_t>(bytes_of(in.precision));
  cuda::require_device_memory("format " + in.format->id() + " with x and y", in.format->size().bytes() + vectors);
  if (in.precision == Precision::f32) return std::make_unique<CusparseProduct<float>>(row, in, params, out);
  return std::make_unique<CusparseProduct<double>>(row, in, params, out);
}

}  // namespace warpspy
#endif
