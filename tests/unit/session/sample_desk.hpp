// A desk with every part filled.
#pragma once

#include "core/session/desk.hpp"

namespace warpspy {

inline RunRecord sample_record(std::uint64_t id, const std::string& kernel) {
  RunRecord r;
  r.id = id;
  r.started = "2026-11-22T10:00:0" + std::to_string(id % 10) + "Z";
  r.request.matrix = "/data/a.mtx";
  r.request.kernel = kernel;
  r.status = RunStatus::ok;
  r.matrix_name = "a";
  r.rows = r.cols = 5, r.nnz = 13;
  r.kernel_label = kernel;
  r.format = "csr";
  r.device = "sim:toy", r.device_name = "Toy";
  r.time = {12.5, "us", Provenance::modelled};
  r.gflops = {2, "GFLOP/s", Provenance::modelled};
  r.minimum_bytes = {300, "B", Provenance::modelled};
  return r;
}

inline Desk sample_desk() {
  Desk d;
  d.saved = "2026-11-23T08:00:00Z";
  d.folder = "/data/sessions";
  DeskMatrix file{{"/data/a.mtx", {}},       "a", FileMark{120, 1'700'000'000'000'000'001, "00ff"}, 5, 5, 13,
                  {false, 2.5, 3.25, 40, 20}};
  DeskMatrix made{{"gen:laplace5?nx=10&ny=10", {}}, "laplace5", std::nullopt, 100, 100, 460, {}};
  DeskMatrix reordered = made;
  reordered.recipe.steps = {{"rcm", {}, ""}, {"length", {{"descending", 1}}, ""}, {"file", {}, "/data/p.txt"}};
  made.knobs = DeskKnobs{"ell", "ell", {{"ell", {{"block_size", 64}}}}, {{"ell", {{"alignment", 8}}}}};
  d.matrices = {file, made, reordered};
  d.active = 2;
  d.choices = {{"tab", "runs"}, {"kernel", "csr_vector"}, {"of a later program", "kept"}};
  d.kernel_params = {{"csr_vector", {{"coop", 4}, {"share", 0.25}}}};
  d.format_params = {{"ell", {{"alignment", 32}}}};
  d.analysis_params = {{"throughput", {{"latency", 400}}}};
  d.marked_lo = 3, d.marked_hi = 5;
  d.marked_first = 1, d.marked_past = 2;
  d.runs = {{17, true, "the good one", nullptr},
            {kUnsaved + 2, true, "", std::make_shared<const RunRecord>(sample_record(kUnsaved + 2, "ell"))},
            {12, false, "", nullptr}};
  d.selected_run = 17, d.beside_run = 12;
  d.compared = {17, 12};
  TuneRecord t;
  t.status = RunStatus::ok;
  t.matrix_name = "a";
  t.steps = {{"default", 1, "csr_vector", {{"coop", 8}}, 12.5, "", 0}};
  d.tuning = t;
  AnalysisResult a;
  a.request.id = "throughput";
  a.request.kernels = {"csr_vector"};
  AnalysisSubject subject;
  subject.label = "CSR vector";
  subject.runs.push_back({"product", 2, std::make_shared<const RunRecord>(sample_record(9, "csr_vector"))});
  a.subjects = {subject};
  d.analyses = {a};
  SavedSweep b;
  b.plan = {.matrices = {{"/data/a.mtx", "a"}},
            .kernels = {"csr_vector", "ell"},
            .params = {{"csr_vector.coop", {"4"}}, {"alignment", {"32"}}},
            .options = {{"precision", {"f32", "f64"}}, {"device", {"sim:toy"}}}};
  b.outcomes = {{"/data/a.mtx", "0123", CellState::done, "", 17, 0.5},
                {"/data/a.mtx", "4567", CellState::failed, "too wide", 0, 0.25}};
  b.folder = "/data/a.sweep";
  d.sweep = b;
  return d;
}

}  // namespace warpspy
