// An engine whose products are kept in a folder: one that was run before is not run again. So a search that was stopped
// goes on where it was.
#pragma once

#include <cstddef>

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

class KeptEngine final : public Engine {
 public:
  // All of these must live longer. Throws Error when results of another build, device or driver are in the folder.
  KeptEngine(Engine& engine, SweepFolder& folder, const Catalog& catalog, const Maker& here);

  using Engine::run;
  // As Engine::run(); a record that cannot be kept is a failed one, so that the search ends and loses nothing.
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) override;
  // The engine's own, whose products are not kept: who wants them kept lets the search call run() of this.
  TuneRecord tune(const TuneRequest& request, const Matrix& matrix, Progress& progress,
                  const OnTuneStep& on_step) override {
    return engine_.tune(request, matrix, progress, on_step);
  }
  std::size_t found() const { return found_; }  // products that had been run before

 private:
  Engine& engine_;
  SweepFolder& folder_;
  const Catalog& catalog_;
  Maker here_;
  std::size_t found_ = 0;
};

}  // namespace warpspy
