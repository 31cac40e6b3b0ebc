// Shows the steps of one warp. A job asks the engine for the warp; each shown step makes a new figure.
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

  // Finds the warp of this run in advance, on a matrix that need not be shown, so that it can be shown at once later.
  void prepare(const OpenMatrix& m, const RunRecord& run, const ShowWarp& show);

  void frame();
  std::optional<double> due_in_s() const;
  // Shows the warp of a desk or a figure, when its matrix has been read.
  void show_when_read(const std::map<std::string, std::string>& choices);

 private:
  // Warps that were found, so that the same request is answered at once.
  struct Found {
    std::vector<plot::SeenWarp> seen;
    std::string beside_problem;
  };
  struct Kept {
    std::weak_ptr<const Matrix> matrix;  // the request contains its address, which is valid while the matrix lives
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

  std::optional<ShowWarp> waits_;  // a warp that waits until the shown matrix is read
  Generation asked_;
  std::vector<Kept> kept_;                       // the newest last
  std::string preparing_;                        // the request for a warp that is being prepared in advance
  std::chrono::steady_clock::time_point moved_;  // while it plays
};

}  // namespace warpspy::ui
