// Every figure that there is, with realistic data. Golden pictures and pages go through them.
#pragma once

#include "core/plot/parts_figures.hpp"
#include "core/plot/warp_figure.hpp"
#include "samples.hpp"
#include "tests/ui/toy_warp.hpp"

namespace warpspy::plot::samples {

struct Case {
  const char* name;
  const char* figure;  // of the registry
  Plot (*make)(const Theme&);
};
inline const Case kCases[] = {
    {"spy", "spy", spy},
    {"mesh", "mesh", [](const Theme& t) { return mesh_figure(stencil(12), grid_points(12, 12), 40, t); }},
    {"histogram", "histogram", [](const Theme& t) { return histogram(t); }},
    {"histogram_log", "histogram",
     [](const Theme& t) {
       HistogramStyle style;
       style.log_x = true;
       return histogram(t, style);
     }},
    {"roofline", "roofline", roofline},
    {"roofline_compared", "roofline", compared},
    {"layout_dia", "layout", [](const Theme& t) { return layout("dia", {{"alignment", 4}}, t); }},
    {"layout_ell", "layout", [](const Theme& t) { return layout("ell", {{"alignment", 4}}, t); }},
    {"layout_coo", "layout", [](const Theme& t) { return layout("coo", {}, t); }},
    {"layout_csr", "layout", [](const Theme& t) { return layout("csr", {}, t); }},
    {"layout_hyb", "layout",
     [](const Theme& t) { return layout("hyb", {{"alignment", 4}, {"rule", 4}, {"k", 2}}, t); }},
    {"padding_hyb_r", "layout", padding},
    {"tune_plane", "tuning", [](const Theme& t) { return tune_plane(t); }},
    {"roofline_counts", "roofline", roofline_counts},
    {"roofline_many", "roofline", roofline_many},
    {"study", "study", [](const Theme& t) { return study_figure(study(), t); }},
    {"working_set", "roofs", [](const Theme& t) { return working_set_figure(measured_roofs(), 62914560, t); }},
    {"memory", "memory", memory},
    {"memory_texture", "memory",
     [](const Theme& t) { return memory_figure({full_run(1, Provenance::modelled, true)}, t); }},
    {"heat_map", "heatmap", [](const Theme& t) { return heat_map_figure(many_runs(), GridMeasure::gflops, t); }},
    {"heat_map_over_best", "heatmap",
     [](const Theme& t) { return heat_map_figure(many_runs(), GridMeasure::over_best, t); }},
    {"profile", "profile", [](const Theme& t) { return profile_figure(many_runs(), t); }},
    {"lengths", "lengths", lengths},
    {"cost", "cost", [](const Theme& t) { return cost_figure(best_for(1000), "NVIDIA H200", t); }},
    {"residual", "residual", [](const Theme& t) { return residual_figure(solved_runs(), false, t); }},
    {"residual_time", "residual", [](const Theme& t) { return residual_figure(solved_runs(), true, t); }},
    {"iteration", "iteration", [](const Theme& t) { return iteration_figure(solved_runs(), t); }},
    {"line", "line", [](const Theme& t) { return line_figure(turned_runs(), t); }},
    {"parts", "parts", [](const Theme& t) { return parts_figure({divided_runs()[2]}, t); }},
    {"speedup", "speedup", [](const Theme& t) { return speed_up_figure(speed_ups(divided_runs(), Catalog{}), t); }},
    {"warp_axis", "warp", [](const Theme& t) { return sm_axis_figure(ui::toy_warp("csr_scalar", {}), 1, t); }},
    {"warp", "warp", [](const Theme& t) { return warp_figure({ui::shared_toy_warp("csr_scalar")}, 1, t); }},
    {"warps", "warp",
     [](const Theme& t) {
       return warp_figure({ui::shared_toy_warp("csr_scalar"), ui::shared_toy_warp("csr_vector")}, 0, t);
     }},
    {"analysis_throughput", "analysis", [](const Theme& t) { return analysis_figure(analysis("throughput"), t); }},
    {"analysis_latency", "analysis",
     [](const Theme& t) { return analysis_figure(analysis("latency", Provenance::measured), t); }},
    {"analysis_times", "analysis", [](const Theme& t) { return analysis_figure(analysis("times"), t); }},
    {"analysis_coop", "analysis", [](const Theme& t) { return analysis_figure(analysis("coop"), t); }},
    {"analysis_stride", "analysis",
     [](const Theme& t) { return analysis_figure(analysis("stride", Provenance::measured), t); }},
};

}  // namespace warpspy::plot::samples
