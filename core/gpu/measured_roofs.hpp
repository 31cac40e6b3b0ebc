// The bandwidths and peaks that micro-benchmarks reached on one device: measured roofs, besides those of the data
// sheet.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// The one list of measured figures, in the order of a table.
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

// A kernel reads the same `bytes` again and again, and its reads bypass L1.
struct WorkingSetPoint {
  double bytes = 0, gbs = 0;
  bool operator==(const WorkingSetPoint&) const = default;
};

struct MeasuredRoofs {
  std::string device, uuid;           // name and id from the driver
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
// Throws Error if the text is no such object: if a figure is unknown, negative or not finite, sizes of the curve
// decrease, or a name is missing.
MeasuredRoofs measured_roofs_from_json(const std::string& text);

}  // namespace warpspy
