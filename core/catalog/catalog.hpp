// Tells what the window and the command line know about formats, kernels, metrics and devices. It is plain data, which
// app fills from the tables, so that neither includes a kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/kernel_traits.hpp"
#include "core/catalog/params.hpp"
#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

struct FormatInfo {
  std::string id, label, help, source;  // source: paper and section
  std::vector<ParamSpec> params = {};
  // The row length at which the format divides rows: the name of a fact of its estimate ("k") or of a parameter
  // ("boundary"), and a label ("HYB K"). Empty if the format divides no rows.
  struct Cut {
    std::string id, label;
  };
  Cut cut = {};
  // Tells which index a slot of padding has: none, a column (as wide as the matrix needs), two 16-bit offsets, one
  // 16-bit offset, or a byte.
  enum class PaddingIndex : std::uint8_t { none, column, pair16, offset16, offset8 } padding_index = PaddingIndex::none;
  // Names of the format's facts: id and words. For a fact without a name the id is shown, with blanks for '_'.
  struct FactName {
    std::string id, words;
  };
  std::vector<FactName> fact_names = {};
  bool intermediate = false;  // every matrix is in this format already, so it needs no conversion
  // A compact format that has no fewer bytes gains nothing.
  std::string compact_of = {};
  bool compact() const { return !compact_of.empty(); }
  // Bytes per flop of the format's kernel in Bell & Garland 2008, Table 1; 0 if the table does not have it.
  double table1_f32 = 0, table1_f64 = 0;
};

// Tells what a kernel computes, A having rows x cols entries: alpha A x + beta y, alpha A^T x + beta y, or, for a
// kernel without a matrix, alpha x + beta y with every stride-th of cols numbers.
enum class Operation : std::uint8_t { product, transposed_product, axpy };
constexpr const char* name_of(Operation o) {
  constexpr const char* names[] = {"product", "transposed product", "axpy"};
  return names[static_cast<int>(o)];
}
constexpr index_t input_size(Operation o, index_t rows, index_t cols) {
  return o == Operation::transposed_product ? rows : cols;
}
constexpr index_t output_size(Operation o, index_t rows, index_t cols) { return o == Operation::product ? rows : cols; }

struct KernelInfo {
  std::string id, label, help, source;
  std::string format;  // FormatInfo::id; "" for a kernel that reads no matrix
  std::vector<ParamSpec> params = {};
  Operation operation = Operation::product;
  std::string library = {};  // "cuSPARSE": the library that has the kernel; "" for our own kernels, which the emulator
                             // runs too
  // The tags by which a kernel's file describes it. A library's kernel has no tags, since nothing is known about it.
  Tags tags = {};
  Slowdown slowdown = {};
  std::vector<Start> starts = {};
  // The parameters with which `warpspy validate` runs the kernel by default (docs/validation.md). Without any,
  // `validate` leaves the kernel out.
  std::vector<ParamSet> validated = {};
};
// A kernel's description for people: its help and source, a line for each tag, and how much slower it is than its bytes
// allow, if that matters.
std::string description(const KernelInfo& kernel);

enum class Level : std::uint8_t { none, dram, l2, l1, shared, compute };

struct MetricInfo {
  std::string id;     // "dram_bytes"
  std::string label;  // "DRAM bytes"
  std::string unit;   // "B", "%", "1"
  std::string help;   // with the formula
  Level level = Level::none;
  std::string counter_set = {};  // the smallest of Catalog::counter_sets that has the metric; "" if the hardware cannot
                                 // count it
  std::string cupti = {};        // how the hardware counts it: a formula of CUPTI's metrics
};

// Counters that are read together. Each set contains the sets before it.
struct CounterSetInfo {
  std::string id, label, help;
};

// The name of a quantity in nvprof, which the papers used.
struct NvprofName {
  std::string name;     // "dram_read_throughput"
  std::string metric;   // the MetricInfo::id from which it is computed
  std::string formula;  // "dram_read_bytes / time"; "" if both are the same
  std::string note = {};
};

// Tells where the memory traffic of a run comes from: hardware counters, times, or a model.
enum class TrafficSource : std::uint8_t { counters, timing, simulated };
constexpr const char* name_of(TrafficSource r) {
  constexpr const char* names[] = {"hardware counters", "time and least bytes", "simulated"};
  return names[static_cast<int>(r)];
}

// Whether a device's hardware counters can be read. It is found out before a run needs them.
struct CounterAccess {
  bool open = false;
  std::string obstacle;                    // id of the obstacle, such as "admin_only"; "" if counters can be read
  std::string reason, remedy;              // one line each if counters cannot be read; the remedy is a text to copy
  std::string chip;                        // "GH100", as the profiler calls it; "" when not known
  std::map<std::string, int> passes = {};  // how often a product must run for each counter set
};

// A way to search for good parameters of a kernel.
struct StrategyInfo {
  std::string id, label, help, source;
};

struct DeviceInfo {
  std::string id;    // "cuda:0", "sim:h200"
  std::string name;  // "NVIDIA H200"
  bool simulated = false;
  bool available = true;
  std::string reason;         // why the device is not available, and what the program does instead; one line
  std::string counters;       // which counters the device offers, or why it offers none; one line
  GpuSpec spec;               // for a real device: what the driver says; other figures are absent
  CounterAccess access = {};  // whether counters of a real device can be read
};

// Returns the units of this GPU in which some values of a search count, such as blocks per SM.
inline DeviceScale scale_of(const GpuSpec& gpu) { return {gpu.sm_count, gpu.shared_bytes_per_block}; }

// A library that is looked for while the program runs.
struct LibraryInfo {
  std::string name;  // "cuSPARSE"
  bool available = false;
  std::string version, path;   // when available
  std::string reason, remedy;  // one line each, if they cannot be read
};

// A file of the kernels' source, as it was when the program was compiled.
struct SourceFile {
  std::string name;  // "csr_scalar.hpp"
  std::string text;
};

struct Catalog {
  std::vector<FormatInfo> formats;
  std::vector<KernelInfo> kernels;
  std::vector<MetricInfo> metrics;
  std::vector<DeviceInfo> devices;
  std::vector<LibraryInfo> libraries = {};
  std::vector<StrategyInfo> strategies = {};
  std::vector<CounterSetInfo> counter_sets = {};
  std::vector<NvprofName> nvprof_names = {};
  std::vector<SourceFile> sources = {};
  std::vector<std::string> notices;  // one line each: what is missing on this machine and what happens instead

  // nullptr if no format has that id.
  const FormatInfo* format(const std::string& id) const;
  const KernelInfo* kernel(const std::string& id) const;
  const MetricInfo* metric(const std::string& id) const;
  const DeviceInfo* device(const std::string& id) const;
  const StrategyInfo* strategy(const std::string& id) const;
  const SourceFile* source(const std::string& name) const;
  // Throws Error that names all.
  const KernelInfo& require_kernel(const std::string& id) const;

  // Returns why this kernel cannot run on this device, in one line, or "". The emulator cannot run a library's code,
  // and on a GPU the library must be installed.
  std::string why_not(const KernelInfo& kernel, const DeviceInfo& device) const;
};

}  // namespace warpspy
