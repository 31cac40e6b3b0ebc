#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/base/numbers.hpp"
#include "core/io/npy.hpp"
#include "core/io/npz.hpp"
#include "core/io/words.hpp"
#include "core/io/zip_writer.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

template <class F>
void add(ZipWriter& zip, const std::string& path, const NamedArray& array, F&& advanced) {
  const std::string head = npy_header(array.dtype, array.shape);
  const std::int64_t bytes = data_bytes({array.dtype, false, array.shape, 0});
  if (bytes < 0 || bytes_of_dtype(array.dtype) == 0 || (bytes > 0 && !array.data))
    throw Error("the array " + warpspy::in_quotes(array.name) + " of type " + warpspy::in_quotes(array.dtype) +
                    " cannot be written",
                path, "expected a type such as <f8 or <i4, and data");
  zip.begin(array.name + ".npy", head.size() + static_cast<std::uint64_t>(bytes));
  zip.put(head.data(), head.size());
  constexpr std::size_t step = std::size_t{8} << 20;
  const auto* from = static_cast<const char*>(array.data);
  for (std::size_t left = static_cast<std::size_t>(bytes); left > 0;) {
    const std::size_t n = std::min(left, step);
    zip.put(from, n);
    from += n;
    left -= n;
    advanced(n);
  }
}

// Checked before hours are spent on writing to a disk that is too small. Pipes need no room.
void require_room(const std::string& path, double bytes) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (fs::exists(path, failed) && !fs::is_regular_file(path, failed)) return;
  const fs::path folder = fs::path(path).parent_path();
  const auto room = fs::space(folder.empty() ? "." : folder, failed);
  if (failed || bytes <= static_cast<double>(room.available)) return;
  throw Error("the file needs " + byte_text(bytes) + ", and its folder has room for " +
                  byte_text(static_cast<double>(room.available)),
              path, "make room, or name another folder");
}

}  // namespace

NamedArray text_of(std::string name, const std::string& text) {
  return {std::move(name), "|S" + std::to_string(std::max<std::size_t>(text.size(), 1)), {}, text.c_str()};
}

void write_npz(const std::string& path, std::span<const NamedArray> arrays, const NpzOptions& options,
               Progress* progress) {
  if (progress) progress->stage("writing " + path);
  double all = 0, done = 0;
  for (const auto& a : arrays)
    all += static_cast<double>(std::max<std::int64_t>(data_bytes({a.dtype, false, a.shape, 0}), 0));
  if (!options.compress) require_room(path, all);
  ZipWriter zip(path, options.compress);
  for (const auto& a : arrays)
    add(zip, path, a, [&](std::size_t n) {
      done += static_cast<double>(n);
      if (!progress) return;
      progress->check();
      progress->set(done / all);
    });
  zip.commit();
  if (progress) progress->set(1);
}

void write_scipy_npz(const Csr& a, const std::string& path, const NpzOptions& options, Progress* progress) {
  const std::string format = "csr";
  const std::int64_t shape[] = {a.rows(), a.cols()};
  // SciPy wants pointers and indices of one type.
  const bool narrow = a.columns().is32() && a.nnz() <= INT32_MAX;
  const auto entries = static_cast<double>(a.nnz());
  require_memory((narrow ? 4.0 * static_cast<double>(a.rows() + 1) : 8 * entries) + (a.is_complex() ? 16 * entries : 0),
                 "writing " + path);
  std::vector<std::int32_t> ptr32;
  std::vector<std::int64_t> columns64;
  std::vector<std::complex<double>> pairs;
  std::vector<NamedArray> arrays;
  if (narrow) {
    ptr32.assign(a.row_ptr().begin(), a.row_ptr().end());
  } else if (a.columns().is32()) {
    a.columns().visit([&](auto span) { columns64.assign(span.begin(), span.end()); });
  }
  a.columns().visit([&](auto span) {
    arrays.push_back(columns64.empty() ? array_of("indices", span)
                                       : array_of("indices", std::span<const std::int64_t>(columns64)));
  });
  arrays.push_back(narrow ? array_of("indptr", std::span<const std::int32_t>(ptr32)) : array_of("indptr", a.row_ptr()));
  arrays.push_back(text_of("format", format));
  arrays.push_back(array_of("shape", std::span<const std::int64_t>(shape)));
  if (a.is_complex()) {
    pairs.reserve(a.values().size());
    for (std::size_t k = 0; k < a.values().size(); ++k) pairs.emplace_back(a.values()[k], a.imag()[k]);
    arrays.push_back(array_of("data", std::span<const std::complex<double>>(pairs)));
  } else {
    arrays.push_back(array_of("data", a.values()));
  }
  write_npz(path, arrays, options, progress);
}

}  // namespace warpspy
