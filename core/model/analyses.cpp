#include "core/model/analyses.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/analysis_parts.hpp"
#include "core/model/formulas.hpp"

namespace warpspy {
namespace {

using namespace analysis;
using Values = std::vector<AnalysisValue>;

constexpr double constant_policy = 4;
constexpr const char* product = "product";
constexpr const char* constant_x = "constant X";
constexpr const char* constant_a = "constant A";
constexpr const char* constant_both = "constant A and X";

// ---- which runs

std::vector<AnalysisRun> product_alone(const KernelInfo& kernel, const RunRequest& base) {
  return {{product, 0, request_for(kernel, base)}};
}

std::vector<AnalysisRun> without_x(const KernelInfo& kernel, const RunRequest& base) {
  const RunRequest whole = request_for(kernel, base);
  return {{product, 0, whole},
          {constant_x, 0, turned(kernel, whole, "x_cache", constant_policy, "so x cannot be left out")}};
}

std::vector<AnalysisRun> each_part(const KernelInfo& kernel, const RunRequest& base) {
  auto runs = without_x(kernel, base);
  const auto no_a = [&](const RunRequest& r) {
    return turned(kernel, r, "matrix_cache", constant_policy, "so the matrix cannot be left out");
  };
  runs.push_back({constant_a, 0, no_a(runs[0].request)});
  runs.push_back({constant_both, 0, no_a(runs[1].request)});
  return runs;
}

std::vector<AnalysisRun> either_part(const KernelInfo& kernel, const RunRequest& base) {
  auto runs = each_part(kernel, base);
  runs.pop_back();
  return runs;
}

std::vector<AnalysisRun> over_coop(const KernelInfo& kernel, const RunRequest& base) {
  std::vector<AnalysisRun> runs;
  for (int coop = 1; coop <= 32; coop *= 2)
    runs.push_back({"coop " + std::to_string(coop), static_cast<double>(coop),
                    turned(kernel, request_for(kernel, base), "coop", coop, "the threads that share a row")});
  return runs;
}

std::vector<AnalysisRun> over_stride(const KernelInfo& kernel, const RunRequest& base) {
  std::vector<AnalysisRun> runs;
  for (const Precision p : {Precision::f32, Precision::f64})
    for (const int stride : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32}) {
      RunRequest r = turned(kernel, request_for(kernel, base), "stride", stride, "the distance between elements");
      r.precision = p;
      runs.push_back({name_of(p) + (" stride " + std::to_string(stride)), static_cast<double>(stride), std::move(r)});
    }
  return runs;
}

// ---- what they say

void throughput(const AnalysisSubject& s, const ParamSet&, Values& out) {
  const RunRecord* run = s.run(product);
  const Part us = time_us(run);
  const auto rate = [&](const char* series, const char* id) {
    const Part bytes = counter(run, id);
    const Part gbs = combine({bytes, us}, [&] { return *bytes / *us * 1e-3; });
    add(out, series, gbs, "GB/s",
        gbs ? std::string(id) + " / time = " + text(*bytes * 1e-6) + " MB / " + text(*us) + " us = " + text(*gbs) +
                  " GB/s"
            : "");
  };
  rate("dram", "dram_read_bytes");
  rate("l2", "l2_load_bytes");
  rate("l2_texture", "l2_texture_load_bytes");
  rate("texture", "texture_load_bytes");
  rate("l1", "l1_load_bytes");
}

// For loads that L2 received from elsewhere than the texture cache.
Part l2_l1_rate(const RunRecord* run) {
  const Part rate = counter(run, "l2_hit_rate"), texture_rate = counter(run, "l2_texture_hit_rate");
  if (!texture_rate) return rate;  // there is no separate texture cache
  const Part bytes = counter(run, "l2_load_bytes"), texture = counter(run, "l2_texture_load_bytes");
  return combine({rate, texture_rate, bytes, texture},
                 [&] { return (*bytes * *rate - *texture * *texture_rate) / (*bytes - *texture); });
}

void hit_rates(const AnalysisSubject& s, const ParamSet&, Values& out) {
  const RunRecord* run = s.run(product);
  const auto told = [&](const char* series, const Part& p, const std::string& formula) {
    add(out, series, p, "%", p ? formula + " = " + text(*p, 3) + " %" : "");
  };
  told("texture", counter(run, "texture_hit_rate"), "h_t = hits / look-ups in the texture cache");
  told("l2_texture", counter(run, "l2_texture_hit_rate"), "h_L2t = hits / loads that L2 had from the texture cache");
  told("l1", counter(run, "l1_hit_rate"), "h_L1 = hits / look-ups in the SM's cache");
  told("l2_l1", l2_l1_rate(run), "h_L2_L1 = hits / loads that L2 had from elsewhere in the SMs");
}

// Hit rates of the SM's cache and of L2 for a part of the loads, 0 to 1.
struct Rates {
  Part first, second;
  std::string from;
};

// The quotient of two differences. It may be slightly outside 0 to 1, since leaving out one array changes how the
// others are cached.
Part share(const Part& hits, const Part& all) {
  constexpr double hair = 0.03;
  Part p = combine({hits, all}, [&] { return *all > 0 ? *hits / *all : 0; });
  if (!p) return p;
  if (*p < -hair || *p > 1 + hair)
    return missing("without x the rest is cached so differently that the difference of the two runs says nothing");
  return known(std::clamp(*p, 0.0, 1.0), p.provenance);
}

Part percent(const Part& p) { return p ? known(*p / 100, p.provenance) : p; }

// Bytes that hit: bytes x rate. Without look-ups there is no rate, and no hit.
Part hits_of(const RunRecord* run, const char* bytes_id, const char* rate_id) {
  const Part bytes = counter(run, bytes_id);
  if (bytes && *bytes == 0) return bytes;
  const Part rate = percent(counter(run, rate_id));
  return combine({bytes, rate}, [&] { return *bytes * *rate; });
}

Rates rates_of_a(const AnalysisSubject& s) {
  const RunRecord* rest = s.run(constant_x);
  return {share(hits_of(rest, "l1_load_bytes", "l1_hit_rate"), counter(rest, "l1_load_bytes")),
          share(hits_of(rest, "l2_load_bytes", "l2_hit_rate"), counter(rest, "l2_load_bytes")),
          "rates of the run with constant X"};
}

Rates rates_of_x(const AnalysisSubject& s) {
  const RunRecord *whole = s.run(product), *rest = s.run(constant_x);
  const Part texture = percent(counter(whole, "texture_hit_rate"));
  if (texture)
    return {texture, percent(counter(whole, "l2_texture_hit_rate")), "rates of the texture cache, which only x uses"};
  const auto less = [](const Part& a, const Part& b) { return combine({a, b}, [&] { return *a - *b; }); };
  const auto difference = [&](const char* bytes, const char* rate) {
    return share(less(hits_of(whole, bytes, rate), hits_of(rest, bytes, rate)),
                 less(counter(whole, bytes), counter(rest, bytes)));
  };
  return {difference("l1_load_bytes", "l1_hit_rate"), difference("l2_load_bytes", "l2_hit_rate"),
          "x and its index array: product less constant X"};
}

// The latency of a hit in the cache that parameter `id` names, in clock cycles: the value that the user has set, else
// that of EVC-HYB's paper (`papers`) if the user asks for it, else that of the GPU (`own_ns`, in nanoseconds).
Part cycles(const AnalysisSubject& s, const ParamSet& params, const char* id, double papers, double own_ns) {
  if (const double set = params.at(id); set > 0) return known(set);
  if (params.at("latencies") == 1) return known(papers);
  if (own_ns > 0 && s.gpu.clock_mhz > 0) return known(own_ns * s.gpu.clock_mhz * 1e-3);
  return missing("the latencies of this GPU are not known: set them, or take the paper's");
}

void latency(const AnalysisSubject& s, const ParamSet& params, Values& out) {
  const GpuSpec& g = s.gpu;
  const Part cd = cycles(s, params, "c_dram", 600, g.dram_latency_ns);
  // A GPU without L2 has no hits there, so that latency does not matter.
  const double l2_ns = g.l2_latency_ns > 0 ? g.l2_latency_ns : g.dram_latency_ns;
  const double l1_ns = g.l1_latency_ns > 0 ? g.l1_latency_ns : l2_ns;
  const auto mean = [&](const char* series, const char* name, const Rates& r, const Part& c1, const Part& c2) {
    const Part c =
        combine({r.first, r.second, c1, c2, cd}, [&] { return mean_latency(*c1, *r.first, *c2, *r.second, *cd); });
    std::string worked;
    if (c)
      worked = std::string(name) + " = " + text(*c1, 3) + " x " + text(*r.first, 3) + " + " + text(*c2, 3) + " x " +
               text(*r.second, 3) + " x (1 - " + text(*r.first, 3) + ") + " + text(*cd, 3) + " x (1 - " +
               text(*r.second, 3) + ") (1 - " + text(*r.first, 3) + ") = " + text(*c, 3) + " cycles (" + r.from + ")";
    add(out, series, c, "cycles", worked);
  };
  mean("x", "C_X", rates_of_x(s), cycles(s, params, "c_texture", 110, l1_ns),
       cycles(s, params, "c_l2_texture", 220, l2_ns));
  mean("a", "C_A", rates_of_a(s), cycles(s, params, "c_l1", 110, l1_ns), cycles(s, params, "c_l2", 230, l2_ns));
  const RunRecord* whole = s.run(product);
  const Part us = time_us(whole);
  add(out, "gflops", combine({us}, [&] { return whole->gflops.value; }), "GFLOP/s",
      us ? "2 nnz / time = " + text(whole->gflops.value) + " GFLOP/s" : "");
}

// What code balance needs from a run; `why` says why it is not known.
struct Shape {
  std::optional<Balance> balance;
  std::string why;
};
Shape shape_of(const RunRecord* run) {
  const Part executed = detail(run, "executed_flops");
  if (!executed) return {{}, executed.reason};
  if (run->nnz == 0 || run->rows == 0 || !(*executed > 0)) return {{}, "the matrix is empty"};
  Balance b;
  b.nnz = static_cast<double>(run->nnz);
  b.per_row = b.nnz / static_cast<double>(run->rows);
  b.beta = 2 * b.nnz / *executed;
  b.value_bytes = bytes_of(run->request.precision);
  b.index_bytes = 4;
  return {b, {}};
}

struct Balanced {
  Part alpha, b;
  std::string alpha_worked, b_worked;
};
Balanced balanced(const RunRecord* run) {
  const Part moved = counter(run, "dram_bytes");
  const Shape shape = shape_of(run);
  if (!shape.balance) return {missing(shape.why), missing(shape.why), {}, {}};
  const Balance& s = *shape.balance;
  // With V = 0 the equation still gives numbers, but they mean nothing: no data came from memory.
  constexpr double nothing = 0.01;  // share of the minimum bytes
  if (moved && *moved < nothing * run->minimum_bytes.value) {
    const Part held = missing("next to nothing came from DRAM, L2 held the product: not defined; take cold caches");
    return {held, held, {}, {}};
  }
  Balanced r;
  r.alpha = combine({moved}, [&] { return alpha_of(s, *moved); });
  r.b = combine({moved}, [&] { return code_balance(s, *r.alpha); });
  if (!r.b) return r;
  const std::string v = text(s.value_bytes), vi = text(s.value_bytes + s.index_bytes), v2 = text(2 * s.value_bytes);
  r.alpha_worked = "alpha = (V / nnz - " + vi + " / beta - " + v2 + " / N_nzr) / " + v + " = (" + text(*moved * 1e-6) +
                   " MB / " + text(s.nnz, 7) + " - " + vi + " / " + text(s.beta, 3) + " - " + v2 + " / " +
                   text(s.per_row, 3) + ") / " + v + " = " + text(*r.alpha, 3);
  r.b_worked = "B = (" + vi + " / " + text(s.beta, 3) + " + " + v + " x " + text(*r.alpha, 3) + " + " + v2 + " / " +
               text(s.per_row, 3) + ") / (2 + 3 / " + text(s.per_row, 3) + ") = " + text(*r.b, 3) + " bytes/flop";
  return r;
}

void balance(const AnalysisSubject& s, const ParamSet&, Values& out) {
  const Balanced b = balanced(s.run(product));
  add(out, "b", b.b, "bytes/flop", b.b_worked);
  add(out, "alpha", b.alpha, "1", b.alpha_worked);
}

void attainable(const AnalysisSubject& s, const ParamSet& params, Values& out) {
  const RunRecord* run = s.run(product);
  const Balanced b = balanced(run);
  const double set = params.at("bandwidth");
  const Part copy = set > 0                     ? known(set)
                    : s.gpu.dram_stream_gbs > 0 ? known(s.gpu.dram_stream_gbs)
                                                : missing("the copy bandwidth b of this GPU is not known: set it");
  const Part most = combine({b.b, copy}, [&] { return *copy / *b.b; });
  add(out, "max", most, "GFLOP/s",
      most ? "P_max = b / B = " + text(*copy) + " GB/s / " + text(*b.b, 3) + " bytes/flop = " + text(*most) + " GFLOP/s"
           : "");
  const Part us = time_us(run);
  const Part rate = combine({us}, [&] { return run->gflops.value; });
  add(out, "meas", rate, "GFLOP/s",
      rate ? "P_meas = 2 nnz / time = " + text(*rate) + " GFLOP/s" +
                 (most ? ", " + text(100 * *rate / *most, 3) + " % of P_max" : "")
           : "");
}

void times(const AnalysisSubject& s, const ParamSet&, Values& out) {
  const Part whole = time_us(s.run(product)), cx = time_us(s.run(constant_x)), ca = time_us(s.run(constant_a)),
             both = time_us(s.run(constant_both));
  const auto part = [&](const char* series, const char* name, double TimeSplit::* member, const std::string& how) {
    const Part p = combine({cx, ca, both}, [&] {
      const TimeSplit t = time_split(*cx, *ca, *both);
      return 100 * t.*member / t.total();
    });
    std::string worked;
    if (p) worked = std::string(name) + " = " + how + " us, " + text(*p, 3) + " % of T_total";
    add(out, series, p, "%", worked);
  };
  const auto minus = [](const Part& a, const Part& b) {
    return a && b ? text(*a) + " - " + text(*b) + " = " + text(*a - *b) : std::string();
  };
  part("a", "T_A = T(constant X) - T_Y", &TimeSplit::a, minus(cx, both));
  part("x", "T_X = T(constant A) - T_Y", &TimeSplit::x, minus(ca, both));
  part("y", "T_Y = T(constant A and X)", &TimeSplit::y, both ? text(*both) : "");
  const Part ratio = combine({whole, cx, ca, both}, [&] { return time_split(*cx, *ca, *both).total() / *whole; });
  add(out, "ratio", ratio, "1",
      ratio ? "T_total / T_SpMV = " + text(*ratio * *whole) + " us / " + text(*whole) + " us = " + text(*ratio, 3)
            : "");
}

void rates(const AnalysisSubject& s, const ParamSet&, Values& out) {
  const auto rate = [&](const char* series, const char* variant) {
    const RunRecord* run = s.run(variant);
    const Part us = time_us(run);
    const Part r = combine({us}, [&] { return run->gflops.value; });
    add(out, series, r, "GFLOP/s",
        r ? std::string(variant) + ": 2 nnz / " + text(*us) + " us = " + text(*r) + " GFLOP/s" : "");
  };
  rate("complete", product);
  rate("x", constant_x);
  rate("a", constant_a);
}

void coop(const AnalysisSubject& s, const ParamSet&, Values& out) {
  for (const auto& run : s.runs) {
    const Part l1 = counter(run.record.get(), "l1_hit_rate");
    add(out, "l1", l1, "%", l1 ? run.variant + ": hits / look-ups = " + text(*l1, 3) + " %" : "", run.x);
    const Part lanes = counter(run.record.get(), "active_lanes");
    const Part idle = combine({lanes}, [&] { return 100 * idle_share(*lanes); });
    add(out, "divergence", idle, "%",
        idle ? run.variant + ": 1 - " + text(*lanes, 3) + " / 32 = " + text(*idle, 3) + " %" : "", run.x);
  }
}

void stride(const AnalysisSubject& s, const ParamSet&, Values& out) {
  for (const auto& run : s.runs) {
    const RunRecord* r = run.record.get();
    const Part us = time_us(r);
    const Part gbs = combine({us}, [&] { return r->minimum_bytes.value / *us * 1e-3; });
    const bool f32 = run.variant.rfind("f32", 0) == 0;
    add(out, f32 ? "f32" : "f64", gbs, "GB/s",
        gbs ? run.variant + ": 3 values an element, " + text(r->minimum_bytes.value * 1e-6) + " MB / " + text(*us) +
                  " us = " + text(*gbs) + " GB/s"
            : "",
        run.x);
  }
}

// ---- the table

ParamSpec cycles_spec(const char* id, const char* label, const char* paper) {
  ParamSpec s;
  s.id = id, s.label = label, s.type = ParamSpec::Type::integer, s.min = 0, s.max = 2000, s.def = 0;
  s.help =
      std::string("Cycles of a load that ends there. 0: as the choice of latencies says (the paper's: ") + paper + ").";
  return s;
}

std::vector<ParamSpec> latency_params() {
  ParamSpec whose;
  whose.id = "latencies", whose.label = "Latencies", whose.type = ParamSpec::Type::choice, whose.max = 1;
  whose.choices = {"of this GPU", "of the paper"};
  whose.help = "Cycles for those that are not set below: what is known of this GPU, or the paper's of a Tesla K20X.";
  return {whose,
          cycles_spec("c_texture", "Texture, for x", "110"),
          cycles_spec("c_l2_texture", "L2, for x", "220"),
          cycles_spec("c_l1", "L1, for A", "none, since nothing hit there; 110 is taken"),
          cycles_spec("c_l2", "L2, for A", "230"),
          cycles_spec("c_dram", "DRAM", "600")};
}

std::vector<ParamSpec> bandwidth_params() {
  ParamSpec b;
  b.id = "bandwidth", b.label = "b (GB/s)", b.type = ParamSpec::Type::integer, b.max = 20000;
  b.help = "Bandwidth of a long copy. 0: what is known of this GPU. The paper measured 180 GB/s on a Tesla K20X.";
  return {b};
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<AnalysisRow> table() {
  return {
      {.info = {"throughput", "Throughput at each level", "EVC-HYB paper, Figure 6",
                "How many bytes a second each memory level hands upward. A level near its roof is what limits.",
                "throughput = bytes loaded at the level / time", "the product"},
       .y_label = "GB/s",
       .y2_label = "",
       .sweep = "",
       .series = {{"dram", "DRAM read", Level::dram},
                  {"l2", "L2 read", Level::l2},
                  {"l2_texture", "L2 read by the texture cache", Level::l2},
                  {"texture", "texture cache", Level::l1},
                  {"l1", "SM cache (L1 and texture)", Level::l1}},
       .runs = product_alone,
       .values = throughput},
      {.info =
           {"hit_rates", "Cache hit rates", "EVC-HYB paper, Figure 7",
            "How much of what is asked of each cache it holds. Where texture and L1 are one cache, there is no rate of "
            "the texture cache alone.",
            "hit rate = hits / look-ups, in 32-byte sectors", "the product"},
       .y_label = "hit rate (%)",
       .y2_label = "",
       .sweep = "",
       .series = {{"texture", "texture cache, h_t", Level::l1},
                  {"l2_texture", "L2 for texture, h_L2t", Level::l2},
                  {"l1", "SM cache, h_L1", Level::l1},
                  {"l2_l1", "L2 for the rest, h_L2_L1", Level::l2}},
       .runs = product_alone,
       .values = hit_rates},
      {.info = {"latency", "Mean latencies C_X and C_A", "EVC-HYB paper, Figure 8",
                "Cycles that a mean load of x, and of the matrix, takes to come. A high C_X goes with low speed.",
                "C = C1 h1 + C2 h2 (1 - h1) + Cd (1 - h2) (1 - h1)",
                "the product, and the product with constant x (x_cache = constant)", latency_params()},
       .y_label = "cycles per load",
       .y2_label = "GFLOP/s",
       .sweep = "",
       .series = {{"x", "C_X"}, {"a", "C_A"}, {"gflops", "GFLOP/s", Level::compute, true}},
       .runs = without_x,
       .values = latency},
      {.info =
           {"balance", "Code balance B and alpha", "EVC-HYB paper, Figure 10",
            "B: bytes from memory per flop. Alpha: how often each entry's x comes from memory; near 0 it is always "
            "cached, at 1 never, above 1 whole sectors come for single values. Below 0: L2 held part of the matrix.",
            "B = ((v + i) / beta + v alpha + 2 v / N_nzr) / (2 + 3 / N_nzr), v and i the bytes of a value and an "
            "index, "
            "beta = nnz / slots, alpha from V = DRAM bytes",
            "the product"},
       .y_label = "B (bytes/flop)",
       .y2_label = "alpha",
       .sweep = "",
       .series = {{"b", "code balance B"}, {"alpha", "alpha", Level::compute, true}},
       .runs = product_alone,
       .values = balance},
      {.info = {"attainable", "P_max against P_meas", "EVC-HYB paper, Figure 11",
                "The speed that code balance allows, beside the speed that was reached. No strict bound: it rests on a "
                "copy's "
                "bandwidth.",
                "P_max = b / B, b the bandwidth of a copy", "the product", bandwidth_params()},
       .y_label = "GFLOP/s",
       .y2_label = "",
       .sweep = "",
       .series = {{"max", "P_max", Level::dram}, {"meas", "P_meas", Level::compute}},
       .runs = product_alone,
       .values = attainable},
      {.info =
           {"times", "Time of A, X and Y", "EVC-HYB paper, Figures 12 and 13",
            "Where the time goes: the matrix' values, x with its index array, and y with the rest. The ratio says how "
            "far the parts add up to the whole; above 1 they overlap.",
            "T_A = T(constant X) - T_Y, T_X = T(constant A) - T_Y, T_Y = T(constant A and X)",
            "the product, with constant x, with a constant matrix, with both"},
       .y_label = "share of T_total (%)",
       .y2_label = "T_total / T_SpMV",
       .sweep = "",
       .series = {{"a", "T_A", Level::none, false, true},
                  {"x", "T_X", Level::none, false, true},
                  {"y", "T_Y", Level::none, false, true},
                  {"ratio", "T_total / T_SpMV", Level::compute, true}},
       .runs = each_part,
       .values = times},
      {.info = {"rates", "Speed without X, without A", "EVC-HYB paper, Figure 14",
                "What the product would gain if x, or the matrix' values, cost nothing.", "2 nnz / time",
                "the product, with constant x, with a constant matrix"},
       .y_label = "GFLOP/s",
       .y2_label = "",
       .sweep = "",
       .series = {{"complete", "complete"}, {"x", "constant X"}, {"a", "constant A"}},
       .runs = either_part,
       .values = rates},
      {.info = {"coop", "L1 hit rate and divergence over coop", "Reguly & Giles 2012, Table 2",
                "More threads to a row share its cache lines and hit more often; too many of them idle. The paper's "
                "profiler "
                "counted divergent branches; here divergence is the share of idle lanes, which is not the same number.",
                "divergence = 1 - active lanes / 32", "the product for coop = 1, 2, 4, 8, 16, 32"},
       .y_label = "%",
       .y2_label = "",
       .sweep = "threads per row (coop)",
       .series = {{"l1", "L1 hit rate", Level::l1}, {"divergence", "divergence", Level::compute}},
       .runs = over_coop,
       .values = coop},
      {.info = {"stride", "Stride and bandwidth", "Bell & Garland 2008, Figure 3",
                "What coalescing is worth: the same work on elements further and further apart.",
                "bandwidth = 3 values per element taken / time", "axpy for strides 1 to 32, f32 and f64"},
       .y_label = "useful GB/s",
       .y2_label = "",
       .sweep = "stride (elements)",
       .series = {{"f32", "saxpy (f32)"}, {"f64", "daxpy (f64)"}},
       .kernel = "axpy",
       .runs = over_stride,
       .values = stride},
  };
}

}  // namespace

const RunRecord* AnalysisSubject::run(const std::string& variant) const {
  for (const Done& d : runs)
    if (d.variant == variant) return d.record.get();
  return nullptr;
}

const std::vector<AnalysisRow>& analyses() {
  static const std::vector<AnalysisRow> rows = table();
  return rows;
}

const AnalysisRow& analysis_row(const std::string& id) {
  std::string known;
  for (const AnalysisRow& row : analyses()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown analysis " + id, {}, "known: " + known);
}

}  // namespace warpspy
