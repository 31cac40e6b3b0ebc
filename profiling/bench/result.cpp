#include "profiling/bench/result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/base/json_text.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

Json quantity(double value, const char* unit, Provenance from) {
  return {{"value", value}, {"unit", unit}, {"provenance", name_of(from)}};
}

// Whole numbers without ".0": "coop": 4.
Json params_json(const ParamSet& params) {
  Json j = Json::object();
  for (const auto& [id, value] : params)
    j[id] =
        value == std::floor(value) && std::fabs(value) < 9e15 ? Json(static_cast<std::int64_t>(value)) : Json(value);
  return j;
}

Json side_json(const BenchSide& s, const BenchRow& row, const BenchReport& report) {
  Json j = {{"kernel", s.kernel},
            {"label", s.label},
            {"format", s.format},
            {"params", params_json(s.params)},
            {"format_params", params_json(s.format_params)},
            {"time_us", s.us},
            {"time_how", s.how},
            {"minimum_bytes", quantity(s.minimum_bytes, "B", Provenance::modelled)},
            {"error_of_bound", s.error_of_bound},
            {"prepared", s.preparation.us ? quantity(*s.preparation.us, "us", s.preparation.provenance)
                                          : Json({{"unavailable", s.preparation.reason}})}};
  const std::optional<double> products = prepared_products(s, row);
  j["prepared_products"] =
      products ? quantity(*products, "1", Provenance::derived) : Json({{"unavailable", why_not_prepared(s, row)}});
  Json details = {{"time", quantity(s.us, "us", s.from)}};
  for (const Detail& d : s.details)
    details[d.id] = quantity(d.quantity.value, d.quantity.unit.c_str(), d.quantity.provenance);
  j["quantities"] = std::move(details);
  j["clocks"] = s.clock_note;
  if (!report.copy) return j;
  j["share_of_copy"] = quantity(share_of_copy(s, report), "1", Provenance::derived);
  j["floor"] = quantity(floor_us(s, row, report), "us", Provenance::derived);
  return j;
}

Json row_json(const BenchRow& r, const BenchReport& report) {
  Json j = {{"matrix", r.matrix},
            {"rows", r.rows},
            {"cols", r.cols},
            {"nnz", r.nnz},
            {"precision", name_of(r.precision)},
            {"cache_state", name_of(r.state)},
            {"operation", name_of(r.operation)},
            {"own", r.own ? side_json(*r.own, r, report) : Json()},
            {"in_order", r.in_order ? side_json(*r.in_order, r, report) : Json()},
            {"library", r.library ? side_json(*r.library, r, report) : Json()},
            {"csr", r.csr ? side_json(*r.csr, r, report) : Json()},
            {"remembered", r.remembered}};
  const auto ratio = [&](const std::optional<BenchSide>& ours, const Ratio& of) {
    if (!ours || !r.library) return Json();
    return Json({{"value", of.value},
                 {"q1", of.low},
                 {"q3", of.high},
                 {"unit", "1"},
                 {"provenance", name_of(Provenance::derived)}});
  };
  j["ratio"] = ratio(r.own, r.ratio);
  const std::optional<double> waiting = in_order_ratio(r);
  j["ratio_in_order"] = waiting ? quantity(*waiting, "1", Provenance::derived) : Json();
  if (r.stored) {
    j["stored_transpose"] = side_json(*r.stored, r, report);
    const std::optional<double> after = r.own ? pays_off_after(*r.stored, *r.own) : std::nullopt;
    j["stored_transpose"]["pays_off_after"] = after ? quantity(*after, "1", Provenance::derived) : Json();
  }
  if (r.gathered_bytes > 0) j["gathered_bytes"] = quantity(r.gathered_bytes, "B", Provenance::modelled);
  j["candidates"] = {{"timed", r.tried}, {"left_out", r.left_out}};
  j["notes"] = r.notes;
  for (const BenchTrial& t : r.trials)
    j["trials"].push_back({{"kernel", t.kernel},
                           {"params", params_json(t.params)},
                           {"format_params", params_json(t.format_params)},
                           {"time", quantity(t.us, "us", t.from)},
                           {"spent", quantity(t.spent_ms, "ms", Provenance::measured)}});
  return j;
}

