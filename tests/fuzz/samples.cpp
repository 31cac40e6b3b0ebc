#include "tests/fuzz/samples.hpp"

namespace warpspy::fuzz {

RunRecord sample_run() {
  RunRecord r;
  r.id = 7;
  r.started = "2026-11-22T10:00:00Z";
  r.request.matrix = "gen:arrow?n=5";
  r.request.params = {{"coop", 4}, {"block_size", 256}};
  r.request.format_params = {{"slice_rows", 32}};
  r.request.memory = {1000000, 2000000};
  r.status = RunStatus::ok;
  r.matrix_name = "arrow";
  r.rows = r.cols = 5;
  r.nnz = 13;
  r.kernel_label = "CSR vector";
  r.format = "csr";
  r.device = "sim:h200";
  r.device_name = "NVIDIA H200";
  r.time = {12.5, "us", Provenance::modelled};
  r.time_how = "model";
  r.gflops = {2.08, "GFLOP/s", Provenance::derived};
  r.minimum_bytes = {300, "B", Provenance::modelled};
  r.details = {{"spread", "Spread", {0.01, "1", Provenance::measured}}};
  r.check = ErrorCheck{1e-7, 0.5, 5, 4, true};
  r.counters = {{"dram_bytes", 300.0, "B", Provenance::modelled, {}, {}},
                {"l2_hit_rate", {}, "%", Provenance::measured, "closed", "ask the administrator"}};
  r.arrays = {{"x", 10, 40, 52, 5.2, Provenance::modelled}};
  r.lines = {{"csr_vector.hpp:41", 10, 40, 52, 5.2, Provenance::modelled}};
  r.notes = {"One note."};
  return r;
}

TuneRecord sample_search() {
  TuneRecord t;
  t.started = "2026-11-22T10:00:00Z";
  t.request.run = sample_run().request;
  t.request.strategies = {"fixed_rule", "exhaustive"};
  t.status = RunStatus::ok;
  t.matrix_name = "arrow";
  t.rows = t.cols = 5;
  t.nnz = 13;
  t.device = "sim:h200";
  t.device_name = "NVIDIA H200";
  t.steps = {{"default", 1, "csr_vector", {{"coop", 4}}, 12.5, {}, 0},
             {"exhaustive", 1, "csr_vector", {{"coop", 64}}, {}, "out of range", 3}};
  t.outcomes = {
      {"exhaustive", "csr_vector", {{"coop", 4}}, 12.5, 2, 25, 0.0, {}, "It moves less.", {"Never pays off."}}};
  t.notes = {"One note."};
  return t;
}

}  // namespace warpspy::fuzz
