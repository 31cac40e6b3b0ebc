#include "core/run/sweep_axes.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/csv.hpp"
#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kMostValues = 10'000;

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

double number_of(const std::string& text, const std::string& range) {
  const auto v = number_from<double>(text);
  if (!v)
    throw Error("the range " + range + " is not understood", {},
                "write LEAST:MOST, LEAST:MOST:STEP or LEAST:MOST:*FACTOR, such as 2:32:*2");
  return *v;
}

// Without a step, values grow by `by`, or double.
std::vector<double> between(const std::string& text, bool doubles, double by = 1) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() > 3) number_of("", text);
  const double least = number_of(parts[0], text), most = number_of(parts[1], text);
  const bool times = parts.size() == 3 ? parts[2].starts_with('*') : doubles;
  double step = doubles ? 2 : by;
  if (parts.size() == 3) step = number_of(parts[2].substr(times ? 1 : 0), text);
  const bool ends = times ? step > 1 && least > 0 : step > 0;
  if (!ends || least > most)
    throw Error("the range " + text + " has no end", {},
                "let it rise: a step above 0, or a factor above 1 from above 0");
  // A last value that rounding puts slightly past the end still counts.
  const double end = most + 1e-9 * (times ? most : step);
  std::vector<double> values;
  for (std::size_t k = 0;; ++k) {
    const double v = times ? least * std::pow(step, static_cast<double>(k)) : least + static_cast<double>(k) * step;
    if (v > end) return values;
    if (values.size() == kMostValues)
      throw Error("the range " + text + " has more than " + std::to_string(kMostValues) + " values", {},
                  "take larger steps");
    values.push_back(std::fabs(v - std::round(v)) < 1e-9 ? std::round(v) : v);
  }
}

// Of the axes that fit this parameter, the one that names its kernel or format.
const SweepPlan::Axis* axis_of(const SweepPlan& plan, const std::string& owner, const std::string& id) {
  const SweepPlan::Axis* found = nullptr;
  for (const SweepPlan::Axis& a : plan.params) {
    if (a.id == owner + "." + id) return &a;
    if (a.id == id) found = &a;
  }
  return found;
}

// Combines each set of parameters with each value of one more parameter.
void cross(std::vector<KernelParams>& all, ParamSet KernelParams::* set, const ParamSpec& spec,
           const SweepPlan::Axis& axis) {
  std::vector<KernelParams> next;
  for (const KernelParams& before : all)
    for (const std::string& text : axis.values)
      for (const double v : range_values(spec, text)) {
        next.push_back(before);
        (next.back().*set)[spec.id] = v;
        if (next.size() > kMostSweepCells)
          throw Error("the parameters have more than " + std::to_string(kMostSweepCells) + " combinations", {},
                      "take fewer values");
      }
  all = std::move(next);
}

std::string value_text(const ParamSpec& spec, double v) {
  const auto k = static_cast<std::size_t>(std::max(0.0, v));
  return spec.type == ParamSpec::Type::choice && k < spec.choices.size() ? spec.choices[k] : csv::number(v);
}

void add_turned(std::vector<Turned>& all, const SweepPlan& plan, const std::string& owner,
                const std::vector<ParamSpec>& specs, const ParamSet& set) {
  for (const ParamSpec& spec : specs) {
    const SweepPlan::Axis* axis = axis_of(plan, owner, spec.id);
    const auto at = set.find(spec.id);
    if (!axis || at == set.end()) continue;
    if (axis->values.size() > 1 || is_range(axis->values.front()))
      all.push_back({spec.id, value_text(spec, at->second), at->second});
  }
}

}  // namespace

std::string sweep_name(const RequestOption& option) {
  const std::string id = option.id;
  if (id == "live" || id == "lines" || id == "solution") return "";
  if (option.bare) return option.column ? option.column : id;
  return option.flag ? option.flag + 2 : id;
}

const RequestOption& sweep_option(const std::string& name) {
  std::string known;
  for (const RequestOption& o : request_options()) {
    const std::string is = sweep_name(o);
    if (is.empty()) continue;
    if (is == name) return o;
    known += (known.empty() ? "" : ", ") + is;
  }
  throw Error("a run has no option " + name, {}, "known: " + known);
}

bool is_range(const std::string& text) { return text.find(':') != std::string::npos; }

std::vector<double> range_values(const ParamSpec& spec, const std::string& text) {
  if (!is_range(text)) return {param_value(spec, text)};
  try {
    return between(text, spec.type == ParamSpec::Type::power_of_two,
                   spec.type == ParamSpec::Type::multiple ? spec.min : 1);
  } catch (const Error& e) {
    throw Error("parameter " + spec.id + ": " + e.reason, e.where, e.remedy);
  }
}