// Only parameters that differ between candidates of a kernel, such as "coop 8 block_size 256".
std::string short_params(const BenchSide& s) {
  std::string text;
  for (const ParamSet* set : {&s.params, &s.format_params})
    for (const auto& [id, value] : *set) {
      char number[32];
      std::snprintf(number, sizeof number, "%g", value);
      text += (text.empty() ? "" : " ") + id + "=" + number;
    }
  return text;
}

double copied_us(const BenchSide& side, const BenchReport& report) {
  return report.copy && report.copy->gbs > 0 ? side.minimum_bytes / report.copy->gbs * 1e-3 : 0;
}

// x is read in stripes of neighbouring elements, and nothing is gathered.
bool by_stripes(const BenchSide& side) { return side.params.contains("x_kib") || side.params.contains("stripe_kib"); }

std::string name_in_table(const std::string& matrix) {
  const std::size_t slash = matrix.find_last_of('/');
  const std::string name = slash == std::string::npos ? matrix : matrix.substr(slash + 1);
  return name.size() > 24 ? "..." + name.substr(name.size() - 21) : name;
}

}  // namespace

double floor_us(const BenchSide& side, const BenchRow& row, const BenchReport& report) {
  const double copied = copied_us(side, report);
  if (!report.l2 || row.gathered_bytes <= 0 || by_stripes(side)) return copied;
  const double x = static_cast<double>(row.cols) * static_cast<double>(bytes_of(row.precision));
  const double read = std::max(0.0, side.minimum_bytes - x) / report.l2->read_gbs;
  return std::max(copied, (read + row.gathered_bytes / report.l2->gather_gbs) * 1e-3);
}
double share_of_copy(const BenchSide& side, const BenchReport& report) {
  return side.us > 0 ? copied_us(side, report) / side.us : 0;
}
std::optional<double> prepared_products(const BenchSide& side, const BenchRow& row) {
  if (!side.preparation.us || !row.csr) return std::nullopt;
  return in_products(*side.preparation.us, row.csr->us);
}

std::string why_not_prepared(const BenchSide& side, const BenchRow& row) {
  if (!side.preparation.us) return side.preparation.reason;
  return row.csr ? "" : "no kernel of ours that reads CSR was timed";
}

void overlap_where_it_wins(BenchRow& r) {
  if (!r.own || !r.in_order || r.own->us <= r.in_order->us) return;
  r.own = std::move(r.in_order);
  r.in_order.reset();
  r.ratio = r.ratio_in_order;
}

std::optional<double> pays_off_after(const BenchSide& stored, const BenchSide& own) {
  if (!stored.preparation.us || !own.preparation.us) return std::nullopt;
  return pays_off_after(ProductCost{*stored.preparation.us, stored.us}, ProductCost{*own.preparation.us, own.us});
}

std::string stored_line(const BenchRow& r) {
  if (!r.stored || !r.own) return "";
  char text[240];
  const PreparationTime& p = r.stored->preparation;
  if (!p.us) {
    std::snprintf(text, sizeof text, "  a stored transpose: %.2f us (%s), %.2f times as fast; its preparation: %s",
                  r.stored->us, r.stored->kernel.c_str(), r.own->us / r.stored->us, p.reason.c_str());
    return text;
  }
  const std::optional<double> after = pays_off_after(*r.stored, *r.own);
  std::snprintf(text, sizeof text, "  a stored transpose: %.2f us (%s), %.2f times as fast, prepared in %.0f us; %s",
                r.stored->us, r.stored->kernel.c_str(), r.own->us / r.stored->us, *p.us,
                after ? ("pays off after " + std::to_string(std::llround(std::ceil(*after))) + " products").c_str()
                      : "never pays off");
  return text;
}

std::optional<double> in_order_ratio(const BenchRow& r) {
  if (r.in_order && r.library) return r.ratio_in_order.value;
  if (!r.own || !r.library) return std::nullopt;
  const auto overlap = r.own->params.find("overlap");
  if (overlap != r.own->params.end() && overlap->second != 0) return std::nullopt;
  return r.ratio.value;
}

std::string table_head() {
  char line[300];
  std::snprintf(line, sizeof line, "%-24s %-4s %-5s %-4s %9s %9s %9s %7s %-15s %8s %6s %8s  %-18s %-24s %s", "matrix",
                "", "L2", "", "own us", "lib us", "floor us", "ratio", "quartiles", "in order", "copy", "prepared",
                "own kernel", "library kernel", "own parameters");
  return line;
}

