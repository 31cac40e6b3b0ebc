#include "core/model/best_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/run/compare.hpp"

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

// Told as a reason: a share of the bytes.
constexpr double kFewer = 0.97;

bool counts(const RunRecord& r) {
  return r.status == RunStatus::ok && !(r.check && !r.check->passed) && r.time.value > 0 && r.request.alpha == 1 &&
         r.request.beta == 0;
}

// Numbers are known by their fingerprint; runs of older versions have none, and are known by their source.
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

// "12.1 MB", of DRAM where both tell it, else those that the format moves at least; nothing where they do not tell.
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

// What the second suffers from most, and the best does not.
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

BestRun best_of(const Rivals& rivals, const Catalog& catalog, const ShareOf& share_of) {
  BestRun b;
  b.operation = rivals.operation;
  std::set<std::string> kernels;
  for (const Run& r : rivals.runs) {
    ++b.runs;
    kernels.insert(r->request.kernel);
    if (!b.best || r->time.value < b.best->time.value) b.best = r;
  }
  for (const Run& r : rivals.runs)
    if (r->request.kernel != b.best->request.kernel && (!b.second || r->time.value < b.second->time.value))
      b.second = r;
  b.kernels = kernels.size();
  if (share_of) b.share = share_of(*b.best);
  b.params = params_text(*b.best, catalog);
  b.why = b.second ? why_faster(*b.best, *b.second) : "no other kernel was run";
  b.limit = limit_of(*b.best);
  return b;
}

}  // namespace

std::string why_faster(const RunRecord& best, const RunRecord& second) {
  const std::string& name = second.kernel_label;
  const auto noise = noise_of_time(best), other = noise_of_time(second);
  if (noise && other && 100 * (second.time.value - best.time.value) <= (*noise + *other) * best.time.value)
    return best.time.value == second.time.value ? "it takes as long as " + name
                                                : "it is no faster than " + name + " beyond the noise";
  std::string text;
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

std::vector<BestRun> best_runs(const std::vector<Run>& runs, const Catalog& catalog, const ShareOf& share_of) {
  using Key = std::tuple<std::string, Precision, std::string, CacheState, Operation>;
  const std::map<std::string, std::string> fingerprints = fingerprints_of(runs);
  std::map<std::string, std::size_t> matrices;
  std::map<Key, Rivals> all;
  for (const Run& r : runs) {
    if (!counts(*r)) continue;
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
  for (const Rivals* rivals : order) out.push_back(best_of(*rivals, catalog, share_of));
  return out;
}

}  // namespace warpspy
