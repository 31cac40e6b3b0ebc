// The contents of the frames between a window and its engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/entry_trace.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy::wire {

struct Hello {
  std::string program;  // "0.1.0 (5b18d84)"
  std::string host;     // name of the machine
  std::vector<DeviceInfo> devices;
};

// The matrix of a call: the key of its contents, and facts about its source.
struct MatrixRef {
  std::string key;
  SourceFacts facts;
};

// The sizes of a matrix that follows in parts: row pointers, columns, values, imaginary parts, then map and matrices of
// its elements, as bytes.
struct MatrixShape {
  std::string key;
  index_t rows = 0, cols = 0, nnz = 0;
  bool wide = false;     // columns have 64 bits
  bool complex = false;  // the matrix has imaginary parts
  index_t elements = 0, nodes = 0;
  bool wide_map = false;
};

// The progress of a running call.
struct Sign {
  double fraction = 0;
  std::string stage;
  double quiet_s = 0;  // seconds since one of these changed
};

// An Error as a message.
struct Refusal {
  std::string reason, where, remedy;
};

std::string pack(const Hello& hello);
// Reads a `hello`. If it is from another version of the protocol, only the program's version is read.
Hello hello_of(std::string_view body, std::uint16_t version);
std::string pack(const EntryTrace& trace);
// Reads a trace. Its indices must point into its own lists; otherwise it throws Error.
EntryTrace entry_trace_of(std::string_view body);
std::string pack(const WarpTrace& trace);
WarpTrace warp_trace_of(std::string_view body);

// The key that identifies a matrix at both ends: its sizes and a check sum of all its arrays. It reads all arrays.
std::string key_of(const Matrix& matrix);
MatrixShape shape_of(const Matrix& matrix, const std::string& key);
// Calls send(bytes) for the arrays one after another, in pieces of at most `most` bytes.
void send_arrays(const Matrix& matrix, std::size_t most, const std::function<void(std::string_view)>& send);
double bytes_of(const MatrixShape& shape);

// The arrays of a matrix as they arrive.
class MatrixBuilder {
 public:
  // Throws Error for impossible sizes, and if memory is short.
  explicit MatrixBuilder(MatrixShape shape);
  void add(std::string_view bytes);  // throws Error if more bytes come than announced
  bool complete() const { return array_ == arrays_.size(); }
  const MatrixShape& shape() const { return shape_; }
  // Returns the matrix and leaves the builder empty. Throws Error if the arrays are no valid matrix, or not the
  // announced one.
  Matrix take();

 private:
  struct Array {
    char* to;
    std::size_t bytes;
  };
  void next();

  MatrixShape shape_;
  std::vector<index_t> row_ptr_;
  Indices columns_, map_;
  std::vector<double> values_, imag_, matrices_;
  std::vector<Array> arrays_;
  std::size_t array_ = 0, filled_ = 0;
};

}  // namespace warpspy::wire
