#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <memory>

#include "core/base/numbers.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/npy.hpp"
#include "core/io/npz.hpp"
#include "core/io/read_archive.hpp"
#include "core/io/words.hpp"
#include "core/io/zip_end.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

using namespace std::string_view_literals;

constexpr auto kSaveAgain = "save it again with scipy.sparse.save_npz";

// The members of a zip archive in their order, from any source.
class Zip {
 public:
  Zip(Source& source, Progress& progress) : source_(source), progress_(progress), buffer_(std::size_t{256} << 10) {
    archive_read_support_format_zip_streamable(a_.get());
    check(archive_read_open(a_.get(), this, nullptr, &Zip::more, nullptr));
  }
  bool next(std::string& name) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(a_.get(), &entry);
    if (status == ARCHIVE_EOF) return false;
    check(status);
    if (archive_entry_is_data_encrypted(entry)) throw Error("the archive is encrypted", source_.label(), kSaveAgain);
    const char* text = archive_entry_pathname(entry);
    name = text ? text : "";
    return true;
  }
  // Returns fewer than `most` bytes only at the end of the member.
  std::size_t read(char* to, std::size_t most) {
    const auto got = read_member(a_.get(), to, most);
    if (!got) check(ARCHIVE_FATAL);
    return *got;
  }

  // Call this after the last member: a remark on how the archive ends.
  std::string remark() {
    while (fill() > 0) {
    }
    return zip_end_remark(end_, bytes_);
  }

 private:
  std::size_t fill() {
    progress_.check();
    progress_.set(source_.fraction());
    const std::size_t n = source_.read(buffer_.data(), buffer_.size());
    bytes_ += n;
    end_.append(buffer_.data(), n);
    if (end_.size() > kZipEndBytes) end_.erase(0, end_.size() - kZipEndBytes);
    return n;
  }
  // Called from C: exceptions are stored until the library has returned.
  static la_ssize_t more(archive*, void* self, const void** block) {
    auto& zip = *static_cast<Zip*>(self);
    try {
      *block = zip.buffer_.data();
      return static_cast<la_ssize_t>(zip.fill());
    } catch (...) {
      zip.thrown_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }
  void check(int status) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (status >= ARCHIVE_WARN) return;
    const char* text = archive_error_string(a_.get());
    std::string why = text ? text : "unknown error";
    while (why.ends_with('\n')) why.pop_back();  // some of the library's messages end with a newline
    throw Error("the archive is damaged or cut short (" + why + ")", source_.label(), "save or fetch the file again");
  }

  Source& source_;
  Progress& progress_;
  std::vector<char> buffer_;
  std::string end_;
  std::uint64_t bytes_ = 0;
  std::exception_ptr thrown_;
  ReadArchive a_{archive_read_new()};
};

struct Array {
  NpyHeader header;
  std::vector<char> bytes;
  std::string place;
  std::size_t size() const { return header.shape.empty() ? 1 : static_cast<std::size_t>(header.shape.front()); }
};

Array read_array(Zip& zip, const std::string& place, const ReadLimits& limits) {
  std::string head(12, '\0');
  head.resize(zip.read(head.data(), head.size()));
  if (head.size() == 12) {
    const bool first = head[6] == 1;
    std::size_t length = static_cast<unsigned char>(head[8]) + (std::size_t{static_cast<unsigned char>(head[9])} << 8);
    length = first ? std::max<std::size_t>(length, 2) - 2 : length;
    head.resize(12 + length);
    head.resize(12 + zip.read(head.data() + 12, length));
  }
  Array a;
  a.place = place;
  a.header = parse_npy_header(head, place);
  if (bytes_of_dtype(a.header.dtype) == 0)
    throw Error("values of the type " + in_quotes(a.header.dtype) + " are not read", place, "expected plain numbers");
  const std::int64_t bytes = data_bytes(a.header);
  if (bytes < 0 || static_cast<std::uint64_t>(bytes) > limits.memory)
    throw Error("the array needs " + (bytes < 0 ? "more than 2^63 bytes" : byte_text(static_cast<double>(bytes))) +
                    " of memory, but " + byte_text(static_cast<double>(limits.memory)) + " are free",
                place, "close other programs or use a machine with more memory");
  // Memory grows in steps, so a wrong header costs nothing.
  for (auto left = static_cast<std::size_t>(bytes); left > 0;) {
    const std::size_t step = std::min(left, std::size_t{64} << 20), at = a.bytes.size();
    if (at == 0 && left > step) a.bytes.reserve(left);
    a.bytes.resize(at + step);
    if (zip.read(a.bytes.data() + at, step) < step)
      throw Error("the array ends too early", place, "the file is cut short: save or fetch it again");
    left -= step;
  }
  // The archive's check sum is verified when its end is reached.
  if (char more = 0; zip.read(&more, 1) > 0)
    throw Error("there are bytes behind the array", place, "the file is damaged: save or fetch it again");
  return a;
}

