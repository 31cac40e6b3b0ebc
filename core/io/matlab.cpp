#include "core/io/matlab.hpp"

#include <matio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <vector>

#include "core/io/matlab_check.hpp"
#include "core/io/words.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

// The library logs into one global place, and HDF5 below it is not made for threads: one file at a time.
std::mutex library;
std::string last_message;

struct CloseMat {
  void operator()(mat_t* m) const { Mat_Close(m); }
};
struct FreeVariable {
  void operator()(matvar_t* v) const { Mat_VarFree(v); }
};
using MatFile = std::unique_ptr<mat_t, CloseMat>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// The library opens files by name: what is packed is unpacked into a temporary file first.
class OnDisk {
 public:
  OnDisk(Source& source, Progress& progress) : path_(source.plain_path()) {
    if (!path_.empty()) return;
    path_ = std::filesystem::temp_directory_path() / "warpspy_XXXXXX";
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) fail();
    temporary_ = true;
    std::vector<char> part(std::size_t{1} << 20);
    try {
      while (const std::size_t n = source.read(part.data(), part.size())) {
        progress.check();
        if (::write(fd, part.data(), n) != static_cast<ssize_t>(n)) fail();
      }
    } catch (...) {
      ::close(fd);
      ::unlink(path_.c_str());
      throw;
    }
    ::close(fd);
  }
  ~OnDisk() {
    if (temporary_) ::unlink(path_.c_str());
  }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail() const {
    throw Error("cannot unpack the MATLAB file: " + std::string(std::strerror(errno)), path_,
                "make room in the temporary folder, or unpack the file first");
  }
  std::string path_;
  bool temporary_ = false;
};

const char* name_of_class(matio_classes c) {
  constexpr const char* names[] = {"empty",  "cell",   "struct", "object", "char",     "sparse",
                                   "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                   "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  return static_cast<std::size_t>(c) < std::size(names) ? names[c] : "unknown";
}

// Where the matrix is: a variable, or a field of one.
struct Place {
  std::string variable, field;
  std::string text() const { return field.empty() ? variable : variable + "." + field; }
};

class Reader {
 public:
  Reader(const std::string& path, std::string label) : label_(std::move(label)) {
    last_message.clear();
    // Newer versions hand over a const char*.
    Mat_LogInitFunc("warpspy", [](int, auto* text) { last_message = text ? text : ""; });
    file_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file_) fail("the MATLAB file cannot be read");
  }

  Place find() {
    std::vector<Place> tops, fields;
    std::string contents;
    int listed = 0;
    for (Variable v(Mat_VarReadNextInfo(file_.get())); v; v.reset(Mat_VarReadNextInfo(file_.get()))) {
      const std::string name = v->name ? v->name : "";
      if (v->class_type == MAT_C_SPARSE) tops.push_back({name, {}});
      if (v->class_type == MAT_C_STRUCT)
        for (const auto& field : sparse_fields(v.get())) fields.push_back({name, field});
      if (++listed <= 8) contents += (listed > 1 ? ", " : "") + described(*v);
    }
    for (const auto& f : fields)
      if (f.variable == "Problem" && f.field == "A") return f;
    if (!tops.empty()) return tops.front();
    if (!fields.empty()) return fields.front();
    if (listed == 0) fail("the MATLAB file holds no variable that can be read");
    throw Error("the MATLAB file has no sparse matrix (it has " + contents + (listed > 8 ? ", ..." : "") + ")", label_,
                "save one with save(file, 'A') where issparse(A) is true");
  }

  // With its data; `m` points into `owner`.
  matvar_t* load(const Place& place, Variable& owner) {
    Mat_Rewind(file_.get());
    owner.reset(Mat_VarReadInfo(file_.get(), place.variable.c_str()));
    matvar_t* m = owner.get();
    if (m && !place.field.empty()) m = Mat_VarGetStructFieldByName(m, place.field.c_str(), 0);
    if (!m || Mat_VarReadDataAll(file_.get(), m) != 0 || !m->data)
      fail("the sparse matrix " + warpspy::quoted(place.text()) + " cannot be read");
    return m;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(reason + (last_message.empty() ? "" : " (" + one_line(last_message) + ")"), label_,
                "the file is damaged or cut short: save or fetch it again");
  }

 private:
  static std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }
  static std::string described(const matvar_t& v) {
    std::string text = warpspy::quoted(v.name ? v.name : "") + ", " + name_of_class(v.class_type);
    for (int k = 0; k < v.rank && v.dims; ++k) text += (k ? " x " : " ") + std::to_string(v.dims[k]);
    return text;
  }
  static std::vector<std::string> sparse_fields(matvar_t* v) {
    std::vector<std::string> found;
    char* const* names = Mat_VarGetStructFieldnames(v);
    for (unsigned k = 0; names && k < Mat_VarGetNumberOfFields(v); ++k) {
      const matvar_t* field = Mat_VarGetStructFieldByIndex(v, k, 0);
      if (field && field->class_type == MAT_C_SPARSE && names[k]) found.emplace_back(names[k]);
    }
    return found;
  }

  std::string label_;
  MatFile file_;
};

