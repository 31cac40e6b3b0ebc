#include "core/model/best_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/run/compare.hpp"
#include "core/run/time_interval.hpp"

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// Below this share of the other's bytes, fewer bytes are given as a reason.
constexpr double kFewer = 0.97;

// Matrices are identified by their fingerprint. Runs of older versions have none and are identified by their source.
std::map<std::string, std::string> fingerprints_of(const std::vector<Run>& runs) {
  std::map<std::string, std::string> of;
  for (const Run& r : runs)
    if (!r->fingerprint.empty()) of[r->request.matrix] = r->fingerprint;
  return of;
}

struct Rivals {
  std::size_t first = 0;  // place of the first run of its matrix
  Operation operation = Operation::product;
  std::vector<Run> runs;
};

// A text such as "12.1 MB": DRAM bytes if both runs have them, else the minimum bytes of the formats; empty if unknown.
struct Bytes {
  const char* verb;
  double best, second;
};
std::optional<Bytes> bytes_of_both(const RunRecord& best, const RunRecord& second) {
  const auto dram = [](const RunRecord& r) {
    const Counter* c = r.counter("dram_bytes");
    return c ? c->value.value_or(0) : 0;
  };
  if (dram(best) > 0 && dram(second) > 0) return Bytes{"moves", dram(best), dram(second)};
  if (best.minimum_bytes.value > 0 && second.minimum_bytes.value > 0)
    return Bytes{"moves at least", best.minimum_bytes.value, second.minimum_bytes.value};
  return std::nullopt;
}

// The main limit of the second run that the best run does not have.
const Finding* own_limit(const RunRecord& second, const RunRecord& best) {
  const Finding* worst = nullptr;
  for (const Finding& f : second.findings) {
    const bool shared =
        std::any_of(best.findings.begin(), best.findings.end(), [&](const Finding& b) { return b.rule == f.rule; });
    if (f.kind == Finding::Kind::limit && !shared && (!worst || f.share > worst->share)) worst = &f;
  }
  return worst;
}

std::string limit_of(const RunRecord& r) {
  for (const Finding& f : r.findings)
    if (f.kind == Finding::Kind::limit || f.kind == Finding::Kind::finished) return f.title;
  return "";
}

// For each kernel and parameters the fastest run.
std::vector<BestCandidate> fastest_of_each(const std::vector<Run>& runs, const Catalog& catalog) {
  std::map<std::tuple<std::string, ParamSet, ParamSet>, Run> fastest;
  for (const Run& r : runs) {
    Run& kept = fastest[{r->request.kernel, r->request.params, r->request.format_params}];
    if (!kept || r->time.value < kept->time.value) kept = r;
  }
  std::vector<BestCandidate> all;
  for (auto& [what, run] : fastest)
    all.push_back({run, run->kernel_label, preparation_of(*run, catalog.format(run->format))});
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.run->time.value < b.run->time.value; });
  return all;
}

std::vector<CheapestFor> cheapest_of(const std::vector<BestCandidate>& candidates) {
  std::vector<ProductCost> costs;
  for (const BestCandidate& c : candidates)  // a candidate with unknown preparation is never the cheapest
    costs.push_back(c.cost().value_or(ProductCost{std::numeric_limits<double>::quiet_NaN(), 0}));
  return cheapest(costs);
}

// For each kernel its fastest run, and its runs that are best for fewer products.
std::vector<BestCandidate> candidates_of(const std::vector<Run>& runs, const Catalog& catalog) {
  std::map<std::string, std::vector<BestCandidate>> kernels;
  for (BestCandidate& c : fastest_of_each(runs, catalog)) kernels[c.run->request.kernel].push_back(std::move(c));
  std::vector<BestCandidate> all;
  for (const auto& [id, of_kernel] : kernels) {
    std::set<std::size_t> telling = {0};
    for (const CheapestFor& c : cheapest_of(of_kernel)) telling.insert(c.candidate);
    for (const std::size_t k : telling) {
      all.push_back(of_kernel[k]);
      if (telling.size() == 1) continue;
      const std::string params = params_text(*of_kernel[k].run, catalog);
      all.back().name += params.empty() ? " (defaults)" : " (" + params + ")";
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.run->time.value < b.run->time.value; });
  return all;
}

