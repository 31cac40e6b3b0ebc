// Makes the papers' tables again. Products run one by one, so that a run that the user asks for meanwhile comes next.
// Results are kept in a folder beside the history, as on the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ui/services/service.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class Studies : public Service {
 public:
  Studies(const ServiceContext& c, Workspace& workspace) : Service(c), workspace_(workspace) {}

  void on(const SteerStudy&);
  void on(const OpenStudyFile&);
  void on(const GiveStudyFiles&);
  void on(const SaveStudy&);
  // study_ways.cpp: from a cell to its run
  void on(const FollowStudyCell&);
  void on(const MatrixOpened&);
  void on(const MatrixFailed&);

  void begin();  // reads what is known about the simulated GPUs
  void frame();  // reads the shown study; runs the next product when none is running
  bool due() const;

 private:
  struct UnderWay;
  void read_list();
  void look_up(OpenStudy& s);
  void start();
  void step();
  void end();
  OpenStudy* find_study(const std::string& id);
  void follow(const std::shared_ptr<const RunRecord>& run, StudyWay way);
  void arrive();

  Workspace& workspace_;
  std::shared_ptr<UnderWay> under_way_;
  Generation looked_;
  // A cell's run that waits for its matrix.
  struct Waiting {
    MatrixId matrix = 0;
    std::uint64_t run = 0;
    StudyWay way = StudyWay::run;
  };
  std::optional<Waiting> waiting_;
};

}  // namespace warpspy::ui
