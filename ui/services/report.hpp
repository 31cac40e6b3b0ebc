// Exports all figures of a session or of matrices, as the window would, without a window.
#pragma once

#include <string>
#include <vector>

#include "core/plot/page.hpp"
#include "ui/figures/everything.hpp"
#include "ui/services/session.hpp"

namespace warpspy::ui {

struct ReportOptions {
  std::vector<std::string> sources;  // a session, or matrices
  ReportPlace to = {};
  plot::Page page = {};
};
// Opens the sources, waits until all figures of the window are ready, and writes them. Throws Error, also if a source
// cannot be opened.
ExportedAll write_report(const Catalog& catalog, Engine& engine, const SessionOptions& session,
                         const ReportOptions& options);

}  // namespace warpspy::ui
