// A small sweep, and what its products came to.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy::samples {

inline Catalog catalog() {
  Catalog c;
  c.formats = {{"csr", "CSR", "", "", {}}};
  c.kernels = {{"csr_vector",
                "CSR vector",
                "",
                "",
                "csr",
                {{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8}}},
               {"csr_scalar", "CSR scalar", "", "", "csr", {}}};
  c.devices = {{"sim:toy", "Toy", true, true, "", "", {}}};
  return c;
}

inline SweepPlan plan() {
  SweepPlan p;
  p.matrices = {{"gen:a", "a"}, {"gen:b", "b"}};
  p.kernels = {"csr_scalar", "csr_vector"};
  p.params = {{"coop", {"2", "4"}}};
  p.options = {{"device", {"sim:toy"}}};
  return p;
}

inline RunRecord record_of(const SweepCell& c, double us = 12.5) {
  RunRecord r;
  r.id = 7;
  r.started = "2026-11-23T10:00:00Z";
  r.request = c.request;
  r.status = RunStatus::ok;
  r.matrix_name = c.matrix_name;
  r.rows = r.cols = 10, r.nnz = 30;
  r.device = "sim:toy", r.device_name = "Toy";
  r.time = {us, "us", Provenance::modelled}, r.gflops = {60 / us * 1e-3, "GFLOP/s", Provenance::modelled};
  r.minimum_bytes = {1000, "B", Provenance::modelled};
  r.counters = {{"dram_bytes", 640.0, "B", Provenance::modelled, "", ""}};
  return r;
}

inline const Maker here = {"0.1.0 (abc)", "Toy", ""};

}  // namespace warpspy::samples