// The total time for so many products; nothing if it is unknown.
std::optional<double> total_of(const BestCandidate& c, ProductCount n) {
  if (n == for_ever) return c.run->time.value;
  const std::optional<ProductCost> cost = c.cost();
  return cost ? std::optional(cost->total(static_cast<double>(n))) : std::nullopt;
}

// Finds the best run, and the best of another kernel; nullptr if unknown.
void choose(BestRun& b) {
  const auto least = [&](const std::string& but) {
    const BestCandidate* found = nullptr;
    for (const BestCandidate& c : b.candidates) {
      const std::optional<double> total = total_of(c, b.products);
      if (c.run->request.kernel != but && total && (!found || *total < *total_of(*found, b.products))) found = &c;
    }
    return found;
  };
  const BestCandidate* best = nullptr;
  for (const CheapestFor& c : b.cheapest)
    if (b.products != for_ever && c.holds(b.products)) best = &b.candidates[c.candidate];
  if (!best) best = least("");
  if (!best) return void(b.best = b.candidates.front().run);
  b.best = best->run, b.total_us = total_of(*best, b.products);
  if (const BestCandidate* second = least(best->run->request.kernel))
    b.second = second->run, b.second_us = total_of(*second, b.products);
}

std::string us_text(double us) {
  char text[40];
  std::snprintf(text, sizeof text, us >= 1000 ? "%.0f \xC2\xB5s" : "%.3g \xC2\xB5s", us);
  return text;
}
std::string whole_products(double n) {
  return products_text(static_cast<ProductCount>(std::clamp(std::ceil(n), 1.0, static_cast<double>(most_products))));
}

std::string why_better(const BestRun& b) {
  if (!b.total_us) return "no run tells its preparation";
  if (!b.second) return b.kernels > 1 ? "no other kernel tells its preparation" : "no other kernel was run";
  if (b.best->time.value <= b.second->time.value) return why_faster(*b.best, *b.second);
  const auto prepared = [&](const RunRecord& r) { return us_text(b.candidate(r)->preparation.us.value_or(0)); };
  return b.second->kernel_label + " is faster, " + us_text(b.second->time.value) + " to " +
         us_text(b.best->time.value) + " a product, but is prepared in " + prepared(*b.second) + ", this in " +
         prepared(*b.best);
}

BestRun best_of(const Rivals& rivals, const Catalog& catalog, const ShareOf& share_of, ProductCount products) {
  BestRun b;
  b.operation = rivals.operation;
  b.products = products;
  std::set<std::string> kernels;
  for (const Run& r : rivals.runs) {
    ++b.runs;
    kernels.insert(r->request.kernel);
    const FormatInfo* format = catalog.format(r->format);
    if (format && format->intermediate && (!b.csr || r->time.value < b.csr->time.value)) b.csr = r;
  }
  b.kernels = kernels.size();
  b.candidates = candidates_of(rivals.runs, catalog);
  b.cheapest = cheapest_of(b.candidates);
  choose(b);
  if (share_of) b.share = share_of(*b.best);
  b.params = params_text(*b.best, catalog);
  b.why = why_better(b);
  b.limit = limit_of(*b.best);
  return b;
}

}  // namespace

bool may_be_best(const RunRecord& r) {
  return r.status == RunStatus::ok && !(r.check && !r.check->passed) && r.time.value > 0 && r.request.alpha == 1 &&
         r.request.beta == 0 && !r.solve && r.parts.empty();
}

std::string why_faster(const RunRecord& best, const RunRecord& second) {
  const std::string& name = second.kernel_label;
  const auto noise = noise_of_time(best), other = noise_of_time(second);
  if (noise && other && 100 * (second.time.value - best.time.value) <= (*noise + *other) * best.time.value)
    return best.time.value == second.time.value ? "it takes as long as " + name
                                                : "it is no faster than " + name + " beyond the noise";
  std::string text;
  if (const std::string why = why_not_told_apart(best, second); !why.empty()) return "it " + why;
  const std::optional<Bytes> bytes = bytes_of_both(best, second);
  if (bytes && bytes->best < kFewer * bytes->second)
    text = std::string("it ") + bytes->verb + " " + byte_text(bytes->best, 3) + ", " + name + " " +
           byte_text(bytes->second, 3);
  if (const Finding* f = own_limit(second, best))
    text += (text.empty() ? "" : "; ") + name + " has: " + f->title +
            (f->share > 0 ? " (" + std::to_string(std::llround(100 * f->share)) + " % of its time)" : "");
  if (text.empty()) return "neither bytes nor what limits " + name + " tell why";
  return text;
}