// Calls f(const T*, one) with the numbers of an array; complex numbers come as pairs. Returns false for other types.
template <class F>
bool with_numbers(const Array& a, F&& f) {
  const std::string_view t = a.header.dtype;
  if (t[0] == '>') throw Error("the numbers are big endian", a.place, kSaveAgain);
  const auto as = [&](auto zero) {
    f(reinterpret_cast<const decltype(zero)*>(a.bytes.data()));
    return true;
  };
  const auto type = t.substr(1);
  if (type == "f8" || type == "c16") return as(double{});
  if (type == "f4" || type == "c8") return as(float{});
  if (type == "i8") return as(std::int64_t{});
  if (type == "i4") return as(std::int32_t{});
  if (type == "i2") return as(std::int16_t{});
  if (type == "i1") return as(std::int8_t{});
  if (type == "u8") return as(std::uint64_t{});
  if (type == "u4") return as(std::uint32_t{});
  if (type == "u2") return as(std::uint16_t{});
  if (type == "u1" || type == "b1") return as(std::uint8_t{});
  return false;
}

class NpzReader {
 public:
  NpzReader(Source& source, const ReadLimits& limits, Progress& progress) : label_(source.label()), limits_(limits) {
    constexpr std::string_view known[] = {"format", "shape", "data", "indices", "indptr", "row", "col", "offsets"};
    Zip zip(source, progress);
    ReadLimits left = limits;  // the arrays are held together
    for (std::string name; zip.next(name);) {
      if (name.ends_with(".npy")) name.resize(name.size() - 4);
      if (std::find(std::begin(known), std::end(known), name) != std::end(known))
        left.memory -= (arrays_[name] = read_array(zip, label_ + "(" + printable(name) + ".npy)", left)).bytes.size();
      if (++listed_ <= 8) contents_ += (listed_ > 1 ? ", " : "") + printable(name);
    }
    remark_ = zip.remark();
  }

  Coo read(SourceFacts& facts) {
    const std::string format = this->format();
    shape();
    Coo coo;
    coo.rows = rows_;
    coo.cols = cols_;
    if (format == "bsr") {
      read_blocks(coo, facts);
    } else if (format == "dia") {
      read_diagonals(coo, facts);
    } else {
      read_entries(format, coo, facts);
    }
    facts.entries_in_file = static_cast<index_t>(coo.values.size());
    if (!remark_.empty()) facts.warnings.push_back(remark_);
    return coo;
  }

 private:
  void read_entries(const std::string& format, Coo& coo, SourceFacts& facts) const {
    const Array& data = array("data", 1);
    const auto n = format == "coo" ? data.size() : array("indices", 1).size();
    require_room(n, data);
    if (format == "coo") {
      coo.row = indices(array("row", 1), n, rows_);
      coo.col = indices(array("col", 1), n, cols_);
    } else {
      const bool by_row = format == "csr";
      const std::vector<index_t> ptr = pointers(by_row ? rows_ : cols_, n);
      (by_row ? coo.row : coo.col) = spread(ptr);
      (by_row ? coo.col : coo.row) =
          indices(array("indices", 1), static_cast<std::size_t>(ptr.back()), by_row ? cols_ : rows_);
    }
    values(data, coo.row.size(), coo, facts, [](std::size_t k) { return k; });
  }

