#include "core/sweep/stored.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "core/base/hash.hpp"

namespace warpspy {

StoredSweep take_in(Sweep& sweep, SweepFolder& folder, Progress& progress) {
  StoredSweep out;
  const std::vector<SweepCell>& cells = sweep.cells();
  out.ids.resize(cells.size()), out.records.resize(cells.size()), out.by.resize(cells.size());
  std::set<std::string> unreadable;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    progress.check();
    progress.set(static_cast<double>(k) / static_cast<double>(cells.size()));
    if (unreadable.contains(cells[k].request.matrix)) continue;
    try {
      Progress reading(&progress);
      out.ids[k] = folder.id_of(cells[k], reading);
    } catch (const Error&) {
      unreadable.insert(cells[k].request.matrix);  // opening it will say why
      continue;
    }
    auto stored = folder.find(out.ids[k]);
    if (!stored) continue;
    sweep.bring_back(k, stored->end, stored->record.id, stored->seconds);
    stored->record.request.matrix = cells[k].request.matrix;  // the matrix may be in another place now
    stored->record.matrix_name = cells[k].matrix_name;
    out.by[k] = stored->by;
    out.records[k] = std::make_shared<const RunRecord>(std::move(stored->record));
  }
  const std::set<std::string> mine(out.ids.begin(), out.ids.end());
  for (const std::string& id : folder.ids()) out.others += !mine.contains(id);
  return out;
}

namespace {

std::string figures_of(const GpuSpec& gpu) {
  std::string text;
  for (const auto& [id, source] : gpu.sources) {
    char number[32];
    std::snprintf(number, sizeof number, " %.17g\n", figure_of(gpu, id).value_or(0));
    text += id + number;
  }
  return text.empty() ? "" : hash_of_text(text).substr(0, 8);
}

}  // namespace

Maker maker_of(const Maker& here, const std::string& device, const Catalog& catalog) {
  const DeviceInfo* d = catalog.device(device.substr(0, device.find('+')));  // of GPUs together the first
  if (!d) return {here.program, "", ""};
  if (d->simulated) return {here.program, d->name, "", figures_of(d->spec)};
  return {here.program, d->name, here.driver};
}

bool same_figures(const StoredCell& stored, const std::string& device, const Catalog& catalog) {
  return stored.by.figures == maker_of({}, device, catalog).figures;
}

void refuse_mixing(const Sweep& sweep, const StoredSweep& stored, const Maker& here, const Catalog& catalog,
                   const std::string& folder) {
  std::map<std::string, Maker> would;  // by name of the device
  for (const SweepCell& c : sweep.cells()) {
    const Maker maker = maker_of(here, c.request.device, catalog);
    would[maker.device] = maker;
  }
  for (std::size_t k = 0; k < stored.by.size(); ++k) {
    if (!stored.records[k]) continue;
    const Maker& by = stored.by[k];
    if (by.device.empty() && by.program == here.program) continue;  // it failed before a device was chosen
    const auto same = would.find(by.device);
    const Maker now = same == would.end() ? Maker{here.program, "", ""} : same->second;
    if (now == by) continue;
    throw Error(
        "results of another build, device, driver or GPU file are here (" + by.text() + "; now: " + now.text() + ")",
        folder, "take another folder; on the command line --mix puts them into one table");
  }
}

void refuse_mixing(SweepFolder& folder, const Maker& here, const Catalog& catalog) {
  for (const std::string& id : folder.ids()) {
    const auto stored = folder.find(id);
    if (!stored) continue;
    Maker now = maker_of(here, stored->record.device, catalog);
    now.figures = stored->by.figures;  // products with other figures of the GPU run again
    if (stored->by == now || (stored->by.device.empty() && stored->by.program == here.program)) continue;
    throw Error("results of another build, device, driver or GPU file are here (" + stored->by.text() +
                    "; now: " + now.text() + ")",
                folder.path(), "take another folder");
  }
}

}  // namespace warpspy
