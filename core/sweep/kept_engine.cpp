#include "core/sweep/kept_engine.hpp"

#include <utility>

#include "core/run/sweep.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy {

KeptEngine::KeptEngine(Engine& engine, SweepFolder& folder, const Catalog& catalog, const Maker& here)
    : engine_(engine), folder_(folder), catalog_(catalog), here_(here) {
  for (const std::string& id : folder.ids()) {
    const auto stored = folder.find(id);
    if (!stored) continue;
    const Maker now = maker_of(here, stored->record.device, catalog);
    if (stored->by == now || (stored->by.device.empty() && stored->by.program == here.program)) continue;
    throw Error(
        "results of another build, device or driver are here (" + stored->by.text() + "; now: " + now.text() + ")",
        folder.path(), "take another folder");
  }
}

RunRecord KeptEngine::run(const RunRequest& request, const Matrix& matrix, Progress& progress,
                          const OnTimed& on_timed) {
  const SweepCell cell = cell_of(request, catalog_);
  std::string id;
  try {
    Progress reading(&progress);
    id = folder_.id_of(cell, reading);
    if (auto stored = folder_.find(id)) {
      ++found_;
      return std::move(stored->record);
    }
  } catch (const Cancelled&) {
    RunRecord none;
    none.request = request;
    none.status = RunStatus::cancelled;
    return none;
  } catch (const Error&) {
    return engine_.run(request, matrix, progress, on_timed);  // what has no file any more is not kept
  }
  RunRecord record = engine_.run(request, matrix, progress, on_timed);
  if (record.status == RunStatus::cancelled) return record;
  try {
    folder_.write({id, maker_of(here_, cell.request.device, catalog_), end_of(record), 0, record});
  } catch (const Error& e) {
    record.status = RunStatus::failed;
    record.error = e.what();
  }
  return record;
}

}  // namespace warpspy
