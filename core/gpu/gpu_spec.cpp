#include "core/gpu/gpu_spec.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::json;

// A figure of the file: its member, and the values that it may have.
struct Figure {
  const char* id;
  std::variant<double GpuSpec::*, int GpuSpec::*, bool GpuSpec::*> to;
  double min, max;
  // For figures that a file may lack: the source of the default. nullptr: every file must have it.
  const char* otherwise = nullptr;
};
// The one list of figures. Every file must have each figure with its source, unless the row has a source for the
// default.
const std::vector<Figure>& figures() {
  static const std::vector<Figure> list = {
      {"year", &GpuSpec::year, 2006, 2100},
      {"compute_capability", &GpuSpec::compute_capability, 10, 999},
      {"sm_count", &GpuSpec::sm_count, 1, 4096},
      {"clock_mhz", &GpuSpec::clock_mhz, 100, 10000},
      {"memory_bytes", &GpuSpec::memory_bytes, 1 << 20, 1e15},
      {"dram_gbs", &GpuSpec::dram_gbs, 1, 1e6},
      {"dram_stream_gbs", &GpuSpec::dram_stream_gbs, 1, 1e6},
      {"l2_bytes", &GpuSpec::l2_bytes, 0, 1e12},
      {"l2_partitions", &GpuSpec::l2_partitions, 1, 2},
      {"l2_gbs", &GpuSpec::l2_gbs, 0, 1e6},
      {"l1_bytes_per_sm", &GpuSpec::l1_bytes_per_sm, 0, 1e9},
      {"l1_bytes_per_clock_per_sm", &GpuSpec::l1_bytes_per_clock_per_sm, 0, 4096},
      {"texture_bytes_per_sm", &GpuSpec::texture_bytes_per_sm, 0, 1e9},
      {"shared_bytes_per_sm", &GpuSpec::shared_bytes_per_sm, 1024, 1e9},
      {"shared_bytes_per_block", &GpuSpec::shared_bytes_per_block, 1024, 1e9},
      {"line_bytes", &GpuSpec::line_bytes, 128, 128},  // the cache model supports no other size of lines
      {"sector_bytes", &GpuSpec::sector_bytes, 32, 128},
      {"dram_granule_bytes", &GpuSpec::dram_granule_bytes, 32, 128},
      {"l1_caches_global", &GpuSpec::l1_caches_global, 0, 1},
      {"ecc_in_memory", &GpuSpec::ecc_in_memory, 0, 1, "ECC is off, or not known to be on, or the memory is HBM"},
      {"coalesce_lanes", &GpuSpec::coalesce_lanes, 16, 32},
      {"max_threads_per_sm", &GpuSpec::max_threads_per_sm, 32, 65536},
      {"max_blocks_per_sm", &GpuSpec::max_blocks_per_sm, 1, 1024},
      {"max_threads_per_block", &GpuSpec::max_threads_per_block, 32, 65536},
      {"peak_f32_gflops", &GpuSpec::peak_f32_gflops, 1, 1e9},
      {"peak_f64_gflops", &GpuSpec::peak_f64_gflops, 0, 1e9},
      {"dram_latency_ns", &GpuSpec::dram_latency_ns, 10, 1e5},
      {"l2_latency_ns", &GpuSpec::l2_latency_ns, 0, 1e5},
      {"l1_latency_ns", &GpuSpec::l1_latency_ns, 0, 1e5},
      {"launch_us", &GpuSpec::launch_us, 0.01, 1e3},
      {"issues_per_step", &GpuSpec::issues_per_step, 1, 100, "each kernel as nvcc 13.0 compiles it for sm_90"},
      {"loads_in_flight", &GpuSpec::loads_in_flight, 1, 64, "each kernel as nvcc 13.0 compiles it for sm_90"},
  };
  return list;
}

void require(bool ok, const std::string& what, const std::string& path) {
  if (!ok) throw Error(what, path, "compare with the other files in assets/gpus");
}

double number_of(const Json& value, const std::string& id, const std::string& path) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  require(value.is_number(), "figure " + id + " is not a number", path);
  return value.get<double>();
}

