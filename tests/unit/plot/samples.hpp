// Figures with realistic data, shared by the tests of layout, export and golden pictures. Everything is made here by
// plain integer arithmetic, so that it is the same on every machine.
#pragma once

#include <memory>
#include <vector>

#include "core/plot/analysis_figures.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/format_figures.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/study_figure.hpp"

namespace warpspy::plot::samples {

// Rows whose lengths follow a power law (1..600, a few empty), columns near the diagonal and spread.
Matrix power_law(index_t rows = 4000);
// Five-point stencil on an n x n grid.
Matrix stencil(index_t n = 60);
MeshPoints grid_points(index_t nx, index_t ny);
Matrix empty(index_t rows, index_t cols);

// The roofs of an H200 in f64, figures of its data sheet.
std::vector<Roof> h200_roofs(Provenance provenance = Provenance::modelled);
// What micro-benchmarks reached on an H200: DRAM, and the curve over working sets.
MeasuredRoofs measured_roofs();
// A finished run with bytes counted per level.
std::shared_ptr<const RunRecord> run(std::uint64_t id, const char* kernel, const ParamSet& params, double time_us,
                                     double dram_bytes, double l2_bytes, double l1_bytes,
                                     Provenance provenance = Provenance::modelled);
// Three kernels, five runs on one matrix.
std::vector<std::shared_ptr<const RunRecord>> five_runs(Provenance provenance = Provenance::modelled);
// One kernel, a parameter dragged over ten values.
std::vector<std::shared_ptr<const RunRecord>> dragged_runs();

// The 4 x 4 matrix of Bell & Garland 2008, figure 5, in a format.
Matrix four_by_four();
Plot layout(const std::string& format, const ParamSet& params, const Theme& theme);
// Of power_law(), in HYB-R with three parts.
Plot padding(const Theme& theme);

// csr_vector, turned by an exhaustive search without its last 60 products, some of which failed, and a walk.
KernelInfo tuned_kernel();
TuneRecord tuning(Provenance provenance = Provenance::modelled);
Plot tune_plane(const Theme& theme);

// A run with every counter and byte count that the figures of traffic know; `texture`: x through a cache of its own.
std::shared_ptr<const RunRecord> full_run(std::uint64_t id, Provenance provenance, bool texture = false,
                                          double scale = 1);
// An analysis over kernels, the last of which lacks what it needs. Sweeps: one kernel.
AnalysisResult analysis(const std::string& id, Provenance provenance = Provenance::modelled, std::size_t kernels = 3);
Plot memory(const Theme& theme);
Plot roofline_counts(const Theme& theme);

// A table of nine rates: as printed, in the printed order alone, otherwise, on a stand-in.
StudyReport study();

// Four kernels on three matrices over the threads per row; one of them without it.
RunLines turned_runs();
// Seven kernels of one matrix; the preparation of one is not known.
BestRun best_for(ProductCount products);
// Three solves of one system: two that converge, one that stagnates.
std::vector<std::shared_ptr<const RunRecord>> solved_runs();
// A product on one GPU, over two, four and eight by rows, and over four by METIS, the last.
std::vector<std::shared_ptr<const RunRecord>> divided_runs();
// Row lengths of a stencil over those of a power law.
Plot lengths(const Theme& theme);

// Six kernels on eight matrices: one that failed twice, one that was not run on two, ratios up to 12.
RunGrid many_runs();

Plot spy(const Theme& theme);
Plot histogram(const Theme& theme, HistogramStyle style = {});
Plot roofline(const Theme& theme);
// One kernel on seven matrices, coloured by matrix; of one of them DRAM moved next to nothing.
Plot roofline_many(const Theme& theme);
// Two of the runs and one of another kernel against the slowest.
Plot compared(const Theme& theme);

}  // namespace warpspy::plot::samples
