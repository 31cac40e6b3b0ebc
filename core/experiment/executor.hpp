// Runs plans. It is the only caller of Engine::run and run_in_turn, so that all products are treated alike. It
// completes the record that the engine returns, and saves it.
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

// Tells how a record is examined before it is saved.
enum class Diagnose : std::uint8_t {
  none,
  bounds,  // what limits the run, by bounds only
  model,   // also what the model of the GPU predicts for each change: some tenths of a second each
};

// Tells where results are saved, and how they are examined.
struct ExecutorOptions {
  History* history = nullptr;     // nullptr: results are not saved there
  SweepFolder* folder = nullptr;  // the same, with a file for each product
  Maker here = {};                // the maker of new results, for the folder
  bool look_first = false;        // products with a result in the folder are not run again
  Diagnose limits = Diagnose::none;
  // The file to which a solve's solution x is written; "": none. A request must not name it, since requests may come
  // from other people's files.
  std::string solution = {};
};

// Tells how a plan ended. Its results so far are kept, and the same plan can continue from them.
enum class PlanEnd : std::uint8_t { done, cancelled, device_lost };

// Gives the matrix of a request, by its source. Throws Error if the matrix cannot be opened; the cases that need it
// then fail. It is called when the matrix changes; the matrix that it returned before is not used any more.
using MatrixOf = std::function<const Matrix&(const std::string& source, Progress& progress)>;

// Listeners for a running plan. They are called on the thread that runs it.
struct PlanEvents {
  std::function<void(const Case&)> begins = {};
  std::function<void(const CaseResult&)> ended = {};
};

class Executor {
 public:
  // The engine, the catalog, and the history and folder of the options must live longer than the executor.
  Executor(Engine& engine, const Catalog& catalog, ExecutorOptions options = {})
      : engine_(engine), catalog_(catalog), options_(std::move(options)) {}

  // Runs a whole plan. A case that fails does not stop it. Throws Error if a result cannot be written.
  PlanEnd run(const Plan& plan, const MatrixOf& matrix_of, Progress& progress, Results& so_far,
              const PlanEvents& events = {});
  // Runs a whole plan on one matrix. Throws Cancelled too.
  Results run(const Plan& plan, const Matrix& matrix, Progress& progress, const PlanEvents& events = {});
  // Runs one product for the plan with the name `plan`. It does not throw for a failed or cancelled run; a cancelled
  // run is not saved. Throws Error if the result cannot be written.
  CaseResult run(const Case& wanted, const std::string& plan, const Matrix& matrix, Progress& progress,
                 const OnTimed& on_timed = {});

  std::size_t found() const { return found_; }  // products whose results were in the folder already

  // Finds what limits a run, and asks the model what would help. The model's runs are saved as trials. Throws
  // Cancelled.
  void find_limits(RunRecord& run, const Matrix& matrix, const RowStats& rows, Progress& progress,
                   ModelAnswers* kept = nullptr);

 private:
  // The id of a case in the folder; "" without a folder. Throws Error and Cancelled.
  std::string id_of(const Case& wanted, Progress& progress);
  // Takes the result from the folder, if the options allow it and the folder has it.
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

// Whether a run ended because its device was lost; nothing more can run there.
bool device_was_lost(const RunRecord& record);

}  // namespace warpspy
