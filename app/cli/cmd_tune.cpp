// tune: strategies that search for good parameters.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "app/cli/command.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figures.hpp"

namespace warpspy::cli {
namespace {

std::string figure_text(double v, const char* format = "%.4g") {
  char text[48];
  std::snprintf(text, sizeof text, format, v);
  return text;
}

std::string params_text(const KernelInfo* kernel, const ParamSet& params) {
  std::string s;
  for (const auto& [id, value] : params) {
    const ParamSpec* spec = nullptr;
    if (kernel)
      for (const ParamSpec& p : kernel->params)
        if (p.id == id) spec = &p;
    const auto choice = static_cast<std::size_t>(std::max(0.0, value));
    // Cache policies left alone say nothing.
    if (spec && spec->type == ParamSpec::Type::choice && value == spec->def) continue;
    const bool word = spec && spec->type == ParamSpec::Type::choice && choice < spec->choices.size();
    s += (s.empty() ? "" : " ") + id + "=" + (word ? spec->choices[choice] : figure_text(value, "%.12g"));
  }
  return s;
}

std::string regret_text(const TuneOutcome& o) {
  return o.regret ? figure_text(100 * *o.regret, "%.1f %%") : o.us ? "unknown" : "";
}
std::string pays_text(const TuneOutcome& o, bool base_known) {
  if (!o.us) return "";
  if (!base_known) return "unknown";
  if (!o.pays_after) return "never";
  if (*o.pays_after == 0) return "at once";
  return figure_text(std::ceil(*o.pays_after), "%.0f") + " products";
}

void print(const TuneRecord& r, const Catalog& catalog) {
  std::printf("%s, %s, %s on %s\n", r.matrix_name.c_str(), r.request.run.kernel.c_str(),
              name_of(r.request.run.precision), r.device_name.c_str());
  const auto row = [](const std::string& strategy, const std::string& time, const std::string& products,
                      const std::string& regret, const std::string& pays, const std::string& params) {
    std::printf("  %-12s %10s %9s %9s %16s  %s\n", strategy.c_str(), time.c_str(), products.c_str(), regret.c_str(),
                pays.c_str(), params.c_str());
  };
  row("strategy", "time/us", "products", "regret", "pays off after",
      std::string("parameters (times ") + name_of(r.provenance) + ")");
  const TuneStep* base = r.base();
  const bool base_known = base && base->us;
  if (base)
    row("default", base->us ? figure_text(*base->us) : "failed", "", "", "",
        base->us ? params_text(catalog.kernel(base->kernel), base->params) : base->failure);
  for (const TuneOutcome& o : r.outcomes) {
    const KernelInfo* kernel = catalog.kernel(o.kernel);
    const std::string other = o.us && o.kernel != r.request.run.kernel ? o.kernel + " " : "";
    row(o.strategy, o.us ? figure_text(*o.us) : "failed", std::to_string(o.products), regret_text(o),
        pays_text(o, base_known), other + params_text(kernel, o.params));
  }
  for (const TuneOutcome& o : r.outcomes)
    for (const std::string& note : o.notes) std::printf("  %s: %s\n", o.strategy.c_str(), note.c_str());
  for (const std::string& note : r.notes) std::printf("  note: %s\n", note.c_str());
}

}  // namespace

int tune(CLI::App& app, std::vector<std::string> args) {
  TuneRequest request;
  RunRequest& r = request.run;
  std::string strategy = "all", precision = "f32", out, size = "900x600", x, y, path;
  std::vector<std::string> params;
  bool json = false, dark = false;
  EffortOptions effort{"quick", 0.1};
  app.add_option("FILE", r.matrix, "A matrix file, or gen:NAME")->required();
  app.add_option("--kernel", r.kernel, "Kernel whose parameters are turned")->capture_default_str();
  app.add_option("--strategy", strategy, "all, fixed_rule, run_time, exhaustive or selector")->capture_default_str();
  app.add_option("--param", params,
                 "NAME=VALUE, a parameter that is held, of the kernel or its format; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--precision", precision, "f32 or f64")->check(CLI::IsMember({"f32", "f64"}))->capture_default_str();
  ViewOption view;
  view.add(app);
  app.add_option("--device", r.device, "auto, cuda, cuda:N or sim:ID (see warpspy devices)")->capture_default_str();
  effort.add(app);
  app.add_option("--most", request.most_products, "Most products of the exhaustive search")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--seed", r.seed, "Seed of the input vector")->capture_default_str();
  app.add_option("-o,--output", out, "Draw the plane of two parameters: .svg .pdf .png, or its numbers as .csv .json");
  app.add_option("--x", x, "Parameter on the x axis of the plane");
  app.add_option("--y", y, "Parameter on the y axis of the plane");
  app.add_option("--path", path, "Strategy whose path is drawn");
  app.add_option("--size", size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  app.add_flag("--dark", dark, "Dark ground");
  app.add_flag("--json", json, "Print JSON: every step, every outcome");
  app.parse(std::move(args));
  effort.set(r);
  const PictureSize picture = parse_size(size);
  Services services = make_services();
  const KernelInfo* kernel = &services.catalog.require_kernel(r.kernel);
  const auto know = [&](const std::string& id) {
    if (services.catalog.strategy(id)) return;
    std::string known;
    for (const StrategyInfo& s : services.catalog.strategies) known += (known.empty() ? "" : ", ") + s.id;
    throw Error("unknown strategy " + id, {}, "known: all, " + known);
  };
  if (strategy != "all") know(strategy), request.strategies = {strategy};
  if (!path.empty()) know(path);
  for (const std::string& id : {x, y}) {
    bool found = id.empty();
    for (const ParamSpec& spec : kernel->params) found |= spec.id == id;
    if (!found) throw Error("kernel " + r.kernel + " has no parameter " + id);
  }
  r.precision = precision == "f64" ? Precision::f64 : Precision::f32;
  for (const std::string& text : params) set_param(r, text, *kernel, services.catalog.format(kernel->format));

  const Matrix m = open_with_progress(r.matrix);
  r.view = view.of(m, r.matrix);
  Progress progress;
  const bool meter = isatty(STDERR_FILENO) != 0;
  std::optional<RunRecord> best;  // the one that is worth keeping
  const TuneRecord record = services.engine->tune(request, m, progress, [&](const TuneStep& s, const RunRecord& run) {
    if (s.us && run.status == RunStatus::ok && (!best || run.time.value < best->time.value)) best = run;
    if (meter)
      std::fprintf(stderr, "\r%s: product %d, %3.0f %%   ", s.strategy.c_str(), s.product, 100 * progress.fraction());
  });
  if (meter) std::fprintf(stderr, "\r\033[K");
  if (best) keep(*best);
  if (!out.empty() && !record.steps.empty()) {
    const auto theme = dark ? plot::dark_theme() : plot::light_theme();
    plot::TunePlaneStyle style;
    style.x = x, style.y = y, style.path = path;
    plot::export_plot(plot::tune_plane_figure(record, *kernel, style, theme), out, picture.width, picture.height,
                      theme);
  }
  if (record.status != RunStatus::ok) throw Error(record.error, r.kernel);
  if (json)
    std::cout << to_json(record) << "\n";
  else
    print(record, services.catalog);
  if (!json && best && best->id > 0)
    std::printf("  the fastest product is kept as run %llu\n", static_cast<unsigned long long>(best->id));
  return 0;
}

}  // namespace warpspy::cli
