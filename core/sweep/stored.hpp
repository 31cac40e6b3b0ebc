// Connects a sweep with its folder: takes in results of earlier starts, and writes new results.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

// The results that the folder has for each cell of the sweep.
struct StoredSweep {
  std::vector<std::string> ids;                           // "" if the cell's matrix cannot be read
  std::vector<std::shared_ptr<const RunRecord>> records;  // null if the cell has not run
  std::vector<Maker> by;                                  // the programs and devices that made the records
  std::size_t others = 0;  // cells of the folder that this sweep does not ask for; they are kept
};
// Cells with a stored result get the state of that result, in whatever order the sweep has them now. Throws Cancelled,
// and Error when the folder cannot be written.
StoredSweep take_in(Sweep& sweep, SweepFolder& folder, Progress& progress);

// The maker of new results on a device: `here` names the program, and the driver of real devices.
Maker maker_of(const Maker& here, const std::string& device, const Catalog& catalog);
// Whether the GPU's figures are still those with which the product was modelled: its file was not edited since.
bool same_figures(const StoredCell& stored, const std::string& device, const Catalog& catalog);
// Throws Error if the folder already has results of another build, device, driver or GPU file.
void refuse_mixing(const Sweep& sweep, const StoredSweep& stored, const Maker& here, const Catalog& catalog,
                   const std::string& folder);
// Throws that Error for any cell of the folder, also for those that this sweep does not ask for. But products that were
// modelled with other figures are run again.
void refuse_mixing(SweepFolder& folder, const Maker& here, const Catalog& catalog);

}  // namespace warpspy
