// Runs plans: the only caller of Engine::run and run_in_turn, so that what holds for one product holds for all. It puts
// a record together of what its parts return, and it keeps it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/catalog/catalog.hpp"
#include "core/diagnosis/predict.hpp"
#include "core/experiment/plan.hpp"
#include "core/run/engine.hpp"
#include "core/run/history.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy {

// What is found out of a record before it is kept.
enum class Diagnose : std::uint8_t {
  none,
  bounds,  // what limits it, by bounds alone
  model,   // and what the model of its GPU says of each change: some tenths of a second each
};

// Where results go, and what is done with them.
struct ExecutorOptions {
  History* history = nullptr;     // nullptr: they are not kept there
  SweepFolder* folder = nullptr;  // the same: a file for each product
  Maker here = {};                // who makes results now; for the folder
  bool look_first = false;        // what lies in the folder is not run again
  Diagnose limits = Diagnose::none;
};

// How a plan ended. What came until then stands in its results, and the same plan goes on from them.
enum class PlanEnd : std::uint8_t { done, cancelled, device_lost };

// The matrix of a request, by its source. Throws Error where it cannot be had: then the cases that want it fail.
// Called when the matrix changes; what it returned before is not used any more.
using MatrixOf = std::function<const Matrix&(const std::string& source, Progress& progress)>;

// Who hears what while a plan runs, on the thread that runs it.
struct PlanEvents {
  std::function<void(const Case&)> begins = {};
  std::function<void(const CaseResult&)> ended = {};
};

class Executor {
 public:
  // All of these, and what the options name, must live longer.
  Executor(Engine& engine, const Catalog& catalog, ExecutorOptions options = {})
      : engine_(engine), catalog_(catalog), options_(std::move(options)) {}

  // A whole plan. A case that fails ends nothing but itself. Throws Error when a result cannot be written.
  PlanEnd run(const Plan& plan, const MatrixOf& matrix_of, Progress& progress, Results& so_far,
              const PlanEvents& events = {});
  // Of one matrix, all that the plan asks for. Throws Cancelled too.
  Results run(const Plan& plan, const Matrix& matrix, Progress& progress, const PlanEvents& events = {});
  // One product of the plan of that name. Never throws for a run that failed or was cancelled; a cancelled one is not
  // kept. Throws Error when the result cannot be written.
  CaseResult run(const Case& wanted, const std::string& plan, const Matrix& matrix, Progress& progress,
                 const OnTimed& on_timed = {});

  std::size_t found() const { return found_; }  // products that had been run before

  // What limits a run and what would help, asked of the model. Its answers are trials of the store. Throws Cancelled.
  void find_limits(RunRecord& run, const Matrix& matrix, const RowStats& rows, Progress& progress,
                   ModelAnswers* kept = nullptr);

 private:
  // By what the folder knows a case; "": there is no folder. Throws Error and Cancelled.
  std::string id_of(const Case& wanted, Progress& progress);
  // Takes it from there, where that is wanted and it lies there.
  bool find(const std::string& id, CaseResult& out);
  void keep(const std::string& id, const CaseResult& result);
  static CaseResult unopened(const Case& wanted, const std::string& plan, const Error& why);
  CaseResult run_in_turn(const Case& wanted, const std::string& plan, const Matrix& matrix, Progress& progress);
  void find_limits_of(RunRecord& run, const Matrix& matrix, Progress& progress);

  Engine& engine_;
  const Catalog& catalog_;
  ExecutorOptions options_;
  std::size_t found_ = 0;
};

// Whether a run ended since its device was lost: nothing more runs there.
bool device_was_lost(const RunRecord& record);

}  // namespace warpspy
