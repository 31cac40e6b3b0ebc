// Everything that the window could export of a session or of matrices, without a window.
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
// Opens them, waits until all that the window would show of them is there, and writes it. Throws Error: also where one
// of them does not open.
ExportedAll write_report(const Catalog& catalog, Engine& engine, const SessionOptions& session,
                         const ReportOptions& options);

}  // namespace warpspy::ui
