// What the tests' engine tells of a run over several GPUs: a true partition, joined by a toy link.
#pragma once

#include <algorithm>
#include <vector>

#include "core/partition/link.hpp"
#include "core/run/record.hpp"

namespace warpspy::ui {

// Divides the time of the run among its parts by their entries.
inline void divide_toy_run(RunRecord& r, const Csr& a, Progress& progress) {
  const RunRequest& q = r.request;
  const Partition p = partition_of(a, row_parts(a, q.parts, q.split, progress), q.parts, progress);
  const Link link{.id = "toy", .name = "Toy link", .gpus = {"toy"}, .gbs = 100, .latency_us = 0.1, .sources = {}};
  const double each = r.time.value / static_cast<double>(a.nnz());
  std::vector<double> local, halo;
  for (const Part& part : p.parts) {
    local.push_back(each * static_cast<double>(part.local->nnz()));
    halo.push_back(each * static_cast<double>(part.halo->nnz()));
  }
  r.parts = timed_parts(p, local, halo, link, bytes_of(q.precision));
  double slowest = 0, numbers = 0, messages = 0;
  for (const PartResult& part : r.parts) {
    slowest = std::max(slowest, part.time_us);
    numbers += static_cast<double>(part.halo_in), messages += static_cast<double>(part.messages);
  }
  r.gflops.value *= r.time.value / slowest;
  r.time.value = slowest;
  const auto add = [&](const char* id, double value, const char* unit) {
    r.details.push_back({id, id, {value, unit, Provenance::modelled}});
  };
  add("parts_imbalance", imbalance_of(p), "1");
  add("halo_bytes", numbers * bytes_of(q.precision), "B");
  add("halo_messages", messages, "1");
  add("link_bandwidth", link.gbs, "GB/s");
  add("link_latency", link.latency_us, "us");
}

}  // namespace warpspy::ui
