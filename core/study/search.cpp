#include "core/study/search.hpp"

#include <algorithm>
#include <new>

namespace warpspy {
namespace {

// The next product of a search, and no more.
class OneMore final : public Plan {
 public:
  OneMore(const SearchPlan& search, const std::string& matrix, std::size_t most)
      : search_(search), matrix_(matrix), most_(most) {}
  std::string name() const override { return search_.name(); }
  std::size_t expected(const Results& so_far) const override { return search_.expected(so_far); }
  std::vector<Case> next(const Results& so_far) const override {
    if (so_far.size() >= most_) return {};
    std::vector<Case> wanted = search_.next(so_far);
    if (wanted.size() > 1) wanted.resize(1);
    for (Case& c : wanted) c.label += " of " + c.request.kernel + " on " + matrix_;
    return wanted;
  }

 private:
  const SearchPlan& search_;
  const std::string& matrix_;
  std::size_t most_;
};

std::shared_ptr<const RunRecord> run_of(const TuneStep& step, const Results& so_far) {
  const auto at = std::find_if(so_far.begin(), so_far.end(), [&](const CaseResult& r) {
    return r.asked.request.kernel == step.kernel && r.asked.request.params == step.params;
  });
  return at == so_far.end() ? nullptr : at->record;
}

}  // namespace

Reading reading_of_search(const StudyQuantity& q, const TuneRecord& record, const Results& so_far) {
  if (record.status != RunStatus::ok)
    return {std::nullopt, record.error.empty() ? "the search did not end" : record.error};
  const auto faster = [](const TuneStep& a, const TuneStep* b) { return a.us && (!b || *a.us < *b->us); };
  const TuneStep *optimum = nullptr, *best = nullptr;
  for (const TuneStep& step : record.steps) {
    if (faster(step, optimum)) optimum = &step;
    if (step.strategy == q.id && step.product <= q.products && faster(step, best)) best = &step;
  }
  if (!best || !(*best->us > 0))
    return {std::nullopt, "none of the first " + std::to_string(q.products) + " products of " + q.id + " has a time"};
  return {100 * *optimum->us / *best->us, {}, std::max(Provenance::derived, record.provenance), run_of(*best, so_far)};
}

void SearchSteps::ended() {
  const StudySearch& s = searches_[at_++];
  const TuneRecord record = plan_->record(so_far_);
  for (const ReadingKey& key : s.keys)
    readings_[key] = reading_of_search(study_quantity(std::get<2>(key)), record, so_far_);
  plan_.reset(), so_far_.clear();
}

bool SearchSteps::step(Executor& executor, const MatrixOf& matrix_of, Progress& progress, const PlanEvents& events) {
  end_ = PlanEnd::done;
  if (at_ == searches_.size()) return false;
  const StudySearch& s = searches_[at_];
  const auto refuse = [&](const std::string& why) {
    for (const ReadingKey& key : s.keys) readings_[key] = {std::nullopt, why};
    ++at_;
    return true;
  };
  try {
    if (!make_) throw Error("no search can be made here");
    if (!plan_) plan_ = make_(s.request, matrix_of(s.request.run.matrix, progress), devices_);
  } catch (const Cancelled&) {
    end_ = PlanEnd::cancelled;
    return false;
  } catch (const std::bad_alloc&) {
    return refuse("not enough memory for the search");
  } catch (const Error& e) {
    return refuse(e.what());
  }
  const std::size_t before = so_far_.size();
  end_ = executor.run(OneMore(*plan_, s.matrix, before + 1), matrix_of, progress, so_far_, events);
  if (end_ != PlanEnd::done) return false;
  if (so_far_.size() == before) {
    ended();
    return true;
  }
  ++products_;
  if (!so_far_.back().found) seconds_ += so_far_.back().seconds;
  return true;
}

}  // namespace warpspy
