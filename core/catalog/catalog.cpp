#include "core/catalog/catalog.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warpspy {
namespace {

template <class Info>
const Info* by_id(const std::vector<Info>& list, const std::string& id) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const Info& i) { return i.id == id; });
  return at == list.end() ? nullptr : &*at;
}

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
}

}  // namespace

ParamSet checked_params(const std::vector<ParamSpec>& specs, const ParamSet& given) {
  ParamSet result;
  for (const ParamSpec& spec : specs) result[spec.id] = spec.def;
  for (const auto& [id, value] : given) {
    const ParamSpec* spec = by_id(specs, id);
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

const FormatInfo* Catalog::format(const std::string& id) const { return by_id(formats, id); }
const KernelInfo* Catalog::kernel(const std::string& id) const { return by_id(kernels, id); }
const MetricInfo* Catalog::metric(const std::string& id) const { return by_id(metrics, id); }
const DeviceInfo* Catalog::device(const std::string& id) const { return by_id(devices, id); }

}  // namespace warpspy
