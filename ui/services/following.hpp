// Results that follow from the choices, the matrices and the runs: figures, costs, points, lists. The values that each
// result reads are gathered once a frame; when they differ, the result is made again. So no code must say which results
// are out of date.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/run/history.hpp"
#include "ui/figures/figure.hpp"
#include "ui/services/follows.hpp"
#include "ui/services/reads.hpp"
#include "ui/services/service.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

class Following : public Service {
 public:
  explicit Following(const ServiceContext& c) : Service(c) {}

  // Called after every action and every result of a job: makes results that take no time, and that other code needs at
  // once.
  void list();
  void at_once();
  // Makes all other results that are out of date. It is called once per frame.
  void in_frame();

 private:
  struct OfMatrix {
    std::uint64_t opening = 0;
    std::shared_ptr<Follows<ThumbnailReads>> thumbnail = std::make_shared<Follows<ThumbnailReads>>();
    std::shared_ptr<Follows<SmallestReads>> smallest = std::make_shared<Follows<SmallestReads>>();
    std::shared_ptr<Follows<CostReads>> costs = std::make_shared<Follows<CostReads>>();
    std::shared_ptr<Follows<Drawing>> histogram = std::make_shared<Follows<Drawing>>();
  };
  using Drawn = std::shared_ptr<const plot::Plot>;

  Drawing drawing(Figure figure) const { return {std::move(figure), s_.theme}; }
  void draw(Follows<Drawing>& what, Figure figure, Drawn& into);
  void points();
  void warp();
  void roofline();
  void solves();
  void parts();
  void tuning();
  void analyses();
  void study();
  void many();
  void best_costs();
  void of_matrix(const OpenMatrix& m, OfMatrix& follows);
  void costs(const OpenMatrix& m, OfMatrix& follows);
  void slow_costs();
  void layout();
  void both_lengths();
  // Finds the open matrix for which a job was started; nullptr if it was closed, or closed and opened again.
  std::function<OpenMatrix*()> finder(const OpenMatrix& m) {
    return [this, opening = opening_of(m)] { return find(opening); };
  }

  const std::function<void(const Failure&)> say_ = [this](const Failure& f) { say(f); };
  Follows<ListReads> list_;
  std::shared_ptr<Follows<ListReads>> found_ = std::make_shared<Follows<ListReads>>();
  Follows<ComparisonReads> comparison_;
  Follows<SolveBreakEvenReads> break_even_;
  Follows<PointReads> points_;
  std::map<std::uint64_t, std::shared_ptr<const RunRecord>> placed_;  // runs whose points are computed
  ThemeId painted_ = ThemeId::paper;                                  // the theme with whose colours the steps of warps
                                                                      // are drawn
  Follows<Drawing> step_, roofline_, memory_, plane_, study_, residuals_, parts_;
  std::map<std::string, Follows<Drawing>> analyses_;
  Follows<std::pair<ManyReads, ThemeId>> many_;
  Follows<Drawing> best_costs_;
  Follows<SpeedUpReads> speed_ups_;
  Follows<Drawing> lanes_, speed_up_;
  std::shared_ptr<Follows<OwnerReads>> owners_ = std::make_shared<Follows<OwnerReads>>();
  std::map<MatrixId, OfMatrix> matrices_;
  std::shared_ptr<Follows<Drawing>> layout_ = std::make_shared<Follows<Drawing>>(),
                                    both_lengths_ = std::make_shared<Follows<Drawing>>();
  Follows<SlowReads> slow_;
  JobPtr slow_job_;
};

}  // namespace warpspy::ui
