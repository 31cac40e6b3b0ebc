// What the UI and the command line know of formats, kernels, metrics and devices: plain data, filled by app from the
// tables, so that neither has to include a kernel.
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
  // The row length at which it divides rows: a fact of its estimate ("k"), else a parameter ("boundary"), and how that
  // is called ("HYB K"). Empty where it divides none.
  struct Cut {
    std::string id, label;
  };
  Cut cut = {};
  // The index that every slot of padding has for itself, if it has one: as wide as the columns of the matrix ask for,
  // two 16-bit offsets, or one, or a byte.
  enum class PaddingIndex : std::uint8_t { none, column, pair16, offset16, offset8 } padding_index = PaddingIndex::none;
  // How its facts are called for people: id and words. Of others the id is shown, '_' as a blank.
  struct FactName {
    std::string id, words;
  };
  std::vector<FactName> fact_names = {};
  bool intermediate = false;  // what a matrix is held in anyway: to get there is no conversion
  // The format that it holds in fewer bytes, with the same numbers; where it takes no fewer, it gains nothing. Empty
  // for a format of its own.
  std::string compact_of = {};
  bool compact() const { return !compact_of.empty(); }
  // Bytes per flop of its kernel by Bell & Garland 2008, Table 1; 0: the table does not have it.
  double table1_f32 = 0, table1_f64 = 0;
};

// What a kernel computes, A having rows x cols entries: alpha A x + beta y, alpha A^T x + beta y, or, for a kernel
// without a matrix, alpha x + beta y with every stride-th of cols numbers.
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
  std::string library = {};  // "cuSPARSE": whose kernel it is; "" for our own, which the emulator runs too
  // What its file says it is like. Of a library's kernel that is not known: no tag.
  Tags tags = {};
  Slowdown slowdown = {};
  std::vector<Start> starts = {};
  // Parameters with which the model of a GPU is held against one where nobody says which (docs/validation.md); none: it
  // is left out there.
  std::vector<ParamSet> validated = {};
};
// For people: its help and source, a line for each of its tags, and how far it stays from its bytes where that counts.
std::string description(const KernelInfo& kernel);

enum class Level : std::uint8_t { none, dram, l2, l1, shared, compute };

struct MetricInfo {
  std::string id;     // "dram_bytes"
  std::string label;  // "DRAM bytes"
  std::string unit;   // "B", "%", "1"
  std::string help;   // with the formula
  Level level = Level::none;
  std::string counter_set = {};  // the smallest of Catalog::counter_sets that reads it; "" when the hardware does not
  std::string cupti = {};        // how it is read from the hardware: a formula of CUPTI's metrics
};

// Counters that are read together. Each set holds those before it.
struct CounterSetInfo {
  std::string id, label, help;
};

// What nvprof, which the papers used, called a quantity.
struct NvprofName {
  std::string name;     // "dram_read_throughput"
  std::string metric;   // MetricInfo::id that it comes from
  std::string formula;  // "dram_read_bytes / time"; "" where the two are the same
  std::string note = {};
};

// How far up the ladder a number comes from.
enum class TrafficSource : std::uint8_t { counters, timing, simulated };
constexpr const char* name_of(TrafficSource r) {
  constexpr const char* names[] = {"hardware counters", "time and least bytes", "simulated"};
  return names[static_cast<int>(r)];
}

// Whether a device's hardware counters can be read, found out before anything fails.
struct CounterAccess {
  bool open = false;
  std::string obstacle;                    // id of what is in the way: "admin_only"; "" when open
  std::string reason, remedy;              // one line each when not open; the remedy is there to be copied
  std::string chip;                        // "GH100", as the profiler calls it; "" when not known
  std::map<std::string, int> passes = {};  // by counter set: how often a product is run for it
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
  std::string reason;         // why not available, and what is done instead; one line
  std::string counters;       // which counters it offers, or why none; one line
  GpuSpec spec;               // for a real device: what the driver says; figures it does not say are absent
  CounterAccess access = {};  // of a real device
};

// What values of a search count in on this GPU.
inline DeviceScale scale_of(const GpuSpec& gpu) { return {gpu.sm_count, gpu.shared_bytes_per_block}; }

// A library that is looked for while the program runs.
struct LibraryInfo {
  std::string name;  // "cuSPARSE"
  bool available = false;
  std::string version, path;   // when available
  std::string reason, remedy;  // one line each when not
};

// A file of the kernels' source, as it was compiled.
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

  // nullptr when there is none of that id.
  const FormatInfo* format(const std::string& id) const;
  const KernelInfo* kernel(const std::string& id) const;
  const MetricInfo* metric(const std::string& id) const;
  const DeviceInfo* device(const std::string& id) const;
  const StrategyInfo* strategy(const std::string& id) const;
  const SourceFile* source(const std::string& name) const;
  // Throws Error that names all.
  const KernelInfo& require_kernel(const std::string& id) const;

  // Why this kernel cannot run on this device, in one line, or "": a library's code cannot be emulated, and the library
  // has to be there.
  std::string why_not(const KernelInfo& kernel, const DeviceInfo& device) const;
};

}  // namespace warpspy
