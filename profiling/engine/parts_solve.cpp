// A solve over several simulated GPUs.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "core/matrix/memory_guard.hpp"
#include "core/run/solve_launches.hpp"
#include "core/solve/on_host.hpp"
#include "kernels/solve/share.hpp"
#include "profiling/engine/part_products.hpp"
#include "profiling/engine/parts_runner.hpp"
#include "profiling/engine/rank_words.hpp"
#include "profiling/engine/simulated_runner.hpp"
#include "profiling/ranks/ranks.hpp"

namespace warpspy {
namespace {

// An iteration of one part. Its steps have one time each.
struct PartIteration {
  std::vector<IterationStep> steps;
  double launch_us = 0;
  int launches = 0;
  std::string how;
};

// What an iteration's launches are, and how long each takes; `halo_us`: of a product with the halo.
std::vector<IterationStep> steps_of(const IterationPlan& plan, const std::vector<double>& us, double halo_us,
                                    bool hides_exchange) {
  using Work = IterationStep::Work;
  std::vector<IterationStep> steps;
  std::size_t products = 0, exchanges = 0;
  for (std::size_t at = 0; at < plan.unit_launches(); ++at) {
    switch (plan.parts[at]) {
      case SolvePart::product: {
        double sum = 0;
        const std::size_t end = plan.product_ends.at(products++);
        for (; at < end; ++at) sum += us.at(at);
        steps.push_back({Work::product, {sum + us.at(end)}, {halo_us}});
        break;
      }
      case SolvePart::dots:
        steps.push_back({Work::dots, {us.at(at)}});
        break;
      case SolvePart::updates:
        steps.push_back({Work::vectors, {us.at(at)}});
        break;
      case SolvePart::exchange:
        steps.push_back({Work::exchange, {us.at(at)}, {}, plan.exchanges.at(exchanges++).sums, hides_exchange});
        break;
    }
  }
  return steps;
}

// The steps of all parts: each has a time of each part. A part without rows does nothing.
std::vector<IterationStep> together(const std::vector<PartIteration>& parts) {
  const auto first = std::find_if(parts.begin(), parts.end(), [](const auto& p) { return !p.steps.empty(); });
  if (first == parts.end()) throw Error("a matrix without rows is no system");
  std::vector<IterationStep> all = first->steps;
  for (std::size_t s = 0; s < all.size(); ++s) {
    all[s].us.assign(parts.size(), 0);
    if (all[s].work == IterationStep::Work::product) all[s].halo_us.assign(parts.size(), 0);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].steps.empty()) continue;
      const IterationStep& own = parts[k].steps.at(s);
      all[s].us[k] = own.us[0];
      if (!own.halo_us.empty()) all[s].halo_us[k] = own.halo_us[0];
    }
  }
  return all;
}

// The iteration of the slowest part, and the sums over all unknowns.
void tell_iteration(const IterationTime& t, const std::vector<IterationStep>::size_type exchanges, RunRecord& r) {
  std::map<std::string, double> sums;
  int number = 0;
  for (const PartStretch& s : t.of_slowest) {
    sums[s.work] += s.us;
    r.details.push_back(detail_of(SolveLaunch{++number, s.work, s.us}, Provenance::modelled));
  }
  for (const auto& [work, us] : sums)
    add_detail(r, ("iteration_" + work).c_str(), ("iteration: " + work).c_str(), us, "us", Provenance::modelled);
  add_detail(r, "exchanges", "iteration: exchanges of sums", static_cast<double>(exchanges), "1", Provenance::modelled);
  add_detail(r, "exchange_messages", "iteration: messages of sums", t.messages_us, "us", Provenance::modelled);
  add_detail(r, "exchange_exposed", "iteration: messages of sums that no product hides", t.exposed_us, "us",
             Provenance::modelled);
}

}  // namespace

PartsRunner::Iteration PartsRunner::modelled_iteration(const PreparedRun& run, const LinearSystem& system,
                                                       const SolveOptions& options, PartProducts& products,
                                                       Progress& progress) {
  progress.stage("modelling an iteration");
  const Link& link = link_of(run.model->links, run.device.spec.id);
  const int value_bytes = bytes_of(run.request.precision);
  const IterationInputs whole = iteration_inputs(system, options, 1);
  std::vector<PartIteration> parts(partition_.parts.size());
  for_parts(progress, [&](std::size_t k, const Part& part) {
    if (part.rows.empty()) return;
    progress.check();
    const LinearSystem own = system_of_part(system, part);
    const IterationInputs inputs =
        inputs_of_part(whole, own, part, static_cast<int>(parts.size()), static_cast<int>(k));
    IterationPlan plan;
    const PartProducts::Around iteration{.make =
                                             [&](const PreparedRun& of_part) {
                                               EmulatedIteration made =
                                                   emulated_iteration(of_part.kernel, of_part.inputs(), inputs);
                                               plan = std::move(made.plan);
                                               return std::move(made.product);
                                             },
                                         .products = static_cast<double>(products_of(options)),
                                         .calibrated = false};
    const PartPiece piece = products.local(part, inputs.x, {}, prepared_[k].local, iteration, progress);
    double bytes = piece.array_bytes;
    PartPiece halo;
    if (part.halo->nnz() > 0) {
      const std::vector<double> before(part.rows.size() - static_cast<std::size_t>(part.boundary));
      halo = products.halo(part, gathered(whole.x, part.halo_columns), before, prepared_[k].halo,
                           {.times = static_cast<int>(plan.product_ends.size()), .calibrated = false}, progress);
      bytes += halo.format_bytes + static_cast<double>(part.halo_columns.size()) * value_bytes;
    }
    products.require_room(bytes);
    const bool hides_exchange = options.solver == Solver::pipelined_cg;
    const std::size_t launches = piece.time.launches.size(), products_done = plan.product_ends.size();
    const double seen = static_cast<double>(hides_exchange ? launches - 1 : launches) / static_cast<double>(launches);
    parts[k].steps = steps_of(plan, piece.time.launches, halo.time.total, hides_exchange);
    parts[k].launch_us = seen * piece.time.launch + static_cast<double>(products_done) * halo.time.launch;
    parts[k].launches = static_cast<int>(launches + products_done * halo.time.launches.size());
    parts[k].how = piece.time.how;
  });
  if (ranks_) {
    const PartIteration& own = parts[static_cast<std::size_t>(ranks_->rank())];
    std::vector<std::string> counts;
    std::size_t k = 0;
    for (const std::string& told :
         ranks_->gather(wire::pack(own.steps, own.launch_us, own.launches, own.how, products.counts()))) {
      PartIteration& of = parts[k++];
      wire::unpack(told, of.steps, of.launch_us, of.launches, of.how, counts.emplace_back());
    }
    products.take_counts(counts);
  }
  Iteration all;
  all.steps = together(parts);
  all.time = iteration_time(partition_, all.steps, link, value_bytes);
  const PartIteration& slowest = parts[all.time.slowest];
  all.launch_us = slowest.launch_us, all.launches = slowest.launches, all.how = slowest.how;
  return all;
}

