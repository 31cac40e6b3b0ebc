#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/model/best_runs.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::pair<std::string, Json>>;

// A row of the CSV and JSON files; unknown numbers are null.
Row row_of(const BestRun& b) {
  const RunRecord& r = *b.best;
  Row cells = {{"matrix", r.matrix_name},
               {"source", r.request.matrix},
               {"rows", r.rows},
               {"cols", r.cols},
               {"nnz", r.nnz},
               {"precision", name_of(r.request.precision)},
               {"operation", name_of(b.operation)},
               {"cache_state", name_of(r.request.cache_state)},
               {"device", r.device},
               {"kernel", r.request.kernel},
               {"kernel_label", r.kernel_label},
               {"params", b.params},
               {"run", run_number(r)},
               {"time_us", r.time.value},
               {"gflops", r.gflops.value},
               {"provenance", name_of(r.time.provenance)},
               {"share_of_roof", b.share ? Json(b.share->share) : Json()},
               {"limit", b.limit}};
  const BestCandidate* c = b.candidate(r);
  const auto known = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
  const bool prepared = c && c->preparation.us;
  cells.push_back({"products", word_of(b.products)});
  cells.push_back({"preparation_us", prepared ? Json(*c->preparation.us) : Json()});
  cells.push_back({"preparation_provenance", prepared ? name_of(c->preparation.provenance) : "unavailable"});
  cells.push_back({"preparation_products", known(b.preparation_products())});
  cells.push_back({"preparation_unknown", b.why_no_products()});
  cells.push_back({"total_us", known(b.total_us)});
  cells.push_back({"crossings", crossings_text(b)});
  cells.push_back({"left_out", left_out_text(b)});
  cells.push_back({"second_kernel", b.second ? Json(b.second->request.kernel) : Json()});
  cells.push_back({"second_us", b.second ? Json(b.second->time.value) : Json()});
  cells.push_back({"second_run", b.second ? Json(run_number(*b.second)) : Json()});
  cells.push_back({"times_as_fast", b.second ? Json(b.times_as_fast()) : Json()});
  cells.push_back({"why", b.why});
  cells.push_back({"kernels", b.kernels});
  cells.push_back({"runs", b.runs});
  return cells;
}

}  // namespace

std::string to_json(const std::vector<BestRun>& all) {
  Json rows = Json::array();
  for (const BestRun& b : all) {
    Json row = Json::object();
    for (auto& [id, value] : row_of(b)) row[id] = std::move(value);
    rows.push_back(std::move(row));
  }
  return json_text(rows) + "\n";
}

std::string to_csv(const std::vector<BestRun>& all) {
  std::string out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::vector<std::string> head, line;
    for (const auto& [id, value] : row_of(all[k])) {
      head.push_back(id);
      line.push_back(value.is_number() ? csv::number(value.get<double>())
                     : value.is_null() ? ""
                                       : value.get<std::string>());
    }
    if (k == 0) csv::add_line(out, head);
    csv::add_line(out, line);
  }
  return out;
}

}  // namespace warpspy
