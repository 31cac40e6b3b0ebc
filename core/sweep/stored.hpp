// A sweep and its folder together: what has run before is taken in, what runs is written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

// By cell of the sweep.
struct StoredSweep {
  std::vector<std::string> ids;                           // "": its matrix cannot be read
  std::vector<std::shared_ptr<const RunRecord>> records;  // null: it has not run
  std::vector<Maker> by;                                  // who made the record
  std::size_t others = 0;  // cells of the folder that this sweep does not ask for; they stay
};
// Cells that have run before end as they ended then, in whatever order they are asked for now. Throws Cancelled, and
// Error when the folder cannot be written.
StoredSweep take_in(Sweep& sweep, SweepFolder& folder, Progress& progress);

// Who would make results of a device now: `here` names the program, and the driver of real devices.
Maker maker_of(const Maker& here, const std::string& device, const Catalog& catalog);
// The GPU's figures are still those that the product was modelled with: its file was not edited in between.
bool same_figures(const StoredCell& stored, const std::string& device, const Catalog& catalog);
// Throws Error when results of another build, device, driver or GPU file are there already.
void refuse_mixing(const Sweep& sweep, const StoredSweep& stored, const Maker& here, const Catalog& catalog,
                   const std::string& folder);
// The same of all that lies in the folder, whoever asked for it; but what was made with other figures is run again.
void refuse_mixing(SweepFolder& folder, const Maker& here, const Catalog& catalog);

}  // namespace warpspy
