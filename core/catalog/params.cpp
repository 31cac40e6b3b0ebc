#include "core/catalog/params.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

std::string text_of(double v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.12g", v);
  return buffer;
}

void check(const ParamSpec& spec, double v) {
  const std::string range = text_of(spec.min) + " to " + text_of(spec.max);
  if (!(v >= spec.min && v <= spec.max))
    throw Error("parameter " + spec.id + " = " + text_of(v) + " is out of range", {}, "use " + range);
  if (spec.type != ParamSpec::Type::real && v != std::floor(v))
    throw Error("parameter " + spec.id + " = " + text_of(v) + " is not a whole number", {}, "use " + range);
  const auto n = static_cast<long long>(v);
  if (spec.type == ParamSpec::Type::power_of_two && (n & (n - 1)) != 0)
    throw Error("parameter " + spec.id + " = " + text_of(v) + " is not a power of two", {}, "use " + range);
  if (spec.type == ParamSpec::Type::multiple && std::fmod(v, spec.min) != 0)
    throw Error("parameter " + spec.id + " = " + text_of(v) + " is not a multiple of " + text_of(spec.min), {},
                "use " + range);
}

// "No L1" and "no-l1" are one name.
std::string plain_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

double param_value(const ParamSpec& spec, const std::string& text) {
  for (std::size_t i = 0; i < spec.choices.size(); ++i)
    if (plain_name(spec.choices[i]) == plain_name(text)) return static_cast<double>(i);
  if (const auto value = number_from<double>(text)) return *value;
  std::string known;
  for (const std::string& choice : spec.choices) known += (known.empty() ? "" : ", ") + plain_name(choice);
  throw Error("parameter " + spec.id + " = " + text + " is not a number", {},
              known.empty() ? "use " + text_of(spec.min) + " to " + text_of(spec.max) : "use one of " + known);
}

ParamSet checked_params(const std::vector<ParamSpec>& specs, const ParamSet& given) {
  ParamSet result;
  for (const ParamSpec& spec : specs) result[spec.id] = spec.def;
  for (const auto& [id, value] : given) {
    const ParamSpec* spec = spec_of(specs, id);
    if (!spec) {
      std::string known;
      for (const ParamSpec& s : specs) known += (known.empty() ? "" : ", ") + s.id;
      throw Error("unknown parameter " + id, {}, "known: " + (known.empty() ? "none" : known));
    }
    check(*spec, value);
    result[id] = value;
  }
  return result;
}

const ParamSpec* spec_of(const std::vector<ParamSpec>& specs, const std::string& id) {
  const auto at = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.id == id; });
  return at == specs.end() ? nullptr : &*at;
}

std::optional<double> value_on(const ParamSpec& spec, double value, const DeviceScale& device) {
  constexpr double kib_step = 4;
  if (spec.scale == ParamSpec::Scale::per_sm) value *= device.sm_count;
  if (spec.scale == ParamSpec::Scale::of_shared)
    value = std::floor(value * device.shared_bytes / 1024 / kib_step) * kib_step;
  if (spec.scale != ParamSpec::Scale::none && value <= 0) return std::nullopt;
  if (value < spec.min || value > spec.max) return std::nullopt;
  return value;
}

std::vector<double> tried_on(const ParamSpec& spec, const DeviceScale& device) {
  std::vector<double> values;
  for (const double v : spec.tried)
    if (const auto there = value_on(spec, v, device);
        there && std::find(values.begin(), values.end(), *there) == values.end())
      values.push_back(*there);
  return values;
}

std::optional<ParamSet> params_on(const Start& start, const std::vector<ParamSpec>& specs, const DeviceScale& device) {
  if (start.least_shared_kib * 1024 > device.shared_bytes) return std::nullopt;
  ParamSet set;
  for (const auto& [id, value] : start.params) {
    const ParamSpec* spec = spec_of(specs, id);
    const auto there = spec ? value_on(*spec, value, device) : std::nullopt;
    if (!there) return std::nullopt;
    set[id] = *there;
  }
  return set;
}

}  // namespace warpspy
