// What stands in the frames between a window and its engine.
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

// A matrix of a call: what it holds, by its key, and what its source said of it.
struct MatrixRef {
  std::string key;
  SourceFacts facts;
};

// Of a matrix that follows in parts: row pointers, columns, values, imaginary parts, then map and matrices of its
// elements, as bytes.
struct MatrixShape {
  std::string key;
  index_t rows = 0, cols = 0, nnz = 0;
  bool wide = false;     // columns have 64 bits
  bool complex = false;  // there are imaginary parts
  index_t elements = 0, nodes = 0;
  bool wide_map = false;
};

// That a call goes on.
struct Sign {
  double fraction = 0;
  std::string stage;
  double quiet_s = 0;  // since one of these changed
};

// An Error on its way.
struct Refusal {
  std::string reason, where, remedy;
};

std::string pack(const Hello& hello);
// Of another protocol only the program is read.
Hello hello_of(std::string_view body, std::uint16_t version);
std::string pack(const EntryTrace& trace);
// The traces point into their own lists: what points elsewhere is refused.
EntryTrace entry_trace_of(std::string_view body);
std::string pack(const WarpTrace& trace);
WarpTrace warp_trace_of(std::string_view body);

// By what a matrix is known at both ends: its sizes and a check sum of all its arrays. Reads all of them.
std::string key_of(const Matrix& matrix);
MatrixShape shape_of(const Matrix& matrix, const std::string& key);
// Calls send(bytes) for the arrays one after another, in pieces of at most `most` bytes.
void send_arrays(const Matrix& matrix, std::size_t most, const std::function<void(std::string_view)>& send);
double bytes_of(const MatrixShape& shape);

// The arrays of a matrix as they arrive.
class MatrixBuilder {
 public:
  // Throws Error for sizes that cannot be, and where memory is short.
  explicit MatrixBuilder(MatrixShape shape);
  void add(std::string_view bytes);  // throws Error for more than was announced
  bool complete() const { return array_ == arrays_.size(); }
  const MatrixShape& shape() const { return shape_; }
  // Nothing is left. Throws Error where the arrays are no matrix, or not the one that was announced.
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
