#include "ui/services/report.hpp"

#include <chrono>
#include <thread>

#include "ui/services/desk/desk_state.hpp"

namespace warpspy::ui {

namespace {

void settle(Session& session) {
  do {
    session.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (!session.idle());
}

void require_open(const AppState& s) {
  for (const OpenMatrix& m : s.matrices)
    if (m.status == OpenMatrix::Status::failed) throw Error(m.failure.reason, m.failure.where, m.failure.remedy);
  for (const Message& m : s.messages)
    if (m.kind == Message::Kind::error) throw Error(m.text, {}, m.remedy);
}

}  // namespace

ExportedAll write_report(const Catalog& catalog, Engine& engine, const SessionOptions& session,
                         const ReportOptions& options) {
  Session window(catalog, engine, session);
  window.apply(OpenSources{options.sources});
  settle(window);
  require_open(window.state());
  Progress progress;
  const AppState& s = window.state();
  return export_everything(
      s, options.to, options.page, [&](const Figure& figure) { return desk_of_figure(s, figure); }, progress);
}

}  // namespace warpspy::ui
