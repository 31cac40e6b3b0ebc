#include "core/sweep/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "core/run/sweep_axes.hpp"

namespace warpspy {
namespace {

using Record = std::shared_ptr<const RunRecord>;

struct Row {
  const SweepCell& cell;
  const RunRecord* record;  // nullptr: it has not run
  const Maker& by;
  // Whether the product ended well; otherwise there are no numbers.
  bool good() const { return record && cell.state == CellState::done; }
};

struct Column {
  std::string name;
  std::function<std::string(const Row&)> text;
};

std::string value_text(const ParamSpec* spec, double v) {
  const auto k = static_cast<std::size_t>(std::max(0.0, v));
  if (spec && spec->type == ParamSpec::Type::choice && k < spec->choices.size()) return spec->choices[k];
  return csv::number(v);
}

// A number from the record. Numbers that come from this machine's clock are in the last columns.
std::string quantity_text(const Quantity* q) { return q && std::isfinite(q->value) ? csv::number(q->value) : ""; }

void add_inputs(std::vector<Column>& columns, const Sweep& sweep, const Catalog& catalog) {
  columns.push_back({"matrix", [](const Row& r) { return r.cell.matrix_name; }});
  const auto size = [](const char* name, index_t RunRecord::* member) {
    return Column{name, [member](const Row& r) {
                    return r.record && r.record->rows > 0 ? std::to_string(r.record->*member) : std::string();
                  }};
  };
  columns.push_back(size("rows", &RunRecord::rows));
  columns.push_back(size("cols", &RunRecord::cols));
  columns.push_back(size("nnz", &RunRecord::nnz));
  columns.push_back({"kernel", [](const Row& r) { return r.cell.request.kernel; }});
  columns.push_back({"format", [&catalog](const Row& r) {
                       const KernelInfo* k = catalog.kernel(r.cell.request.kernel);
                       return k ? k->format : std::string();
                     }});
  // If a format and a kernel have a parameter of the same name, the format's gets the format's name added.
  std::set<std::string> of_kernels, of_formats;
  for (const SweepCell& c : sweep.cells()) {
    for (const auto& [id, value] : c.request.params) of_kernels.insert(id);
    for (const auto& [id, value] : c.request.format_params) of_formats.insert(id);
  }
  const auto param = [&](const std::string& name, const std::string& id, ParamSet RunRequest::* set, bool kernel) {
    columns.push_back({name, [&catalog, id, set, kernel](const Row& r) {
                         const ParamSet& params = r.cell.request.*set;
                         const auto at = params.find(id);
                         if (at == params.end()) return std::string();
                         const KernelInfo* k = catalog.kernel(r.cell.request.kernel);
                         const FormatInfo* f = k ? catalog.format(k->format) : nullptr;
                         const ParamSpec* found = nullptr;
                         if (k && (kernel || f))
                           for (const ParamSpec& p : kernel ? k->params : f->params)
                             if (p.id == id) found = &p;
                         return value_text(found, at->second);
                       }});
  };
  for (const std::string& id : of_kernels) param(id, id, &RunRequest::params, true);
  for (const std::string& id : of_formats)
    param(of_kernels.contains(id) ? "format_" + id : id, id, &RunRequest::format_params, false);
  for (const RequestOption& o : request_options())
    if (const std::string name = sweep_name(o); !name.empty() && name != "budget")
      columns.push_back({name, [&o](const Row& r) { return text_of(o, r.cell.request); }});
  columns.push_back({"repetition", [](const Row& r) { return std::to_string(r.cell.repetition); }});
}

void add_results(std::vector<Column>& columns, const StoredSweep& stored, const Catalog& catalog) {
  columns.push_back({"state", [](const Row& r) { return std::string(name_of(r.cell.state)); }});
  columns.push_back({"reason", [](const Row& r) { return r.cell.reason; }});
  const auto of = [](const char* name, Quantity RunRecord::* member) {
    return Column{name, [member](const Row& r) { return r.good() ? quantity_text(&(r.record->*member)) : ""; }};
  };
  columns.push_back(of("time [us]", &RunRecord::time));
  columns.push_back(of("rate [GFLOP/s]", &RunRecord::gflops));
  columns.push_back(of("minimum bytes [B]", &RunRecord::minimum_bytes));
  columns.push_back({"provenance", [](const Row& r) { return r.good() ? name_of(r.record->provenance) : ""; }});
  std::set<std::string> counted;
  for (const Record& r : stored.records)
    if (r)
      for (const Counter& c : r->counters)
        if (c.value) counted.insert(c.id);
  for (const MetricInfo& m : catalog.metrics)
    if (counted.contains(m.id))
      columns.push_back({m.id + " [" + m.unit + "]", [id = m.id](const Row& r) {
                           const Counter* c = r.good() ? r.record->counter(id) : nullptr;
                           return c && c->value ? csv::number(*c->value) : std::string();
                         }});
  // Modelled details come first; those measured on this machine, such as the time of a conversion, come last.
  std::map<std::pair<bool, std::string>, std::string> details;
  for (const Record& r : stored.records)
    if (r)
      for (const Detail& d : r->details)
        details[{d.quantity.provenance != Provenance::modelled, d.id}] = d.quantity.unit;
  for (const auto& [key, unit] : details)
    columns.push_back({key.second + " [" + unit + "]", [id = key.second](const Row& r) {
                         return r.good() ? quantity_text(r.record->detail(id)) : std::string();
                       }});
}

void add_makers(std::vector<Column>& columns) {
  columns.push_back({"device name", [](const Row& r) { return r.by.device; }});
  columns.push_back({"program", [](const Row& r) { return r.by.program; }});
  columns.push_back({"driver", [](const Row& r) { return r.by.driver; }});
  columns.push_back({"run", [](const Row& r) { return r.cell.run == 0 ? "" : std::to_string(r.cell.run); }});
  columns.push_back({"wall [s]", [](const Row& r) { return r.cell.seconds > 0 ? csv::number(r.cell.seconds) : ""; }});
}

}  // namespace

std::string table_of(const Sweep& sweep, const StoredSweep& stored, const Catalog& catalog) {
  std::vector<Column> columns;
  add_inputs(columns, sweep, catalog);
  add_results(columns, stored, catalog);
  add_makers(columns);
  std::string out;
  std::vector<std::string> fields;
  for (const Column& c : columns) fields.push_back(c.name);
  csv::add_line(out, fields);
  for (std::size_t k = 0; k < sweep.cells().size(); ++k) {
    const Row row{sweep.cells()[k], stored.records[k].get(), stored.by[k]};
    fields.clear();
    for (const Column& c : columns) fields.push_back(c.text(row));
    csv::add_line(out, fields);
  }
  return out;
}

}  // namespace warpspy
