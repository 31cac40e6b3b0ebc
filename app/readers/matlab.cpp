// Reads the sparse matrix of a MATLAB 7.3 file through matio and writes it to standard output
// (core/io/matlab_wire.hpp). It is a separate program, since a damaged file can crash matio or HDF5, and must not crash
// the window. Whoever starts it limits its resources; if it crashes, the file is refused.
#include <matio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "app/readers/confined.hpp"
#include "app/readers/inside.hpp"
#include "core/io/matlab_wire.hpp"

namespace {

using warpspy::MatlabAnswer;
using warpspy::MatlabAnswerKind;

int answer_to = -1;  // a copy of the original standard output

void send(const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::write(answer_to, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

// Exits without the libraries' clean-up: after an error HDF5's takes long and prints messages.
[[noreturn]] void leave() { ::_exit(0); }

[[noreturn]] void refuse(MatlabAnswerKind kind, std::string text) {
  text.resize(std::min<std::size_t>(text.size(), warpspy::kLongestMatlabText));
  MatlabAnswer a;
  a.kind = kind;
  a.entries = text.size();
  send(&a, sizeof a);
  send(text.data(), text.size());
  leave();
}

[[noreturn]] void damaged(const std::string& text) { refuse(MatlabAnswerKind::damaged, text); }

void require(bool ok, const char* what) {
  if (!ok) damaged(std::string("the sparse matrix does not fit together: ") + what);
}

// Captures what the libraries print. HDF5 prints errors, but matio ignores them and continues.
class Complaints {
 public:
  Complaints() : fd_(::memfd_create("complaints", MFD_CLOEXEC)) {
    answer_to = ::dup(STDOUT_FILENO);
    if (fd_ < 0 || answer_to < 0) ::_exit(1);
    ::dup2(fd_, STDOUT_FILENO);
    ::dup2(fd_, STDERR_FILENO);
  }
  std::int64_t bytes() const {
    struct stat info = {};
    return ::fstat(fd_, &info) == 0 ? info.st_size : -1;
  }

 private:
  int fd_;
};

std::string quoted(const char* name) {
  const std::string_view text = name ? name : "";
  return "'" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "..." : "") + "'";
}

const char* name_of_class(matio_classes c) {
  constexpr const char* names[] = {"empty",  "cell",   "struct", "object", "char",     "sparse",
                                   "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                   "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  return static_cast<std::size_t>(c) < std::size(names) ? names[c] : "unknown";
}

std::string described(const matvar_t& v) {
  std::string text = quoted(v.name) + ", " + name_of_class(v.class_type);
  for (int k = 0; k < v.rank && k < 8 && v.dims; ++k) text += (k ? " x " : " ") + std::to_string(v.dims[k]);
  return text;
}

// Where the matrix is: a variable, or a field of a variable.
struct Place {
  std::string variable, field;
};

void list_fields(matvar_t& v, std::vector<Place>& found) {
  char* const* names = Mat_VarGetStructFieldnames(&v);
  // An empty array of structures has names but no fields.
  if (!names || !v.data || !v.dims || std::find(v.dims, v.dims + v.rank, 0U) != v.dims + v.rank) return;
  for (unsigned k = 0; k < Mat_VarGetNumberOfFields(&v); ++k) {
    const matvar_t* field = Mat_VarGetStructFieldByIndex(&v, k, 0);
    if (field && field->class_type == MAT_C_SPARSE && names[k]) found.push_back({v.name, names[k]});
  }
}

// Finds Problem.A, else the first sparse variable, else the first sparse field.
Place find(mat_t* file) {
  std::vector<Place> tops, fields;
  std::string contents;
  int listed = 0;
  while (matvar_t* v = Mat_VarReadNextInfo(file)) {
    if (v->name && v->class_type == MAT_C_SPARSE) tops.push_back({v->name, {}});
    if (v->name && v->class_type == MAT_C_STRUCT) list_fields(*v, fields);
    if (++listed <= 8) contents += (listed > 1 ? ", " : "") + described(*v);
    Mat_VarFree(v);
  }
  for (const auto& f : fields)
    if (f.variable == "Problem" && f.field == "A") return f;
  if (!tops.empty()) return tops.front();
  if (!fields.empty()) return fields.front();
  refuse(MatlabAnswerKind::no_sparse, contents + (listed > 8 ? ", ..." : ""));
}

template <class T>
void send_as_doubles(const void* data, std::size_t n) {
  const T* from = static_cast<const T*>(data);
  std::vector<double> block;
  for (std::size_t k = 0; k < n; k += block.size()) {
    block.assign(from + k, from + std::min(n, k + (std::size_t{1} << 16)));
    send(block.data(), block.size() * sizeof(double));
  }
}

struct Numbers {
  matio_types type;
  void (*send)(const void* data, std::size_t n);
};
constexpr Numbers kNumbers[] = {
    {MAT_T_DOUBLE, send_as_doubles<double>},      {MAT_T_SINGLE, send_as_doubles<float>},
    {MAT_T_INT8, send_as_doubles<std::int8_t>},   {MAT_T_UINT8, send_as_doubles<std::uint8_t>},
    {MAT_T_INT16, send_as_doubles<std::int16_t>}, {MAT_T_UINT16, send_as_doubles<std::uint16_t>},
    {MAT_T_INT32, send_as_doubles<std::int32_t>}, {MAT_T_UINT32, send_as_doubles<std::uint32_t>},
    {MAT_T_INT64, send_as_doubles<std::int64_t>}, {MAT_T_UINT64, send_as_doubles<std::uint64_t>},
};

// Checks the file that matio has opened, so that exactly that file is checked.
void require_inside() {
  hid_t file = H5I_INVALID_HID;
  if (H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, 1, &file) != 1) damaged("the MATLAB file cannot be read");
  const warpspy::Outside found = warpspy::leads_outside(file);
  if (found.what.empty()) return;
  refuse(found.damaged ? MatlabAnswerKind::damaged : MatlabAnswerKind::outside, found.what);
}

void send_matrix(const matvar_t& v, bool confined) {
  require(v.class_type == MAT_C_SPARSE && v.rank == 2 && v.dims, "it has not two dimensions");
  const auto& s = *static_cast<const mat_sparse_t*>(v.data);
  require(s.jc && s.njc == v.dims[1] + 1, "it has not one column pointer more than columns");
  const std::size_t entries = s.jc[s.njc - 1];
  require(entries <= s.nir && (entries == 0 || s.ir), "it has fewer row indices than entries");
  require(entries <= s.ndata && (entries == 0 || s.data), "it has fewer values than entries");
  const auto* numbers =
      std::find_if(std::begin(kNumbers), std::end(kNumbers), [&](const Numbers& n) { return n.type == v.data_type; });
  require(entries == 0 || numbers != std::end(kNumbers), "its values are of a type that is not read");
  const auto* split = v.isComplex ? static_cast<const mat_complex_split_t*>(s.data) : nullptr;
  require(entries == 0 || !split || (split->Re && split->Im), "its complex values are incomplete");
  MatlabAnswer a;
  a.kind = MatlabAnswerKind::matrix;
  a.flags = (v.isComplex ? MatlabAnswer::kComplex : 0) | (v.isLogical ? MatlabAnswer::kLogical : 0) |
            (confined ? 0 : MatlabAnswer::kOpen);
  a.rows = v.dims[0];
  a.cols = v.dims[1];
  a.entries = entries;
  send(&a, sizeof a);
  send(s.ir, entries * sizeof *s.ir);
  send(s.jc, s.njc * sizeof *s.jc);
  if (entries == 0) return;
  numbers->send(split ? split->Re : s.data, entries);
  if (split) numbers->send(split->Im, entries);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  // Waits until the parent has set the limits and closes this input.
  for (char c; ::read(STDIN_FILENO, &c, 1) > 0;) {
  }
  const Complaints complaints;
  H5PLset_loading_state(0);  // A file may name filters, which are loaded as code.
  mat_t* file = Mat_Open(argv[1], MAT_ACC_RDONLY);
  const bool confined = warpspy::confine();
  if (!file) damaged("the MATLAB file cannot be read");
  require_inside();
  const Place place = find(file);
  Mat_Rewind(file);
  const std::int64_t before = complaints.bytes();
  matvar_t* whole = Mat_VarReadInfo(file, place.variable.c_str());
  matvar_t* v = whole && !place.field.empty() ? Mat_VarGetStructFieldByName(whole, place.field.c_str(), 0) : whole;
  if (!v || Mat_VarReadDataAll(file, v) != 0 || !v->data || complaints.bytes() != before)
    damaged("the sparse matrix " + quoted(place.variable.c_str()) +
            (place.field.empty() ? "" : " (field " + quoted(place.field.c_str()) + ")") + " cannot be read");
  send_matrix(*v, confined);
  leave();
}