std::vector<double> range_values(const std::string& text) {
  if (!is_range(text)) return {number_of(text, text)};
  return between(text, false);
}

std::vector<std::string> kernels_of(const SweepPlan& plan, const Catalog& catalog) {
  std::vector<std::string> asked = plan.kernels;
  for (const std::string& format : plan.formats)
    for (const KernelInfo& k : catalog.kernels)
      if (k.format == format && k.operation == Operation::product && k.library.empty()) asked.push_back(k.id);
  const auto format = [&](const std::string& id) {
    const KernelInfo* k = catalog.kernel(id);
    return k ? k->format : id;
  };
  std::vector<std::string> order;
  for (const std::string& first : asked) {
    if (std::find(order.begin(), order.end(), first) != order.end()) continue;
    for (const std::string& other : asked)
      if (format(other) == format(first) && std::find(order.begin(), order.end(), other) == order.end())
        order.push_back(other);
  }
  return order;
}

std::vector<KernelParams> params_of(const SweepPlan& plan, const KernelInfo& kernel, const FormatInfo* format) {
  std::vector<KernelParams> all(1);
  if (format)
    for (const ParamSpec& spec : format->params)
      if (const SweepPlan::Axis* a = axis_of(plan, format->id, spec.id)) cross(all, &KernelParams::format, spec, *a);
  for (const ParamSpec& spec : kernel.params)
    if (const SweepPlan::Axis* a = axis_of(plan, kernel.id, spec.id)) cross(all, &KernelParams::kernel, spec, *a);
  return all;
}

std::vector<RunRequest> requests_of(const std::vector<SweepPlan::Axis>& options, const Catalog& catalog) {
  std::vector<RunRequest> all(1);
  for (const SweepPlan::Axis& axis : options) {
    const RequestOption& option = sweep_option(axis.id);
    std::vector<RunRequest> next;
    for (const RunRequest& before : all)
      for (const std::string& value : axis.values) {
        next.push_back(before);
        set_text(option, next.back(), value);
        if (next.size() > kMostSweepCells)
          throw Error("the options have more than " + std::to_string(kMostSweepCells) + " combinations", axis.id,
                      "take fewer values");
      }
    all = std::move(next);
  }
  for (RunRequest& r : all) r.device = device_meant(r.device, catalog);
  return all;
}

SweepPlan plan_of(const RunRequest& request, const SweepPlan::Of& matrix, const Catalog& catalog) {
  SweepPlan plan;
  plan.matrices = {matrix};
  plan.kernels = {request.kernel};
  const KernelInfo* kernel = catalog.kernel(request.kernel);
  const FormatInfo* format = kernel ? catalog.format(kernel->format) : nullptr;
  const auto add = [&](const std::string& owner, const std::vector<ParamSpec>& specs, const ParamSet& set) {
    for (const ParamSpec& spec : specs)
      if (const auto at = set.find(spec.id); at != set.end())
        SweepPlan::add(plan.params, owner + "." + spec.id, value_text(spec, at->second));
  };
  if (format) add(format->id, format->params, request.format_params);
  if (kernel) add(kernel->id, kernel->params, request.params);
  for (const RequestOption& o : request_options())
    if (const std::string name = sweep_name(o); !name.empty() && text_of(o, request) != text_of(o, RunRequest()))
      SweepPlan::add(plan.options, name, text_of(o, request));
  return plan;
}

std::vector<Turned> turned_in(const SweepPlan& plan, const SweepCell& cell, const Catalog& catalog) {
  std::vector<Turned> all;
  if (const KernelInfo* kernel = catalog.kernel(cell.request.kernel)) {
    if (const FormatInfo* format = catalog.format(kernel->format))
      add_turned(all, plan, format->id, format->params, cell.request.format_params);
    add_turned(all, plan, kernel->id, kernel->params, cell.request.params);
  }
  for (const SweepPlan::Axis& axis : plan.options)
    if (axis.values.size() > 1 && axis.id != "precision" && axis.id != "device")
      all.push_back({axis.id, text_of(sweep_option(axis.id), cell.request)});
  if (plan.repetitions > 1)
    all.push_back({"repetition", std::to_string(cell.repetition), static_cast<double>(cell.repetition)});
  return all;
}

std::string device_meant(const std::string& id, const Catalog& catalog) {
  if (id == "cuda") return "cuda:0";
  if (id != "auto") return id;
  for (const DeviceInfo& d : catalog.devices)
    if (!d.simulated && d.available) return d.id;
  return "sim:h200";
}

}  // namespace warpspy
