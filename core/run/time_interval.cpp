#include "core/run/time_interval.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace warpspy {
namespace {

constexpr const char *kLower = "interval_lower", *kUpper = "interval_upper", *kSamples = "interval_samples";

std::string ends_text(const TimeInterval& t, const char* unit) {
  char text[80];
  std::snprintf(text, sizeof text, "%.3g to %.3g %s", t.lower_us, t.upper_us, unit);
  return text;
}

const Detail* samples_of(const RunRecord& r) {
  const auto at = std::find_if(r.details.begin(), r.details.end(), [](const Detail& d) { return d.id == kSamples; });
  return at == r.details.end() ? nullptr : &*at;
}

}  // namespace

void tell_interval(RunRecord& r, const TimeInterval& interval) {
  r.details.push_back({kLower, "90 % of such times: from", {interval.lower_us, "us", Provenance::modelled}});
  r.details.push_back({kUpper, "90 % of such times: to", {interval.upper_us, "us", Provenance::modelled}});
  r.details.push_back({kSamples, interval.like, {static_cast<double>(interval.samples), "1", Provenance::measured}});
}

void tell_no_interval(RunRecord& r, const std::string& reason) {
  r.details.push_back({kSamples, reason, {0, "1", Provenance::measured}});
}

std::optional<TimeInterval> interval_of(const RunRecord& r) {
  const Quantity *lower = r.detail(kLower), *upper = r.detail(kUpper);
  const Detail* samples = samples_of(r);
  if (!lower || !upper || !samples) return {};
  return TimeInterval{lower->value, upper->value, static_cast<std::size_t>(std::max(0.0, samples->quantity.value)),
                      samples->label};
}

std::string why_no_interval(const RunRecord& r) {
  if (interval_of(r)) return {};
  if (const Detail* samples = samples_of(r)) return samples->label;
  if (r.solve || !r.parts.empty()) return "intervals are of single products on one GPU";
  return "the run did not record it";
}

std::string interval_text(const RunRecord& r) {
  if (r.time.provenance != Provenance::modelled) return {};
  const std::optional<TimeInterval> t = interval_of(r);
  if (!t) return "unavailable: " + why_no_interval(r);
  return ends_text(*t, "us") + ", from " + std::to_string(t->samples) + " measured products (" + t->like + ")";
}

std::string why_not_told_apart(const RunRecord& one, const RunRecord& other) {
  const auto measured = [](const RunRecord& r) { return r.time.provenance != Provenance::modelled; };
  const auto ends = [&](const RunRecord& r) {
    return measured(r) ? TimeInterval{r.time.value, r.time.value, 0, {}} : interval_of(r);
  };
  const std::optional<TimeInterval> a = ends(one), b = ends(other);
  if (!a || !b || (measured(one) && measured(other)) || a->upper_us < b->lower_us || b->upper_us < a->lower_us)
    return {};
  const auto words = [&](const RunRecord& r, const TimeInterval& t) {
    char text[48];
    std::snprintf(text, sizeof text, "takes %.3g \xC2\xB5s", r.time.value);
    return measured(r) ? std::string(text) : "may take " + ends_text(t, "\xC2\xB5s");
  };
  return words(one, *a) + ", and " + other.kernel_label + " " + words(other, *b) +
         ": the model does not tell which is faster";
}

bool is_of_interval(const Detail& d) { return std::string_view(d.id).starts_with("interval_"); }

}  // namespace warpspy
