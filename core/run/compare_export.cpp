#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/run/compare.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

Json maybe(const std::optional<double>& v) { return v && std::isfinite(*v) ? Json(*v) : Json(); }
std::string field(const std::optional<double>& v) { return v ? csv::number(*v) : ""; }

}  // namespace

std::string to_csv(const RunComparison& c) {
  std::string out;
  csv::add_line(out, {"quantity", "label", "run", "kernel", "value", "unit", "provenance", "noise_percent", "delta",
                      "delta_percent", "verdict", "reason"});
  for (const Difference& d : c.differences)
    for (std::size_t k = 0; k < c.ids.size(); ++k)
      csv::add_line(out,
                    {"setting", d.label, std::to_string(c.ids[k]), c.names[k], d.runs[k], "", "", "", "", "", "", ""});
  for (const DeltaRow& row : c.rows)
    for (std::size_t k = 0; k < c.ids.size(); ++k) {
      const Delta& d = row.runs[k];
      csv::add_line(out, {row.id, row.label, std::to_string(c.ids[k]), c.names[k], field(d.value), row.unit,
                          d.value ? name_of(d.provenance) : "unavailable", field(d.noise), field(d.absolute),
                          field(d.percent), name_of(d.verdict), d.reason});
    }
  return out;
}

std::string to_json(const RunComparison& c) {
  Json runs = Json::array(), settings = Json::array(), rows = Json::array();
  for (std::size_t k = 0; k < c.ids.size(); ++k) runs.push_back({{"run", c.ids[k]}, {"kernel", c.names[k]}});
  for (const Difference& d : c.differences) settings.push_back({{"label", d.label}, {"values", d.runs}});
  for (const DeltaRow& row : c.rows) {
    Json cells = Json::array();
    for (std::size_t k = 0; k < c.ids.size(); ++k) {
      const Delta& d = row.runs[k];
      Json cell = {{"run", c.ids[k]}, {"value", maybe(d.value)}};
      if (d.value)
        cell["provenance"] = name_of(d.provenance);
      else
        cell["unavailable"] = d.reason;
      cell["noise_percent"] = maybe(d.noise);
      cell["delta"] = maybe(d.absolute);
      cell["delta_percent"] = maybe(d.percent);
      cell["verdict"] = name_of(d.verdict);
      cells.push_back(std::move(cell));
    }
    rows.push_back({{"quantity", row.id}, {"label", row.label}, {"unit", row.unit}, {"runs", std::move(cells)}});
  }
  const Json document = {{"baseline", c.ids.front()},
                         {"runs", runs},
                         {"settings", settings},
                         {"quantities", rows},
                         {"warnings", c.warnings}};
  return json_text(document);
}

}  // namespace warpspy