  // For bsr and dia: the entries, and where each has its value in the array `data`.
  struct Places {
    explicit Places(std::size_t n) { row.reserve(n), col.reserve(n), at.reserve(n); }
    void add(index_t i, index_t j, index_t k) {
      row.push_back(i), col.push_back(j), at.push_back(static_cast<std::size_t>(k));
    }
    std::vector<index_t> row, col;
    std::vector<std::size_t> at;
  };
  static void take(Places places, const Array& data, Coo& coo, SourceFacts& facts) {
    values(data, places.at.size(), coo, facts, [&](std::size_t k) { return places.at[k]; });
    coo.row = Indices(std::move(places.row));
    coo.col = Indices(std::move(places.col));
  }

  // `data` has the dimensions blocks x rows x columns of a block. Every number of a block is an entry, also zeros, as
  // in SciPy's tocsr.
  void read_blocks(Coo& coo, SourceFacts& facts) const {
    const Array& data = array("data", 3);
    const index_t all = data.header.shape[0], r = data.header.shape[1], c = data.header.shape[2];
    if (r < 1 || c < 1 || rows_ % r != 0 || cols_ % c != 0)
      throw Error("blocks of " + std::to_string(r) + " x " + std::to_string(c) + " do not divide the shape " +
                      std::to_string(rows_) + " x " + std::to_string(cols_),
                  data.place, kSaveAgain);
    const Array& columns = array("indices", 1);
    const std::vector<index_t> ptr = pointers(rows_ / r, columns.size());
    if (all < ptr.back())
      throw Error("there are " + std::to_string(all) + " blocks", data.place, "expected " + std::to_string(ptr.back()));
    const Indices column = indices(columns, static_cast<std::size_t>(ptr.back()), cols_ / c);
    // The product cannot overflow, since that many numbers were read, unless there is no block.
    const std::size_t n = ptr.back() == 0 ? 0 : static_cast<std::size_t>(ptr.back() * r * c);
    require_room(n, data);
    Places places(n);
    for (std::size_t i = 0; i + 1 < ptr.size(); ++i)
      for (index_t b = ptr[i]; b < ptr[i + 1]; ++b)
        for (index_t y = 0; y < r; ++y)
          for (index_t x = 0; x < c; ++x)
            places.add(static_cast<index_t>(i) * r + y, column[b] * c + x,
                       data.header.fortran_order ? b + all * (y + r * x) : (b * r + y) * c + x);
    take(std::move(places), data, coo, facts);
  }

  // `data` has the dimensions diagonals x columns. Number j of the diagonal with offset o is at row j - o, column j.
  // Numbers outside the matrix are skipped and zeros are padding, as in SciPy's tocsr.
  void read_diagonals(Coo& coo, SourceFacts& facts) const {
    const Array& data = array("data", 2);
    const index_t diagonals = data.header.shape[0], length = data.header.shape[1];
    const std::vector<index_t> offset = offsets(diagonals);
    // The diagonal's columns first to second - 1 are inside the matrix and the array.
    const auto columns_of = [&](index_t o) -> std::pair<index_t, index_t> {
      if (o <= -rows_ || o >= cols_) return {0, 0};
      const index_t first = std::max<index_t>(o, 0), below = o >= cols_ - rows_ ? cols_ : rows_ + o;
      return {first, std::max(first, std::min(length, below))};
    };
    std::size_t n = 0;
    for (const index_t o : offset) n += static_cast<std::size_t>(columns_of(o).second - columns_of(o).first);
    require_room(n, data);
    Places places(n);
    const bool complex = data.header.dtype[1] == 'c';
    with_numbers(data, [&](const auto* p) {
      for (index_t d = 0; d < diagonals; ++d)
        for (auto [j, end] = columns_of(offset[d]); j < end; ++j) {
          const index_t k = data.header.fortran_order ? d + diagonals * j : d * length + j;
          if (complex ? p[2 * k] != 0 || p[2 * k + 1] != 0 : p[k] != 0) places.add(j - offset[d], j, k);
        }
    });
    take(std::move(places), data, coo, facts);
  }

