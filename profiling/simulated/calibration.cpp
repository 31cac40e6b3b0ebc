#include "profiling/simulated/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <system_error>

#include "core/base/base64.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t bounds_told = 5;
constexpr double middle_us = 20, middle_waves = 2, middle_wait_us = 2;
// Chosen by leaving out matrices (docs/validation.md).
constexpr double of_another_kernel = 0.1, of_another_precision = 0.7, width = 0.5;
constexpr double least = 0.5, most = 2.5;

// Maps 0 to -1, `middle` to 0, and infinity to 1.
double placed(double amount, double middle) { return (amount - middle) / (amount + middle); }
double part(double one, double other) { return one + other > 0 ? one / (one + other) : 0; }

// A sample's traits and weight, 16 bits each, low byte first.
constexpr double units = 10000;
constexpr std::size_t numbers = product_traits + 1, bytes_of_sample = 2 * numbers;

void add_number(std::string& bytes, std::uint16_t n) {
  bytes += static_cast<char>(n & 0xFF);
  bytes += static_cast<char>(n >> 8);
}
void add_real(std::string& bytes, double v) {
  add_number(bytes,
             static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(std::clamp(v, -3.2, 3.2) * units))));
}
std::uint16_t number_at(const std::string& bytes, std::size_t at) {
  const auto low = static_cast<unsigned char>(bytes[at]), high = static_cast<unsigned char>(bytes[at + 1]);
  return static_cast<std::uint16_t>(low | high << 8);
}
double real_at(const std::string& bytes, std::size_t at) {
  return static_cast<std::int16_t>(number_at(bytes, at)) / units;
}

std::string packed(const std::vector<CalibrationSample>& samples) {
  std::string bytes;
  for (const CalibrationSample& s : samples) {
    for (const double trait : s.traits) add_real(bytes, trait);
    add_real(bytes, s.weight);
  }
  return base64(bytes);
}

// Of each sample: log_ratio, and the number of its matrix.
std::string packed_errors(const std::vector<CalibrationSample>& samples) {
  std::string bytes;
  for (const CalibrationSample& s : samples) {
    if (!s.error) return {};
    add_real(bytes, s.error->log_ratio);
    add_number(bytes, static_cast<std::uint16_t>(s.error->matrix));
  }
  return base64(bytes);
}

void unpack_errors(const std::string& text, std::size_t matrices, std::vector<CalibrationSample>& samples) {
  const std::optional<std::string> bytes = from_base64(text);
  if (!bytes || bytes->size() != 4 * samples.size()) throw Error("its errors are not one for each sample");
  for (std::size_t s = 0; s < samples.size(); ++s) {
    samples[s].error = SampleError{real_at(*bytes, 4 * s), number_at(*bytes, 4 * s + 2)};
    if (samples[s].error->matrix >= matrices) throw Error("a sample's matrix is not in its list");
  }
}

std::vector<CalibrationSample> unpacked(const std::string& text) {
  const std::optional<std::string> bytes = from_base64(text);
  if (!bytes || bytes->size() % bytes_of_sample != 0) throw Error("its samples are no whole ones");
  std::vector<CalibrationSample> samples(bytes->size() / bytes_of_sample);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t k = 0; k < product_traits; ++k)
      samples[s].traits[k] = real_at(*bytes, s * bytes_of_sample + 2 * k);
    samples[s].weight = real_at(*bytes, s * bytes_of_sample + 2 * product_traits);
  }
  return samples;
}

}  // namespace

ProductTraits traits_of(const TimeEstimate& t) {
  const double bounds[bounds_told] = {std::max(t.dram, t.l2), std::max(t.requests, t.l1), t.issue, t.latency,
                                      t.atomics};
  const double squares = std::inner_product(bounds, bounds + bounds_told, bounds, 0.0);
  ProductTraits traits{};
  if (squares > 0)
    for (std::size_t b = 0; b < bounds_told; ++b) traits[b] = bounds[b] * bounds[b] / squares;
  const double rest[] = {placed(t.total, middle_us),
                         placed(t.waves, middle_waves),
                         placed(t.block_wait, middle_wait_us),
                         t.longest_wait > 0 ? t.block_wait / t.longest_wait : 0,
                         part(t.dram, t.l2),
                         part(t.requests, t.l1)};
  std::copy(std::begin(rest), std::end(rest), traits.begin() + bounds_told);
  return traits;
}

std::size_t Calibration::samples() const {
  return std::accumulate(kernels.begin(), kernels.end(), std::size_t{0},
                         [](std::size_t sum, const KernelSamples& k) { return sum + k.samples.size(); });
}
std::size_t Calibration::samples_of(std::string_view kernel) const {
  return std::accumulate(kernels.begin(), kernels.end(), std::size_t{0}, [&](std::size_t sum, const KernelSamples& k) {
    return sum + (k.kernel == kernel ? k.samples.size() : 0);
  });
}
std::size_t Calibration::samples_left_out() const {
  return std::accumulate(left_out.begin(), left_out.end(), std::size_t{0},
                         [](std::size_t sum, const auto& of_kernel) { return sum + of_kernel.second; });
}