std::string table_line(const BenchRow& r, const BenchReport& report) {
  const auto number = [](const std::optional<BenchSide>& s, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return s ? std::string(text) : std::string("-");
  };
  const bool both = r.own && r.library;
  char quartiles[32], share[16], ratio[16], in_order[16], prepared[16], line[700];
  const std::optional<double> waiting = in_order_ratio(r);
  std::snprintf(in_order, sizeof in_order, "%.3f", waiting.value_or(0));
  const std::optional<double> products = r.own ? prepared_products(*r.own, r) : std::nullopt;
  std::snprintf(prepared, sizeof prepared, products ? "%.0f" : "-", products.value_or(0));
  std::snprintf(ratio, sizeof ratio, "%.3f", r.ratio.value);
  std::snprintf(quartiles, sizeof quartiles, "%.3f..%.3f", r.ratio.low, r.ratio.high);
  std::snprintf(share, sizeof share, "%.0f %%", r.own ? 100 * share_of_copy(*r.own, report) : 0);
  std::snprintf(line, sizeof line, "%-24s %-4s %-5s %-4s %9s %9s %9s %7s %-15s %8s %6s %8s  %-18s %-24s %s",
                name_in_table(r.matrix).c_str(), name_of(r.precision), name_of(r.state),
                r.operation == Operation::transposed_product ? "A^T" : "A",
                number(r.own, r.own ? r.own->us : 0).c_str(), number(r.library, r.library ? r.library->us : 0).c_str(),
                number(r.own, r.own ? floor_us(*r.own, r, report) : 0).c_str(), both ? ratio : "-",
                both ? quartiles : "-", waiting ? in_order : "-", r.own && report.copy ? share : "-", prepared,
                r.own ? r.own->kernel.c_str() : "-", r.library ? r.library->kernel.c_str() : "-",
                r.own ? short_params(*r.own).c_str() : "");
  return line;
}

std::string summary(const BenchReport& report) {
  struct Group {
    double logs = 0, least = 1e300;
    int count = 0, below = 0;
  };
  std::map<std::tuple<Operation, Precision, CacheState>, Group> groups;
  for (const BenchRow& r : report.rows) {
    if (!r.own || !r.library || !(r.ratio.value > 0)) continue;
    Group& g = groups[{r.operation, r.precision, r.state}];
    g.logs += std::log(r.ratio.value);
    g.least = std::min(g.least, r.ratio.value);
    ++g.count;
    g.below += r.ratio.value < 0.98;
  }
  std::string text;
  for (const auto& [key, g] : groups) {
    const auto& [operation, precision, state] = key;
    char line[200];
    std::snprintf(
        line, sizeof line, "%s, %s, %s: geometric mean %.3f over %d matrices, least %.3f, %d of them below 0.98\n",
        name_of(operation), name_of(precision), name_of(state), std::exp(g.logs / g.count), g.count, g.least, g.below);
    text += line;
  }
  return text.empty() ? "no matrix has both a product of ours and one of the library's\n" : text;
}

std::string to_json(const BenchReport& report) {
  Json rows = Json::array();
  for (const BenchRow& r : report.rows) rows.push_back(row_json(r, report));
  Json j = {{"started", report.started},
            {"in_order", report.in_order},
            {"compact", report.compact},
            {"device", report.device.name},
            {"driver_version", report.driver_version},
            {"against", report.against},
            {"library_version", report.library_version}};
  j["copy_bandwidth"] = report.copy ? quantity(report.copy->gbs, "GB/s", Provenance::measured) : Json();
  if (report.copy) j["copy_bandwidth"]["bytes"] = report.copy->bytes;
  if (report.l2) {
    j["l2_read"] = quantity(report.l2->read_gbs, "GB/s", Provenance::measured);
    j["l2_gather"] = quantity(report.l2->gather_gbs, "GB/s", Provenance::measured);
    j["l2_read"]["bytes"] = j["l2_gather"]["bytes"] = report.l2->bytes;
  }
  j["rows"] = std::move(rows);
  return json_text(j);
}

}  // namespace warpspy
