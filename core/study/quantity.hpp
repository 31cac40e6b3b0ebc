// Tells what kind of number a cell of a study has: "matrix.nnz", "format.k", "gpu.dram_gbs", "run.gflops",
// "analysis.latency.x".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"
#include "core/study/study.hpp"

namespace warpspy {

struct StudyQuantity {
  enum class Of : std::uint8_t { matrix, format, gpu, run, analysis, tune } of = Of::matrix;
  std::string id;      // "nnz"; of an analysis its id; of a search its strategy
  std::string series;  // of an analysis
  int products = 0;    // of a search: its first so many products
  bool of_matrix() const { return of != Of::gpu && !(of == Of::format && id == "table1"); }
  bool of_setup() const { return of != Of::matrix; }
  bool of_runs() const { return of == Of::run || of == Of::analysis || of == Of::tune; }
};
// Throws Error that lists all quantities.
StudyQuantity study_quantity(const std::string& text);

// A number that was made again for a cell, or the reason why it is missing.
struct Reading {
  std::optional<double> value = {};
  std::string reason = {};
  Provenance provenance = Provenance::modelled;
  std::shared_ptr<const RunRecord> run = {};  // the run that has the number, or should have it; of several runs the
                                              // first. Counts have no run
};
// Matrix, setup and quantity, as a cell names them; "" if the quantity has no matrix or setup.
using ReadingKey = std::tuple<std::string, std::string, std::string>;
using Readings = std::map<ReadingKey, Reading>;

// These return a number of a matrix, of its format, or of a GPU, without running anything. `matrix`: nullptr if the
// quantity has no matrix. Throws Error if the format cannot store the matrix.
Reading count_of_matrix(const StudyQuantity& quantity, const Matrix& matrix);
Reading count_of_format(const StudyQuantity& quantity, const std::string& format, Precision precision,
                        const ParamSet& params, const Matrix* matrix);
Reading figure_of_gpu(const StudyQuantity& quantity, const GpuSpec& gpu);
// Returns a number of a product that ran: its time, its rate, a counter or a detail. If the run failed, the reason is
// the run's.
Reading reading_of(const StudyQuantity& quantity, const RunRecord& record);

}  // namespace warpspy