void PartsRunner::solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress) {
  if (!run.device.simulated) return solve_on_gpus(run, r, given, progress);
  const RunRequest& request = run.request;
  const SolveOptions options = solve_options(request);
  require_deterministic(run);
  solve::require_product(run.kernel);
  require_emulated(run);
  agree(run);
  const Link& link = link_of(run.model->links, run.device.spec.id);
  const auto asked = std::chrono::steady_clock::now();
  if (run.matrix->rows() == run.matrix->cols()) divide(run, progress);  // if not, making the system says so
  PartProducts products(run);
  const LinearSystem system =
      system_of(request, run.matrix, given, progress, [&](const LinearSystem& of_estimate, const SolveOptions& cg) {
        CgCoefficients found = cg_on_host(of_estimate, cg, progress);
        PartProducts not_counted(run);
        found.us = static_cast<double>(found.alpha.size()) *
                   modelled_iteration(run, of_estimate, cg, not_counted, progress).time.us;
        return found;
      });
  require_memory((vectors_of(options) + 8) * static_cast<double>(system.rows()) * sizeof(double),
                 "the vectors of the solve");
  const Iteration iteration = modelled_iteration(run, system, options, products, progress);
  const IterationTime& t = iteration.time;
  r.parts = t.parts;
  tell_partition(partition_, &link, request.precision, divided_us_, r);
  note_ranks(r);
  products.tell(r);
  set_iteration(run, options, r.minimum_bytes.value, r, t.us, Provenance::modelled,
                "an iteration of all parts, which wait for each other at each sum; " +
                    part_name(t.slowest, t.parts.size()) + " waits least; " + iteration.how);
  tell_iteration(t,
                 std::count_if(iteration.steps.begin(), iteration.steps.end(),
                               [](const IterationStep& s) { return s.work == IterationStep::Work::exchange; }),
                 r);
  add_detail(r, "iteration_launches", "iteration: launches", iteration.launches, "1", Provenance::modelled);
  add_detail(r, "bound_launch", "launches", iteration.launch_us, "us", Provenance::modelled);
  const std::chrono::duration<double> answered = std::chrono::steady_clock::now() - asked;
  add_detail(r, "answered", "model answered in", answered.count(), "s", Provenance::measured);
  progress.stage("computing the iterations");
  std::vector<double> x;
  r.solve = ranks_ ? solve_by_ranks(run, system, options, progress, x) : solve_on_host(system, options, progress, x);
  note_modelled(options, request.precision, r);
  if (options.solver == Solver::pipelined_cg)
    r.notes.push_back("the sums of an iteration travel while its product runs");
  add_solution(run, r, system, t.us * static_cast<double>(r.solve->iterations), Provenance::modelled);
  if (!ranks_ || ranks_->rank() == 0 || given) hand_over(std::move(x), request, given);
}

SolveResult PartsRunner::solve_by_ranks(const PreparedRun& run, const LinearSystem& system, const SolveOptions& options,
                                        Progress& progress, std::vector<double>& x) {
  const Part& part = partition_.parts[static_cast<std::size_t>(ranks_->rank())];
  RankPeers peers(*ranks_, part);
  LinearSystem own = system_of_part(system, part);
  own.own_values = values_in(*part.local, run.request.view, system.precision);
  own.shared = {part.halo, values_in(*part.halo, run.request.view, system.precision), part.boundary, &peers};
  std::vector<double> mine;
  SolveResult result = solve_on_host(own, options, progress, mine);
  result.numbers_from = "the processors of " + std::to_string(ranks_->size()) + " ranks";
  x.resize(static_cast<std::size_t>(system.rows()));
  std::size_t k = 0;
  for (const std::string& told : ranks_->gather(wire::pack(mine))) {
    wire::unpack(told, mine);
    const std::vector<index_t>& rows = partition_.parts[k++].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) x[static_cast<std::size_t>(rows[i])] = mine.at(i);
  }
  return result;
}

}  // namespace warpspy