  std::vector<index_t> offsets(index_t expected) const {
    const Array& a = array("offsets", 1);
    if (a.header.shape[0] != expected)
      throw Error("there are " + std::to_string(a.size()) + " offsets", a.place,
                  "expected " + std::to_string(expected) + ", one for each diagonal");
    std::vector<index_t> offset(a.size());
    with_whole(a, [&](const auto* p) {
      std::transform(p, p + offset.size(), offset.begin(), [](auto v) { return static_cast<index_t>(v); });
    });
    std::vector<index_t> sorted = offset;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      throw Error("the offset " + std::to_string(*twice) + " occurs twice", a.place, kSaveAgain);
    return offset;
  }

  void require_room(std::size_t entries, const Array& data) const {
    require_memory(rows_, cols_, static_cast<double>(entries), data.header.dtype[1] == 'c', limits_, label_);
  }

  const Array& array(const std::string& name, std::size_t dimensions) const {
    const auto at = arrays_.find(name);
    if (at == arrays_.end())
      throw Error("the array " + in_quotes(name) + " is missing (there are " + contents_ + ")", label_, kSaveAgain);
    if (at->second.header.shape.size() != dimensions)
      throw Error(
          "the array " + in_quotes(name) + " has " + std::to_string(at->second.header.shape.size()) + " dimensions",
          at->second.place, "expected " + std::to_string(dimensions));
    return at->second;
  }

  std::string format() const {
    if (arrays_.find("format") == arrays_.end())
      throw Error(
          "the NumPy archive holds no sparse matrix (it has " + (contents_.empty() ? "nothing" : contents_) + ")",
          label_, "write a sparse matrix with scipy.sparse.save_npz");
    const Array& a = array("format", 0);
    std::string text;
    const std::size_t step = a.header.dtype[1] == 'U' ? 4 : 1;
    for (std::size_t k = 0; k < a.bytes.size(); k += step)
      if (a.bytes[k] != '\0') text += a.bytes[k];
    for (const char* known : {"csr", "csc", "coo", "bsr", "dia"})
      if (text == known) return text;
    throw Error("the SciPy format " + in_quotes(text) + " is not read", a.place,
                "convert it first: save_npz(file, a.tocsr()); csr, csc, coo, bsr and dia are read");
  }

  void shape() {
    const Array& a = array("shape", 1);
    if (a.size() != 2)
      throw Error("the sparse array has " + std::to_string(a.size()) + " dimensions", a.place, "expected 2");
    index_t n[2] = {-1, -1};
    with_whole(a, [&](const auto* p) { n[0] = static_cast<index_t>(p[0]), n[1] = static_cast<index_t>(p[1]); });
    if (n[0] < 0 || n[1] < 0) throw Error("the shape is negative or too large", a.place, kSaveAgain);
    rows_ = n[0], cols_ = n[1];
  }

  template <class F>
  static void with_whole(const Array& a, F&& f) {
    const bool known = with_numbers(a, [&](const auto* p) {
      if constexpr (std::is_integral_v<std::remove_reference_t<decltype(*p)>>)
        f(p);
      else
        throw Error("the numbers are not whole (" + a.header.dtype + ")", a.place, kSaveAgain);
    });
    if (!known) throw Error("values of the type " + in_quotes(a.header.dtype) + " are not read", a.place, kSaveAgain);
  }

  std::vector<index_t> pointers(index_t lines, std::size_t entries) const {
    const Array& a = array("indptr", 1);
    if (lines == INT64_MAX || a.size() != static_cast<std::size_t>(lines) + 1)
      throw Error("there are " + std::to_string(a.size()) + " pointers", a.place,
                  "expected " + std::to_string(lines) + " + 1, as the shape says");
    std::vector<index_t> ptr(a.size());
    with_whole(a, [&](const auto* p) {
      std::transform(p, p + ptr.size(), ptr.begin(), [](auto v) { return static_cast<index_t>(v); });
    });
    if (ptr.front() != 0 || !std::is_sorted(ptr.begin(), ptr.end()) || ptr.back() > static_cast<index_t>(entries))
      throw Error("the pointers do not rise from 0 to at most " + std::to_string(entries), a.place, kSaveAgain);
    return ptr;
  }

