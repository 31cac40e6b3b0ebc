// What micro-benchmarks reached on one device: the roofs that are measured, beside those of its data sheet.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// THE list of what is measured, in the order of a table.
struct RoofFigureInfo {
  const char* id;     // "dram_read"
  const char* label;  // "DRAM, read"
  const char* unit;   // "GB/s" (1e9 B/s), "GFLOP/s" (a fused multiply-add is two) or "us"
};
const std::vector<RoofFigureInfo>& roof_figures();

struct MeasuredFigure {
  std::string id;  // of roof_figures()
  double value = 0;
  double noise = 0;  // median absolute deviation of the samples / their median
  std::string how;   // one line: what ran, and over how many bytes
  bool operator==(const MeasuredFigure&) const = default;
};

// Reads that bypass L1, over and over the same `bytes`.
struct WorkingSetPoint {
  double bytes = 0, gbs = 0;
  bool operator==(const WorkingSetPoint&) const = default;
};

struct MeasuredRoofs {
  std::string device, uuid;           // as the driver says
  std::string driver;                 // "13.0": the newest CUDA that it runs
  std::string date;                   // UTC, ISO 8601
  double sm_mhz = 0, memory_mhz = 0;  // medians while it was measured; 0: not known
  std::vector<MeasuredFigure> figures;
  std::vector<WorkingSetPoint> curve;  // by rising bytes
  bool operator==(const MeasuredRoofs&) const = default;

  const MeasuredFigure* figure(const std::string& id) const;  // nullptr when there is none
  // "measured 2026-11-20, CUDA 13.0 driver, SM 1980 MHz, memory 3201 MHz"
  std::string origin() const;
};

std::string to_json(const MeasuredRoofs& m);
// Throws Error on text that is no such object: a figure that is unknown, negative or not finite, a curve that falls
// back, a missing name.
MeasuredRoofs measured_roofs_from_json(const std::string& text);

}  // namespace warpspy
