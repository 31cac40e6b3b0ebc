// Searches for parameters in a study: how good the best of a strategy's first products is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/search.hpp"
#include "core/study/quantity.hpp"

namespace warpspy {

// A search on one matrix and setup, for all cells that read it. The exhaustive search is always a part of it, since it
// finds the optimum.
struct StudySearch {
  std::string matrix, setup;  // as the study names them
  TuneRequest request;        // of the setup's parameters those that it states keep their values
  std::vector<ReadingKey> keys = {};
};

// The shortest time of all products of the search / the shortest of the strategy's first so many products, in %. A
// strategy that ended earlier keeps its best. `so_far`: the products, one of which the reading names.
Reading reading_of_search(const StudyQuantity& quantity, const TuneRecord& record, const Results& so_far);

// Runs searches product by product. Its arguments must live longer.
class SearchSteps {
 public:
  // `make`: empty where no search can be made.
  SearchSteps(const std::vector<StudySearch>& searches, MakeSearch make, const std::vector<DeviceInfo>& devices)
      : searches_(searches), make_(std::move(make)), devices_(devices) {}

  // Runs the next product. Returns false if all searches have ended, or if `end()` is not `done`. If a search cannot be
  // made, its cells have no numbers, but the reason. Throws Error when a result cannot be written.
  bool step(Executor& executor, const MatrixOf& matrix_of, Progress& progress, const PlanEvents& events);
  PlanEnd end() const { return end_; }

  const Readings& readings() const { return readings_; }       // of the searches that have ended
  std::size_t left() const { return searches_.size() - at_; }  // searches that have not ended
  std::size_t products() const { return products_; }
  double seconds() const { return seconds_; }  // time of the products that ran now

 private:
  void ended();

  const std::vector<StudySearch>& searches_;
  MakeSearch make_;
  const std::vector<DeviceInfo>& devices_;
  std::size_t at_ = 0, products_ = 0;
  double seconds_ = 0;
  PlanEnd end_ = PlanEnd::done;
  std::unique_ptr<SearchPlan> plan_;  // of the search at_, once it has begun
  Results so_far_;                    // its products
  Readings readings_;
};

}  // namespace warpspy
