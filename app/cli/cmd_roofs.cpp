// roofs: measures the highest bandwidths and rates that this machine's GPU reaches.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "app/cli/figure_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/wiring.hpp"

namespace warpspy::cli {
namespace {

void print(const MeasuredRoofs& m, const GpuSpec& sheet) {
  std::printf("%s, %s\n", m.device.c_str(), m.origin().c_str());
  for (const RoofFigureInfo& info : roof_figures()) {
    const MeasuredFigure* f = m.figure(info.id);
    if (!f) continue;
    std::printf("  %-26s %10.4g %-8s +- %4.1f %%  %s\n", info.label, f->value, info.unit, 100 * f->noise,
                f->how.c_str());
  }
  std::printf("  reads past L1, over and over the same bytes:\n");
  for (const WorkingSetPoint& p : m.curve) std::printf("  %20.4g MB   %10.4g GB/s\n", p.bytes * 1e-6, p.gbs);
  for (const Precision p : {Precision::f32, Precision::f64})
    for (const Roof& r : roofs_of(sheet, p))
      if (p == Precision::f32 || r.level == Level::compute)
        std::printf("  data sheet: %-32s %s\n", r.label.c_str(), r.source.c_str());
}

}  // namespace

int roofs(CLI::App& app, std::vector<std::string> args) {
  std::string device = "cuda";
  FigureOptions figure;
  bool json = false, kept = false;
  std::vector<std::string> engines;
  app.add_option("--device", device, "cuda or cuda:N")->capture_default_str();
  add_engines(app, engines);
  app.add_flag("--json", json, "Print JSON");
  app.add_flag("--kept", kept, "Those measured before, where there are any, instead of measuring again");
  app.add_option("-o,--output", figure.out,
                 "File for the curve of bandwidth over working set: .svg .pdf .png .csv .json");
  figure.add_look(app);
  figure.add_fields(app, *figure::row("roofs"));
  app.parse(std::move(args));
  figure.page();
  Services services = make_services(engines);
  const std::string id = device == "cuda" ? "cuda:0" : device;
  Progress progress;
  std::optional<MeasuredRoofs> measured;
  if (kept) measured = services.engine->saved_roofs(id);
  if (!measured) measured = services.engine->measure_roofs(id, progress);
  const DeviceInfo* info = services.catalog.device(id);
  const GpuSpec sheet = info ? info->spec : GpuSpec{};
  if (json)
    std::cout << to_json(*measured) << "\n";
  else
    print(*measured, sheet);
  if (figure.out.empty()) return 0;
  figure::Subject subject;
  subject.measured = measured;
  subject.l2_bytes = sheet.l2_bytes;
  figure.write(*figure::row("roofs"), subject);
  return 0;
}

}  // namespace warpspy::cli
