// Every figure that there is, with realistic data. Golden pictures and pages go through them.
#pragma once

#include "core/plot/warp_figure.hpp"
#include "samples.hpp"
#include "tests/ui/toy_warp.hpp"

namespace warpspy::plot::samples {

struct Case {
  const char* name;
  Plot (*make)(const Theme&);
};
inline const Case kCases[] = {
    {"spy", spy},
    {"histogram", [](const Theme& t) { return histogram(t); }},
    {"histogram_log",
     [](const Theme& t) {
       HistogramStyle style;
       style.log_x = true;
       return histogram(t, style);
     }},
    {"roofline", roofline},
    {"roofline_compared", compared},
    {"layout_dia", [](const Theme& t) { return layout("dia", {{"alignment", 4}}, t); }},
    {"layout_ell", [](const Theme& t) { return layout("ell", {{"alignment", 4}}, t); }},
    {"layout_coo", [](const Theme& t) { return layout("coo", {}, t); }},
    {"layout_csr", [](const Theme& t) { return layout("csr", {}, t); }},
    {"layout_hyb", [](const Theme& t) { return layout("hyb", {{"alignment", 4}, {"rule", 4}, {"k", 2}}, t); }},
    {"padding_hyb_r", padding},
    {"tune_plane", [](const Theme& t) { return tune_plane(t); }},
    {"roofline_counts", roofline_counts},
    {"roofline_many", roofline_many},
    {"study", [](const Theme& t) { return study_figure(study(), t); }},
    {"working_set", [](const Theme& t) { return working_set_figure(measured_roofs(), 62914560, t); }},
    {"memory", memory},
    {"memory_texture", [](const Theme& t) { return memory_figure({full_run(1, Provenance::modelled, true)}, t); }},
    {"heat_map", [](const Theme& t) { return heat_map_figure(many_runs(), GridMeasure::gflops, t); }},
    {"heat_map_over_best", [](const Theme& t) { return heat_map_figure(many_runs(), GridMeasure::over_best, t); }},
    {"profile", [](const Theme& t) { return profile_figure(many_runs(), t); }},
    {"lengths", lengths},
    {"line", [](const Theme& t) { return line_figure(turned_runs(), t); }},
    {"warp_axis", [](const Theme& t) { return sm_axis_figure(ui::toy_warp("csr_scalar", {}), 1, t); }},
    {"warp", [](const Theme& t) { return warp_figure({ui::shared_toy_warp("csr_scalar")}, 1, t); }},
    {"warps",
     [](const Theme& t) {
       return warp_figure({ui::shared_toy_warp("csr_scalar"), ui::shared_toy_warp("csr_vector")}, 0, t);
     }},
    {"analysis_throughput", [](const Theme& t) { return analysis_figure(analysis("throughput"), t); }},
    {"analysis_latency", [](const Theme& t) { return analysis_figure(analysis("latency", Provenance::measured), t); }},
    {"analysis_times", [](const Theme& t) { return analysis_figure(analysis("times"), t); }},
    {"analysis_coop", [](const Theme& t) { return analysis_figure(analysis("coop"), t); }},
    {"analysis_stride", [](const Theme& t) { return analysis_figure(analysis("stride", Provenance::measured), t); }},
};

}  // namespace warpspy::plot::samples