void read_figure(GpuSpec& gpu, const Figure& f, const Json& all, const std::string& path) {
  const std::string id = f.id;
  if (f.otherwise && !all.contains(id)) {
    gpu.sources[id] = f.otherwise;
    return;
  }
  require(all.contains(id), "figure " + id + " is missing", path);
  const Json& j = all.at(id);
  require(j.is_object() && j.contains("value") && j.contains("source"), "figure " + id + " needs value and source",
          path);
  const bool sourced = j.at("source").is_string() && !j.at("source").get<std::string>().empty();
  require(sourced, "figure " + id + " names no source", path);
  const double v = number_of(j.at("value"), id, path);
  require(v >= f.min && v <= f.max, "figure " + id + " = " + json_text(j.at("value"), -1) + " makes no sense", path);
  std::visit(
      [&](auto member) {
        using T = std::decay_t<decltype(gpu.*member)>;
        if constexpr (std::is_same_v<T, int>) require(v == std::floor(v), "figure " + id + " is not whole", path);
        gpu.*member = static_cast<T>(v);
      },
      f.to);
  gpu.sources[id] = j.at("source").get<std::string>();
}

bool power_of_two(int v) { return (v & (v - 1)) == 0; }

// Figures that only make sense together.
void check_whole(const GpuSpec& g, const std::string& path) {
  require((g.l2_bytes > 0) == (g.l2_gbs > 0) && (g.l2_bytes > 0) == (g.l2_latency_ns > 0),
          "l2_bytes, l2_gbs and l2_latency_ns must all be 0 or none", path);
  const bool has_l1 = g.l1_bytes_per_sm > 0 || g.texture_bytes_per_sm > 0;
  require(has_l1 == (g.l1_bytes_per_clock_per_sm > 0) && has_l1 == (g.l1_latency_ns > 0),
          "a cache in the SM needs l1_bytes_per_clock_per_sm and l1_latency_ns, and they need a cache", path);
  require(!g.l1_caches_global || g.l1_bytes_per_sm > 0, "l1_caches_global needs l1_bytes_per_sm", path);
  require(power_of_two(g.sector_bytes) && power_of_two(g.dram_granule_bytes) && power_of_two(g.coalesce_lanes),
          "sector_bytes, dram_granule_bytes and coalesce_lanes must be powers of two", path);
  require(g.dram_stream_gbs <= g.dram_gbs, "dram_stream_gbs is above dram_gbs", path);
  require(g.max_threads_per_block <= g.max_threads_per_sm, "max_threads_per_block is above max_threads_per_sm", path);
  require(g.shared_bytes_per_block <= g.shared_bytes_per_sm, "shared_bytes_per_block is above shared_bytes_per_sm",
          path);
}

std::string text_at(const Json& j, const char* key, const std::string& path) {
  const bool ok = j.contains(key) && j.at(key).is_string() && !j.at(key).get<std::string>().empty();
  require(ok, std::string("\"") + key + "\" is missing", path);
  return j.at(key).get<std::string>();
}

}  // namespace

double dram_copy_gbs(const GpuSpec& gpu) { return gpu.dram_stream_gbs * (gpu.ecc_in_memory ? 5.0 / 4 : 1); }

std::optional<double> figure_of(const GpuSpec& gpu, const std::string& id) {
  for (const Figure& f : figures())
    if (id == f.id) return std::visit([&](auto member) { return static_cast<double>(gpu.*member); }, f.to);
  return std::nullopt;
}

GpuSpec read_gpu_spec(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  const std::string text = read_file(path, kMostBytes, {"description of a GPU", "install Warpspy again"});
  const Json j = Json::parse(text, nullptr, false);
  require(j.is_object() && !nested_deeply(text), "this is not JSON", path);
  GpuSpec gpu;
  gpu.id = text_at(j, "id", path);
  gpu.name = text_at(j, "name", path);
  gpu.architecture = text_at(j, "architecture", path);
  require(j.contains("figures") && j.at("figures").is_object(), "\"figures\" is missing", path);
  for (const Figure& f : figures()) read_figure(gpu, f, j.at("figures"), path);
  for (const auto& [id, value] : j.at("figures").items())
    require(gpu.sources.count(id) == 1, "figure " + id + " is unknown", path);
  check_whole(gpu, path);
  return gpu;
}

std::vector<GpuSpec> read_gpu_specs(const std::string& folder) {
  std::error_code failed;
  std::vector<GpuSpec> gpus;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".json") gpus.push_back(read_gpu_spec(entry.path().string()));
  if (failed) throw Error("cannot read the folder of simulated GPUs", folder, failed.message());
  std::sort(gpus.begin(), gpus.end(),
            [](const GpuSpec& a, const GpuSpec& b) { return a.year != b.year ? a.year < b.year : a.id < b.id; });
  return gpus;
}

}  // namespace warpspy