  Indices spread(const std::vector<index_t>& ptr) const {
    Indices to = Indices::sized(std::max(rows_, cols_), static_cast<std::size_t>(ptr.back()));
    to.visit_mut([&](auto span) {
      for (std::size_t i = 0; i + 1 < ptr.size(); ++i)
        std::fill(span.begin() + ptr[i], span.begin() + ptr[i + 1],
                  static_cast<std::remove_reference_t<decltype(span[0])>>(i));
    });
    return to;
  }

  Indices indices(const Array& a, std::size_t n, index_t limit) const {
    if (a.size() < n || (arrays_.count("row") && a.size() != n))
      throw Error("there are " + std::to_string(a.size()) + " indices", a.place, "expected " + std::to_string(n));
    Indices to = Indices::sized(std::max(rows_, cols_), n);
    with_whole(a, [&](const auto* p) {
      to.visit_mut([&](auto span) {
        for (std::size_t k = 0; k < n; ++k) {
          const auto v = static_cast<index_t>(p[k]);
          if (v < 0 || v >= limit)
            throw Error("index " + std::to_string(v) + " at place " + std::to_string(k) + " is out of range", a.place,
                        "expected 0 to " + std::to_string(limit - 1));
          span[k] = static_cast<std::remove_reference_t<decltype(span[0])>>(v);
        }
      });
    });
    return to;
  }

  // The value of entry k is element at(k) of the array.
  static void values(const Array& a, std::size_t n, Coo& coo, SourceFacts& facts, auto&& at) {
    if (a.header.shape.size() == 1 && a.size() < n)
      throw Error("there are " + std::to_string(a.size()) + " values", a.place, "expected " + std::to_string(n));
    const char kind = a.header.dtype[1];
    const bool complex = kind == 'c', logical = kind == 'b';
    MmHeader h;
    h.field = complex ? MmField::complex : logical ? MmField::pattern : kind == 'f' ? MmField::real : MmField::integer;
    MmCounts counts;
    coo.values = with_room<double>(n);
    if (complex) coo.imag = with_room<double>(n);
    const bool known = with_numbers(a, [&](const auto* p) {
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t from = at(k);
        const auto v = static_cast<double>(p[complex ? 2 * from : from]);
        const auto w = complex ? static_cast<double>(p[2 * from + 1]) : 0;
        coo.values.push_back(logical ? v != 0 : v);
        if (complex) coo.imag.push_back(w);
        counts.not_finite += !std::isfinite(v) || !std::isfinite(w);
        counts.rounded += h.field == MmField::integer && std::abs(v) > 0x1p53;
      }
    });
    if (!known)
      throw Error("values of the type " + in_quotes(a.header.dtype) + " are not read", a.place,
                  "convert them first: a.astype('float64')");
    facts.field = name_of(h.field);
    facts.warnings = warnings_of(h, counts);
  }

  std::string label_;
  const ReadLimits& limits_;
  std::map<std::string, Array> arrays_;
  std::string contents_, remark_;
  int listed_ = 0;
  index_t rows_ = 0, cols_ = 0;
};

}  // namespace

// Whether it is a zip archive whose first member has the name of an array.
bool looks_npz(std::string_view head) {
  if (head.size() < 30 || !head.starts_with("PK\x03\x04"sv)) return false;
  const std::size_t length =
      static_cast<unsigned char>(head[26]) + (std::size_t{static_cast<unsigned char>(head[27])} << 8);
  return head.substr(30, length).ends_with(".npy");
}

Matrix read_scipy_npz(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    SourceFacts facts;
    Coo coo = NpzReader(source, limits, progress).read(facts);
    return finish_reading(std::move(coo), std::move(facts), location, progress);
  });
}

}  // namespace warpspy
