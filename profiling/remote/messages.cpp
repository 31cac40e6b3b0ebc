#include "profiling/remote/messages.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "core/base/splitmix.hpp"
#include "core/io/checksum.hpp"
#include "core/matrix/memory_guard.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/parts.hpp"

namespace warpspy::wire {
namespace {

template <class T>
std::string_view view_of(std::span<const T> list) {
  return {reinterpret_cast<const char*>(list.data()), list.size_bytes()};
}
std::string_view view_of(const Indices& indices) {
  return indices.visit([](auto list) { return view_of(list); });
}
template <class T>
std::string_view view_of(const std::vector<T>& list) {
  return view_of(std::span<const T>(list));
}

// nullptr: it was not assembled from any.
const ElementMatrices* elements_of(const Matrix& m) {
  return m.elements && m.elements->elements > 0 ? m.elements.get() : nullptr;
}

// In the order in which they are sent.
std::vector<std::string_view> arrays_of(const Matrix& m) {
  const Csr& a = *m.csr;
  std::vector<std::string_view> list = {view_of(a.row_ptr()), view_of(a.columns()), view_of(a.values()),
                                        view_of(a.imag())};
  if (const auto* e = elements_of(m)) list.insert(list.end(), {view_of(e->map), view_of(e->matrices)});
  return list;
}

void require(bool holds) {
  if (!holds) throw Error("a message of the engine is damaged: it points to what is not there");
}

}  // namespace

std::string pack(const Hello& hello) { return Writer()(hello).take(); }

Hello hello_of(std::string_view body, std::uint16_t version) {
  Hello hello;
  if (version == protocol)
    unpack(body, hello);
  else
    Reader{body}(hello.program);
  return hello;
}

std::string pack(const EntryTrace& trace) { return Writer()(trace).take(); }

EntryTrace entry_trace_of(std::string_view body) {
  EntryTrace t;
  unpack(body, t);
  index_t before = -1;
  for (const EntryRead& e : t.entries) {
    require(e.position > before && e.part < t.parts.size() && e.group >= 0);
    before = e.position;
  }
  return t;
}

std::string pack(const WarpTrace& trace) { return Writer()(trace).take(); }

WarpTrace warp_trace_of(std::string_view body) {
  WarpTrace t;
  unpack(body, t);
  const auto among = [](int k, std::size_t n) { return k >= -1 && (k < 0 || static_cast<std::size_t>(k) < n); };
  require(t.lines.size() == t.sites.size() && t.array_places.size() == t.arrays.size());
  require(among(t.axis.watched, t.axis.warps.size()) && t.steps_in_all >= t.steps.size());
  for (const WarpStep& s : t.steps) {
    require(s.site < t.sites.size() && among(s.array, t.arrays.size()) && among(s.shared, t.shared_arrays.size()));
    if (s.array >= 0 || s.shared >= 0)
      require(std::uint64_t{s.first_access} + static_cast<unsigned>(std::popcount(s.active)) <= t.accesses.size());
    require(std::uint64_t{s.first_line} + s.lines <= t.requested.size());
  }
  for (const WarpLine& line : t.requested)
    require(among(line.l1_evictor.array, t.arrays.size()) && among(line.l2_evictor.array, t.arrays.size()));
  return t;
}

std::string key_of(const Matrix& m) {
  std::uint64_t low = splitmix::after(static_cast<std::uint64_t>(m.csr->rows()));
  std::uint64_t high = splitmix::after(static_cast<std::uint64_t>(m.csr->cols()) + (elements_of(m) ? 1 : 2));
  for (const std::string_view bytes : arrays_of(m)) {
    const std::uint64_t sum = checksum(bytes.data(), bytes.size());
    low = splitmix::after(low ^ sum);
    high = splitmix::after(high + sum);
  }
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

MatrixShape shape_of(const Matrix& m, const std::string& key) {
  MatrixShape s;
  s.key = key;
  s.rows = m.csr->rows(), s.cols = m.csr->cols(), s.nnz = m.csr->nnz();
  s.wide = !m.csr->columns().is32();
  s.complex = m.csr->is_complex();
  const ElementMatrices* e = elements_of(m);
  if (!e) return s;
  s.elements = e->elements, s.nodes = e->nodes;
  s.wide_map = !e->map.is32();
  return s;
}

void send_arrays(const Matrix& m, std::size_t most, const std::function<void(std::string_view)>& send) {
  for (std::string_view left : arrays_of(m))
    for (; !left.empty(); left.remove_prefix(std::min(most, left.size()))) send(left.substr(0, most));
}

double bytes_of(const MatrixShape& s) {
  const auto rows = static_cast<double>(s.rows), nnz = static_cast<double>(s.nnz);
  const auto elements = static_cast<double>(s.elements), nodes = static_cast<double>(s.nodes);
  return 8 * (rows + 1) + nnz * ((s.wide ? 8 : 4) + (s.complex ? 16 : 8)) +
         elements * nodes * ((s.wide_map ? 8 : 4) + 8 * nodes);
}

MatrixBuilder::MatrixBuilder(MatrixShape shape) : shape_(std::move(shape)) {
  const MatrixShape& s = shape_;
  if (s.rows < 0 || s.cols < 0 || s.nnz < 0 || s.elements < 0 || s.nodes < 0 || (!s.wide && !Indices::fits32(s.cols)))
    throw Error("a matrix was sent whose sizes cannot be");
  // Checked before memory is allocated, and before sizes could overflow.
  require_memory(bytes_of(s), "a matrix of " + std::to_string(s.nnz) + " entries");
  const auto sized = [](bool wide, std::size_t n) {
    return wide ? Indices(std::vector<std::int64_t>(n)) : Indices(std::vector<std::int32_t>(n));
  };
  const auto nnz = static_cast<std::size_t>(s.nnz);
  const auto elements = static_cast<std::size_t>(s.elements), nodes = static_cast<std::size_t>(s.nodes);
  row_ptr_.resize(static_cast<std::size_t>(s.rows) + 1);
  columns_ = sized(s.wide, nnz);
  values_.resize(nnz);
  if (s.complex) imag_.resize(nnz);
  map_ = sized(s.wide_map, elements * nodes);
  matrices_.resize(elements * nodes * nodes);
  const auto add = [&](auto& list) { arrays_.push_back({reinterpret_cast<char*>(list.data()), 8 * list.size()}); };
  const auto add_indices = [&](Indices& list) {
    list.visit_mut([&](auto span) { arrays_.push_back({reinterpret_cast<char*>(span.data()), span.size_bytes()}); });
  };
  add(row_ptr_), add_indices(columns_), add(values_), add(imag_), add_indices(map_), add(matrices_);
  next();
}

void MatrixBuilder::next() {
  while (array_ < arrays_.size() && filled_ == arrays_[array_].bytes) ++array_, filled_ = 0;
}

void MatrixBuilder::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (complete()) throw Error("more of a matrix was sent than was announced");
    const Array& array = arrays_[array_];
    const std::size_t n = std::min(bytes.size(), array.bytes - filled_);
    std::memcpy(array.to + filled_, bytes.data(), n);
    filled_ += n;
    bytes.remove_prefix(n);
    next();
  }
}

Matrix MatrixBuilder::take() {
  Matrix m;
  if (shape_.elements > 0)
    m.elements = std::make_shared<const ElementMatrices>(
        ElementMatrices{shape_.elements, shape_.nodes, std::move(map_), std::move(matrices_)});
  m.csr = std::make_shared<const Csr>(shape_.rows, shape_.cols, std::move(row_ptr_), std::move(columns_),
                                      std::move(values_), std::move(imag_));
  if (key_of(m) != shape_.key) throw Error("the matrix that arrived is not the one that was sent", {}, "run again");
  return m;
}

}  // namespace warpspy::wire