const BestCandidate* BestRun::candidate(const RunRecord& run) const {
  for (const BestCandidate& c : candidates)
    if (c.run.get() == &run) return &c;
  return nullptr;
}

std::optional<double> BestRun::preparation_products() const {
  const BestCandidate* c = candidate(*best);
  if (!c || !c->preparation.us || !csr) return std::nullopt;
  return in_products(*c->preparation.us, csr->time.value);
}

std::string BestRun::why_no_products() const {
  const BestCandidate* c = candidate(*best);
  if (!c || !c->preparation.us) return c ? c->preparation.reason : "it is not known";
  return csr ? "" : "no kernel that reads CSR was run";
}

std::string crossings_text(const BestRun& b) {
  std::string text;
  for (const CheapestFor& c : b.cheapest) {
    const std::string& name = b.candidates[c.candidate].name;
    text += (text.empty() ? "" : ", then ") + name;
    if (std::isfinite(c.last)) text += " up to " + whole_products(c.last);
  }
  return b.cheapest.size() == 1 ? text + " for any number of products" : text;
}

std::string left_out_text(const BestRun& b) {
  std::string text;
  for (const BestCandidate& c : b.candidates)
    if (!c.preparation.us) text += (text.empty() ? "" : "; ") + c.name + ": " + c.preparation.reason;
  return text;
}

std::string cost_text(const BestRun& b) {
  const BestCandidate* c = b.candidate(*b.best);
  const std::string name = c ? c->name : b.best->kernel_label, product = us_text(b.best->time.value);
  std::string text = "For " + products_text(b.products) + " ";
  if (!b.total_us)
    text +=
        "the best is not known: no run tells its preparation. The fastest is " + name + ", " + product + " a product";
  else if (b.products == for_ever)
    text += name + " takes least: " + product + " a product";
  else
    text += name + " takes least: " + us_text(*b.total_us) + " = " + us_text(*c->preparation.us) +
            " of preparation + " + grouped(static_cast<index_t>(b.products), ',') + " x " + product;
  if (b.total_us && b.products == for_ever) {
    const std::optional<double> n = b.preparation_products();
    if (c && c->preparation.us)
      text += *c->preparation.us > 0 ? ", prepared in " + us_text(*c->preparation.us) : ", without preparation";
    if (n && *c->preparation.us > 0) text += " (" + whole_products(*n) + " of " + b.csr->kernel_label + ")";
  }
  text += std::string(" (") + name_of(b.best->time.provenance) + ").";
  if (const std::string crossings = crossings_text(b); !crossings.empty()) text += " " + crossings + ".";
  if (const std::string left = left_out_text(b); !left.empty()) text += " Left out: " + left + ".";
  return text;
}

std::vector<BestRun> best_runs(const std::vector<Run>& runs, const Catalog& catalog, const ShareOf& share_of,
                               ProductCount products) {
  using Key = std::tuple<std::string, Precision, std::string, CacheState, Operation>;
  const std::map<std::string, std::string> fingerprints = fingerprints_of(runs);
  std::map<std::string, std::size_t> matrices;
  std::map<Key, Rivals> all;
  for (const Run& r : runs) {
    if (!may_be_best(*r)) continue;
    const KernelInfo* kernel = catalog.kernel(r->request.kernel);
    const Operation operation = kernel ? kernel->operation : Operation::product;
    const auto known = fingerprints.find(r->request.matrix);
    std::string matrix = !r->fingerprint.empty()       ? r->fingerprint
                         : known != fingerprints.end() ? known->second
                                                       : r->request.matrix;
    const std::size_t first = matrices.try_emplace(matrix, matrices.size()).first->second;
    Rivals& rivals = all[{std::move(matrix), r->request.precision, r->device, r->request.cache_state, operation}];
    rivals.first = first, rivals.operation = operation;
    rivals.runs.push_back(r);
  }
  std::vector<const Rivals*> order;
  for (const auto& [key, rivals] : all) order.push_back(&rivals);
  std::stable_sort(order.begin(), order.end(), [](const Rivals* a, const Rivals* b) { return a->first < b->first; });
  std::vector<BestRun> out;
  for (const Rivals* rivals : order) out.push_back(best_of(*rivals, catalog, share_of, products));
  return out;
}

}  // namespace warpspy