// Calls f with a typed pointer; false for a type that a sparse matrix cannot have.
template <class F>
bool with_type(matio_types type, const void* data, F&& f) {
  const auto as = [&](auto zero) {
    f(static_cast<const decltype(zero)*>(data));
    return true;
  };
  switch (type) {
    case MAT_T_DOUBLE:
      return as(double{});
    case MAT_T_SINGLE:
      return as(float{});
    case MAT_T_INT8:
      return as(std::int8_t{});
    case MAT_T_UINT8:
      return as(std::uint8_t{});
    case MAT_T_INT16:
      return as(std::int16_t{});
    case MAT_T_UINT16:
      return as(std::uint16_t{});
    case MAT_T_INT32:
      return as(std::int32_t{});
    case MAT_T_UINT32:
      return as(std::uint32_t{});
    case MAT_T_INT64:
      return as(std::int64_t{});
    case MAT_T_UINT64:
      return as(std::uint64_t{});
    default:
      return false;
  }
}

// The arrays of a sparse variable, once they are known to agree with each other.
struct Sparse {
  index_t rows = 0, cols = 0;
  std::size_t entries = 0;
  const mat_sparse_t* data = nullptr;
};

Sparse checked(const Reader& reader, const matvar_t& v) {
  const auto require = [&](bool ok, const char* what) {
    if (!ok) reader.fail(std::string("the sparse matrix does not fit together: ") + what);
  };
  require(v.rank == 2 && v.dims, "it has not two dimensions");
  Sparse s;
  s.rows = static_cast<index_t>(v.dims[0]);
  s.cols = static_cast<index_t>(v.dims[1]);
  s.data = static_cast<const mat_sparse_t*>(v.data);
  require(s.rows >= 0 && s.cols >= 0, "its size is negative");
  const mat_sparse_t& a = *s.data;
  require(a.jc && a.njc == v.dims[1] + 1, "it has not one column pointer more than columns");
  require(a.jc[0] == 0 && std::is_sorted(a.jc, a.jc + a.njc), "the column pointers decrease");
  s.entries = a.jc[a.njc - 1];
  require(s.entries <= a.nir && (s.entries == 0 || a.ir), "there are fewer row indices than entries");
  require(s.entries <= a.ndata && (s.entries == 0 || a.data), "there are fewer values than entries");
  require(std::all_of(a.ir, a.ir + s.entries, [&](mat_uint32_t i) { return i < v.dims[0]; }),
          "a row index is out of range");
  return s;
}

template <class I>
Coo triplets_of(const Reader& reader, const matvar_t& v, const Sparse& s) {
  const mat_sparse_t& a = *s.data;
  std::vector<I> row(a.ir, a.ir + s.entries), col = with_room<I>(s.entries);
  for (std::size_t j = 0; s.entries > 0 && j + 1 < a.njc; ++j)
    col.insert(col.end(), a.jc[j + 1] - a.jc[j], static_cast<I>(j));
  std::vector<double> re = with_room<double>(s.entries), im;
  const auto copy = [&](const void* from, std::vector<double>& to) {
    const bool known = with_type(v.data_type, from, [&](const auto* p) {
      for (std::size_t k = 0; k < s.entries; ++k) to.push_back(v.isLogical ? p[k] != 0 : static_cast<double>(p[k]));
    });
    if (!known) reader.fail("the values of the sparse matrix are of a type that is not read");
  };
  if (s.entries > 0 && v.isComplex) {
    const auto* split = static_cast<const mat_complex_split_t*>(a.data);
    if (!split->Re || !split->Im) reader.fail("the complex values are incomplete");
    copy(split->Re, re);
    copy(split->Im, im);
  } else if (s.entries > 0) {
    copy(a.data, re);
  }
  return {s.rows, s.cols, Indices(std::move(row)), Indices(std::move(col)), std::move(re), std::move(im)};
}

}  // namespace

// The text says so, or the mark of the byte order stands where version 5 has it.
bool looks_matlab(std::string_view head) {
  if (head.starts_with("MATLAB 5.0 MAT-file") || head.starts_with("MATLAB 7.3 MAT-file")) return true;
  if (head.size() < 128) return false;
  const auto mark = head.substr(124, 4);
  using namespace std::string_view_literals;
  return mark == "\x00\x01IM"sv || mark == "\x00\x02IM"sv || mark == "\x01\x00MI"sv || mark == "\x02\x00MI"sv;
}

Matrix read_matlab(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    const OnDisk file(source, progress);
    check_matlab_file(file.path(), source.label(), progress);
    SourceFacts facts;
    Coo coo;
    {
      std::lock_guard guard(library);
      Reader reader(file.path(), source.label());
      const Place place = reader.find();
      progress.check();
      Variable owner;
      const matvar_t& v = *reader.load(place, owner);
      const Sparse s = checked(reader, v);
      require_memory(s.rows, s.cols, static_cast<double>(s.entries), v.isComplex, limits, source.label());
      const bool narrow = Indices::fits32(s.rows) && Indices::fits32(s.cols);
      coo = narrow ? triplets_of<std::int32_t>(reader, v, s) : triplets_of<std::int64_t>(reader, v, s);
      facts.field = v.isComplex ? "complex" : v.isLogical ? "pattern" : "real";
      facts.entries_in_file = static_cast<index_t>(s.entries);
    }
    return finish_reading(std::move(coo), std::move(facts), location, progress);
  });
}

}  // namespace warpspy
