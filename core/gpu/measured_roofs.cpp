#include "core/gpu/measured_roofs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

[[noreturn]] void refuse(const std::string& why) {
  throw Error("these are no measured roofs: " + why, {}, "measure again: warpspy roofs");
}

double positive(const Json& j, const char* key) {
  if (!j.contains(key) || !j.at(key).is_number()) refuse(std::string(key) + " is missing");
  const double v = j.at(key).get<double>();
  if (!std::isfinite(v) || v <= 0) refuse(std::string(key) + " is not above 0");
  return v;
}

std::string text(const Json& j, const char* key) {
  if (!j.contains(key) || !j.at(key).is_string()) refuse(std::string(key) + " is missing");
  return j.at(key).get<std::string>();
}

const Json& list(const Json& j, const char* key) {
  if (!j.contains(key) || !j.at(key).is_array()) refuse(std::string(key) + " is missing");
  return j.at(key);
}

bool known(const std::string& id) {
  const auto& all = roof_figures();
  return std::any_of(all.begin(), all.end(), [&](const RoofFigureInfo& f) { return f.id == id; });
}

std::string rounded(double value, const char* unit) {
  char out[64];
  std::snprintf(out, sizeof out, "%.0f %s", value, unit);
  return out;
}

}  // namespace

const std::vector<RoofFigureInfo>& roof_figures() {
  static const std::vector<RoofFigureInfo> table = {
      {"dram_copy", "DRAM, copy (read + write)", "GB/s"},
      {"dram_read", "DRAM, read", "GB/s"},
      {"dram_triad", "DRAM, triad a = b + s c", "GB/s"},
      {"l2_read", "L2, read", "GB/s"},
      {"l1_read", "L1, read", "GB/s"},
      {"shared_read", "shared memory, read", "GB/s"},
      {"fma_f32", "f32 multiply-add", "GFLOP/s"},
      {"fma_f64", "f64 multiply-add", "GFLOP/s"},
      {"launch_stream", "launch in a stream", "us"},
      {"launch_graph", "launch in a graph", "us"},
  };
  return table;
}

const MeasuredFigure* MeasuredRoofs::figure(const std::string& id) const {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const MeasuredFigure& f) { return f.id == id; });
  return at == figures.end() ? nullptr : &*at;
}

std::string MeasuredRoofs::origin() const {
  std::string s = "measured " + date.substr(0, 10) + ", CUDA " + driver + " driver";
  if (sm_mhz > 0) s += ", SM " + rounded(sm_mhz, "MHz");
  if (memory_mhz > 0) s += ", memory " + rounded(memory_mhz, "MHz");
  return s;
}

std::string to_json(const MeasuredRoofs& m) {
  Json j = {{"version", version},
            {"device", m.device},
            {"uuid", m.uuid},
            {"driver", m.driver},
            {"date", m.date},
            {"sm_mhz", m.sm_mhz},
            {"memory_mhz", m.memory_mhz},
            {"provenance", "measured"},
            {"figures", Json::array()},
            {"working_set_curve", Json::array()}};
  for (const MeasuredFigure& f : m.figures) {
    const auto& all = roof_figures();
    const auto info = std::find_if(all.begin(), all.end(), [&](const RoofFigureInfo& i) { return i.id == f.id; });
    j["figures"].push_back({{"id", f.id},
                            {"value", f.value},
                            {"unit", info == all.end() ? "" : info->unit},
                            {"noise", f.noise},
                            {"how", f.how}});
  }
  for (const WorkingSetPoint& p : m.curve) j["working_set_curve"].push_back({{"bytes", p.bytes}, {"gbs", p.gbs}});
  return json_text(j);
}

MeasuredRoofs measured_roofs_from_json(const std::string& from) {
  const Json j = Json::parse(from, nullptr, false);
  if (!j.is_object() || nested_deeply(from)) refuse("this is not JSON");
  if (j.value("version", Json(0)) != Json(version)) refuse("another version wrote them");
  MeasuredRoofs m;
  m.device = text(j, "device");
  m.uuid = text(j, "uuid");
  m.driver = text(j, "driver");
  m.date = text(j, "date");
  if (m.device.empty() || m.date.size() < 10) refuse("they do not say of which device or when");
  const auto clock = [&](const char* key) {
    return j.contains(key) && j.at(key).is_number() ? j.at(key).get<double>() : 0;
  };
  m.sm_mhz = clock("sm_mhz");
  m.memory_mhz = clock("memory_mhz");
  for (const Json& f : list(j, "figures")) {
    MeasuredFigure one{text(f, "id"), positive(f, "value"), 0, text(f, "how")};
    if (!known(one.id)) refuse("figure " + one.id + " is unknown");
    if (m.figure(one.id)) refuse("figure " + one.id + " stands there twice");
    if (f.contains("noise") && f.at("noise").is_number()) one.noise = f.at("noise").get<double>();
    m.figures.push_back(std::move(one));
  }
  for (const Json& p : list(j, "working_set_curve")) {
    m.curve.push_back({positive(p, "bytes"), positive(p, "gbs")});
    if (m.curve.size() > 1 && m.curve.back().bytes <= m.curve[m.curve.size() - 2].bytes) refuse("the curve falls back");
  }
  return m;
}

}  // namespace warpspy
