#include "core/diagnosis/parts_findings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/diagnosis/words.hpp"

namespace warpspy {
namespace {

// A cause that takes less of the time is not told.
constexpr double least_share = 0.05;

// What the slowest part takes beyond the mean of the parts' own work, in us. Own work is the local product; in an
// iteration of a solve, also vectors and a part's share of the sums.
struct Losses {
  PartResult slowest;
  double work_us = 0, mean_us = 0;  // own work of the slowest part, and of all on average
  double imbalance = 0;             // its own work takes so much longer
  double sums = 0;                  // messages of sums over all GPUs that no product hides
  double latency = 0;               // of its waiting, what messages without content would take too
  double halo = 0;                  // the rest of its waiting, and the product with the halo
  double latency_us = 0;            // of a message
};
// The products whose times are added up.
double products_in(const RunRecord& r) { return r.solve ? products_of(solve_options(r.request)) : 1; }
double own_work(const PartResult& p) { return p.local_us + p.vectors_us + p.dots_us; }

Losses losses_of(const RunRecord& r) {
  Losses l;
  const PartResult* slowest = &r.parts.front();
  for (const PartResult& p : r.parts) {
    l.mean_us += own_work(p) / static_cast<double>(r.parts.size());
    if (is_slower(p, *slowest, r.solve.has_value())) slowest = &p;
  }
  const PartResult& s = l.slowest = *slowest;
  l.work_us = own_work(s);
  if (const Quantity* q = r.detail("exchange_exposed")) l.sums = q->value;
  if (const Quantity* q = r.detail("link_latency")) l.latency_us = q->value;
  if (s.link_us > 0)
    l.latency =
        s.waiting_us * std::min(1.0, products_in(r) * static_cast<double>(s.messages) * l.latency_us / s.link_us);
  l.imbalance = std::max(0.0, l.work_us - l.mean_us);
  l.halo = s.waiting_us - l.latency + s.halo_us;
  return l;
}

Finding of_halo(const RunRecord& r, const Losses& l) {
  Finding f;
  f.rule = "parts_halo", f.title = "The halo";
  f.share = l.halo / r.time.value;
  f.limit = percent_of(f.share) + " of the slowest part's time go to x of other parts.";
  f.evidence = "It gets " + grouped(l.slowest.halo_in, ',') + " numbers, waits " + us_text(l.halo - l.slowest.halo_us) +
               " for them beyond the latency of messages, and its product with them takes " +
               us_text(l.slowest.halo_us) + ".";
  f.advice = r.request.split == Split::metis
                 ? "Use fewer parts, or a larger matrix: its halo grows less than its parts."
                 : "Divide by METIS (--split metis), or use an order of rows that gathers entries near the diagonal; "
                   "or use fewer parts.";
  return f;
}

Finding of_latency(const RunRecord& r, const Losses& l) {
  Finding f;
  f.rule = "parts_latency", f.title = "Latency of messages";
  f.share = l.latency / r.time.value;
  f.limit = percent_of(f.share) + " of the slowest part's time pass while messages begin.";
  f.evidence = "It gets " + grouped(l.slowest.messages, ',') + (l.slowest.messages == 1 ? " message" : " messages") +
               ", each with a latency of " + us_text(l.latency_us) + ", and its local product takes only " +
               us_text(l.slowest.local_us) + ".";
  f.advice = "Use fewer parts, or a larger matrix: longer local products hide the messages.";
  return f;
}

Finding of_imbalance(const RunRecord& r, const Losses& l) {
  Finding f;
  f.rule = "parts_imbalance", f.title = "Uneven parts";
  f.share = l.imbalance / r.time.value;
  f.limit =
      "Other parts have less to do than the slowest: even ones would save " + percent_of(f.share) + " of the time.";
  f.evidence = std::string(r.solve ? "Its local products, vectors and sums take " : "Its local product takes ") +
               us_text(l.work_us) + ", on average they take " + us_text(l.mean_us) + ".";
  f.advice = r.request.split == Split::rows
                 ? "Divide by entries (--split entries), which are then even, or by METIS (--split metis)."
                 : "Try another number of parts: a few long rows cannot be divided.";
  return f;
}

Finding of_sums(const RunRecord& r, const Losses& l) {
  Finding f;
  f.rule = "parts_sums", f.title = "Sums over all GPUs";
  f.share = l.sums / r.time.value;
  f.limit = percent_of(f.share) + " of an iteration pass while sums travel between the GPUs.";
  const Quantity *exchanges = r.detail("exchanges"), *messages = r.detail("exchange_messages");
  if (exchanges && !messages)
    f.evidence = "An iteration exchanges sums " + grouped(static_cast<index_t>(exchanges->value), ',') +
                 (exchanges->value == 1 ? " time" : " times") + ", and the part that waits least waits " +
                 us_text(l.sums) + " for them.";
  if (exchanges && messages)
    f.evidence = "An iteration exchanges sums " + grouped(static_cast<index_t>(exchanges->value), ',') +
                 (exchanges->value == 1 ? " time" : " times") + "; their messages take " + us_text(messages->value) +
                 ", and no product hides " + us_text(l.sums) + " of it.";
  f.advice = r.request.solver == Solver::cg
                 ? "Pipelined CG lets its sums travel while the product runs; or use fewer parts, or a larger matrix."
                 : "Use fewer parts, or a larger matrix.";
  return f;
}

}  // namespace

std::vector<Finding> diagnose_parts(const RunRecord& r) {
  std::vector<Finding> all;
  if (r.parts.empty() || r.status != RunStatus::ok || !(r.time.value > 0)) return all;
  const Losses l = losses_of(r);
  for (Finding f : {of_halo(r, l), of_latency(r, l), of_imbalance(r, l), of_sums(r, l)})
    if (f.share >= least_share) all.push_back(std::move(f));
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) { return a.share > b.share; });
  if (all.empty()) {
    Finding f;
    f.kind = Finding::Kind::note;
    f.rule = "parts_nothing", f.title = "Nothing limits the parts";
    f.limit = r.solve ? "Neither the halo, nor latency, nor sums, nor uneven parts take 5 % of an iteration."
                      : "Neither the halo, nor latency, nor uneven parts take 5 % of the time.";
    f.evidence = "The slowest part takes " + us_text(r.time.value) + ", and " +
                 (r.solve ? "local products, vectors and sums " : "the local products ") + us_text(l.mean_us) +
                 " on average.";
    f.advice = "More parts may be faster still; what limits a part is told by a run of --parts 1.";
    all.push_back(std::move(f));
  }
  for (Finding& f : all) f.provenance = r.provenance;
  return all;
}

}  // namespace warpspy
