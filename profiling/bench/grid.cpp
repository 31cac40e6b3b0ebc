#include "profiling/bench/grid.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {
namespace {

struct Times {
  std::optional<double> own, library;
  double flops = 0;
};

// If a row's products overlap, the time of products that wait was also measured. Otherwise the row's own time is that
// time.
std::optional<double> own_us(const nlohmann::json& row, bool in_order) {
  if (in_order && !row.at("in_order").is_null()) return row.at("in_order").at("time_us").get<double>();
  if (row.at("own").is_null()) return std::nullopt;
  const bool overlaps = row.at("own").at("params").value("overlap", 0) != 0;
  if (in_order && overlaps) return std::nullopt;
  return row.at("own").at("time_us").get<double>();
}

RunGrid::Cell cell_of(const std::optional<double>& us, double flops) {
  RunGrid::Cell cell;
  if (us && *us > 0)
    cell.is = RunGrid::Is::ok, cell.us = *us, cell.gflops = flops / *us * 1e-3;
  else
    cell.is = RunGrid::Is::failed, cell.reason = "no product could be timed";
  cell.provenance = Provenance::measured;
  return cell;
}

std::string words(const BenchGridOptions& o, const std::string& devices) {
  std::string text = std::string(name_of(o.precision)) + ", " + devices + ", " + name_of(o.state);
  if (o.in_order) text += ", each product waits for the one before";
  if (o.operation == Operation::transposed_product) text += ", transposed";
  return text;
}

}  // namespace

RunGrid grid_of_bench(const std::vector<std::string>& files, const BenchGridOptions& options) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  constexpr const char* fix = "make one with warpspy bench -o FILE";
  std::vector<std::string> order;
  std::map<std::string, Times> times;
  std::string devices, library;
  const auto name_once = [](std::string& list, const std::string& name) {
    if (list.find(name) == std::string::npos) list += (list.empty() ? "" : " and ") + name;
  };
  for (const std::string& file : files) {
    const std::string text = read_file(file, kMostBytes, {"report of bench", fix});
    if (nested_deeply(text)) throw Error("this is no report of bench: it is nested too deeply", file, fix);
    try {
      const nlohmann::json report = nlohmann::json::parse(text);
      for (const nlohmann::json& row : report.at("rows")) {
        if (row.at("operation") != name_of(options.operation) || row.at("cache_state") != name_of(options.state) ||
            row.at("precision") != name_of(options.precision))
          continue;
        const std::string matrix = row.at("matrix").get<std::string>();
        if (!times.contains(matrix)) order.push_back(matrix);
        Times& t = times[matrix] = {};
        t.own = own_us(row, options.in_order);
        if (!row.at("library").is_null()) t.library = row.at("library").at("time_us").get<double>();
        t.flops = 2 * row.at("nnz").get<double>();
      }
      name_once(devices, report.at("device").get<std::string>());
      name_once(library,
                report.at("against").get<std::string>() + " " + report.at("library_version").get<std::string>());
    } catch (const nlohmann::json::exception& e) {
      throw Error(std::string("this is no report of bench: ") + json_problem(e), file, fix);
    }
  }
  RunGrid grid;
  grid.columns = {"Warpspy's best kernel", "the best of " + library};
  for (const std::string& matrix : order) {
    const Times& t = times.at(matrix);
    grid.matrices.push_back(matrix);
    grid.sources.push_back(matrix);
    grid.cells.push_back(cell_of(t.own, t.flops));
    grid.cells.push_back(cell_of(t.library, t.flops));
  }
  grid.conditions = words(options, devices);
  return grid;
}

}  // namespace warpspy
