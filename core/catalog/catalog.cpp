#include "core/catalog/catalog.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/base/number_text.hpp"
#include "core/catalog/host.hpp"

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
const StrategyInfo* Catalog::strategy(const std::string& id) const { return by_id(strategies, id); }
const SourceFile* Catalog::source(const std::string& name) const {
  for (const SourceFile& f : sources)
    if (f.name == name) return &f;
  return nullptr;
}

const KernelInfo& Catalog::require_kernel(const std::string& id) const {
  if (const KernelInfo* k = kernel(id)) return *k;
  std::string known;
  for (const KernelInfo& k : kernels) known += (known.empty() ? "" : ", ") + k.id;
  throw Error("unknown kernel " + id, {}, "known: " + known);
}

std::string Catalog::why_not(const KernelInfo& kernel, const DeviceInfo& device) const {
  if (kernel.library.empty()) return {};
  if (device.simulated) return kernel.library + "'s code cannot be emulated: it runs on CUDA devices only";
  if (!host_of(device.id).empty()) return {};  // which libraries are there, the run says
  for (const LibraryInfo& l : libraries)
    if (l.name == kernel.library && !l.available) return l.name + ": " + l.reason + "; " + l.remedy;
  return {};
}

}  // namespace warpspy