bool fits_this_program(const KernelSamples& s) try {
  if (s.code.empty() || s.code != kernel_code(s.kernel)) return false;
  checked_params(kernel_row(s.kernel).info.params, s.params);
  return true;
} catch (const Error&) {
  return false;  // this program has no such kernel, parameter or value
}

std::string to_json(const Calibration& c) {
  Json j;
  j["gpu"] = c.gpu;
  j["measured"] = c.measured;
  if (!c.matrices.empty()) j["matrices"] = c.matrices;
  j["kernels"] = Json::array();
  for (const KernelSamples& k : c.kernels) {
    Json& of_kernel = j["kernels"].emplace_back(
        Json{{"kernel", k.kernel}, {"code", k.code}, {"params", Json(k.params)}, {"samples", packed(k.samples)}});
    of_kernel["precision"] = k.precision;
    of_kernel["cache_state"] = k.cache_state;
    if (const std::string errors = packed_errors(k.samples); !errors.empty()) of_kernel["errors"] = errors;
  }
  return json_text(j) + "\n";
}

Calibration calibration_from_json(const std::string& text, const std::string& file,
                                  const std::function<bool(const KernelSamples&)>& fit) try {
  if (nested_deeply(text)) throw Error("it is nested too deeply");
  const Json j = Json::parse(text);
  Calibration c{j.at("gpu").get<std::string>(), j.at("measured").get<std::string>(), {}, {}, {}};
  if (j.contains("matrices")) c.matrices = j.at("matrices").get<std::vector<std::string>>();
  for (const Json& k : j.at("kernels")) {
    KernelSamples s{k.at("kernel").get<std::string>(), k.at("code").get<std::string>(), k.at("params").get<ParamSet>(),
                    unpacked(k.at("samples").get<std::string>())};
    s.precision = k.value("precision", s.precision);
    s.cache_state = k.value("cache_state", s.cache_state);
    if (k.contains("errors")) unpack_errors(k.at("errors").get<std::string>(), c.matrices.size(), s.samples);
    if (fit(s))
      c.kernels.push_back(std::move(s));
    else
      c.left_out[s.kernel] += s.samples.size();
  }
  return c;
} catch (const Json::exception& e) {
  throw Error(std::string("these are no calibration samples: ") + json_problem(e), file, "install Warpspy again");
} catch (const Error& e) {
  throw Error("these are no calibration samples: " + e.reason, file, "install Warpspy again");
}

std::map<std::string, Calibration> read_calibrations(const std::string& assets) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 26;
  std::map<std::string, Calibration> all;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(assets + "/calibration", none)) {
    const std::string file = entry.path().string();
    if (entry.path().extension() != ".json") continue;
    Calibration c = calibration_from_json(
        read_file(file, most_bytes, {"calibration samples of a GPU", "install Warpspy again"}), file);
    all[c.gpu] = std::move(c);
  }
  return all;
}

double distance_squared(const ProductTraits& a, const ProductTraits& b) {
  double sum = 0;
  for (std::size_t k = 0; k < product_traits; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

double likeness(bool same_kernel, bool same_precision, double distance_squared) {
  return (same_kernel ? 1 : of_another_kernel) * (same_precision ? 1 : of_another_precision) /
         (1 + distance_squared / (width * width));
}

double factor_within_limits(double factor) { return std::clamp(factor, least, most); }

double calibrated_factor(const Calibration& calibration, std::string_view kernel, Precision precision,
                         const ProductTraits& traits) {
  double more = 0;
  for (const KernelSamples& of_kernel : calibration.kernels) {
    const bool same_kernel = of_kernel.kernel == kernel, same_precision = of_kernel.precision == name_of(precision);
    for (const CalibrationSample& s : of_kernel.samples)
      more += s.weight * likeness(same_kernel, same_precision, distance_squared(traits, s.traits));
  }
  return factor_within_limits(1 + more);
}

std::string calibration_words(const Calibration* c, std::string_view kernel, double factor) {
  const std::size_t samples = c ? c->samples() : 0, left_out = c ? c->samples_left_out() : 0;
  char text[160];
  std::string words = "no calibration samples";
  if (samples > 0) {
    std::snprintf(text, sizeof text, "x %.3g by %zu calibration samples, %zu of this kernel", factor, samples,
                  c->samples_of(kernel));
    words = text;
  }
  if (left_out > 0) words += " (" + std::to_string(left_out) + " of other code or parameters left out)";
  return words;
}

}  // namespace warpspy
