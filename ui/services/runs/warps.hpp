// The warp that is stepped through: asked of the engine in a job; a step is a figure made anew.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Warps : public Service {
 public:
  explicit Warps(const ServiceContext& c) : Service(c) {}

  void on(const ShowWarp&);
  void on(const SetWarpStep&);
  void on(const SetWarpStride&);
  void on(const StepWarp&);
  void on(const PlayWarp&);
  void on(const SetWarpView&);
  void on(const GoToLine&);

  void on(const MatrixShown&);
  void on(const MatrixOpened&);

  // The warp of this run on a matrix that may not be the one that is shown, to be there when it is asked for.
  void prepare(const OpenMatrix& m, const RunRecord& run, const ShowWarp& show);

  void frame();
  std::optional<double> due_in_s() const;
  // A desk, or a figure, that was left at a warp.
  void show_when_read(const std::map<std::string, std::string>& choices);

 private:
  // What was found, so that the same question is answered at once.
  struct Found {
    std::vector<plot::SeenWarp> seen;
    std::string beside_problem;
  };
  struct Kept {
    std::weak_ptr<const Matrix> matrix;  // its address is in the question, which holds while it lives
    std::string question;
    Found found;
  };
  struct Asked {
    std::shared_ptr<const Matrix> matrix;
    RunRequest request;
    WarpWanted wanted;
    std::string beside;
    std::vector<std::string> notes;
    ThemeId theme = ThemeId::paper;
    std::string question() const;
  };
  void follow_run();
  Found look(const Asked& asked, Progress& p);
  void keep(const Asked& asked, Found found);
  const Found* kept(const std::string& question) const;
  void take(Found found, const std::optional<std::size_t>& step);

  std::optional<ShowWarp> waits_;  // for the shown matrix
  Generation asked_;
  std::vector<Kept> kept_;                       // the newest last
  std::string preparing_;                        // the question that is being answered ahead
  std::chrono::steady_clock::time_point moved_;  // while it plays
};

}  // namespace warpspy::ui
