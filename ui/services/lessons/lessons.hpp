// Leads a student through the open lesson. For each step it sets up the recipe, makes the run in the background, asks
// the question, and saves the prediction before the result is shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/lesson/run.hpp"
#include "ui/services/kept_files.hpp"
#include "ui/services/service.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class Lessons : public Service {
 public:
  Lessons(const ServiceContext& c, Workspace& workspace) : Service(c), workspace_(workspace) {}

  void on(const OpenLesson&);
  void on(const CloseLesson&);
  void on(const BeginLesson&);
  // steps.cpp
  void on(const DraftAnswer&);
  void on(const Predict&);
  void on(const ShowTruth&);
  void on(const ShowLessonStep&);
  // hand_in.cpp
  void on(const HandIn&);

  void begin();   // reads the list of lessons
  void frame();   // starts the next run; takes answers that were picked in a view
  void settle();  // makes sure that covered parts neither run nor show anything
  bool due() const;
  void keep_last();  // called at the end of the program

 private:
  struct Opened;
  struct Bench;
  void open(const std::string& file, bool from_desk);
  void take(Opened opened);
  void list_again();
  std::string open_file() const;
  bool leaves_open_steps() const;
  void follow_desk();
  void enter(std::size_t at);
  void apply(const LessonRun& run);
  void find_truth(std::size_t at);
  std::optional<std::size_t> wanted_truth() const;
  void take_truth(const std::string& question);
  void reveal();
  void look_back();
  void mark_steps();
  void follow_run();
  void show_plane(const LessonTruth& truth);
  bool may_go_on() const;
  void pick();
  void keep();
  KeptFiles::Write latest();
  LessonTruths truths_of_given() const;
  std::string tab_of_step() const;
  bool closed(std::size_t at) const;
  bool shows_truth_of(const std::string& question) const;
  std::size_t first_open() const;
  void add_try();
  void uncover();
  void look_at_measured();
  void note_leaving();

  Workspace& workspace_;
  KeptFiles files_;
  std::optional<KeptFiles::Write> last_;  // the last write of the answers
  std::shared_ptr<Bench> bench_;          // for the open lesson
  std::map<std::string, LessonTruth> truths_;
  std::map<std::string, std::string> failed_;    // why a truth could not be computed
  std::optional<LessonRun> run_;                 // run of the shown step
  std::map<std::string, std::uint64_t> made_;    // runs of revealed steps, by question
  std::string awaited_;                          // the question whose run is being made
  std::size_t runs_seen_ = 0, own_runs_ = 0;     // own: of the student, since the last answer
  std::chrono::steady_clock::time_point since_;  // when the step was shown
  SetHighlight seen_;                            // the marks in the previous frame
  // Tells what happens after a prediction, as soon as no job is running.
  enum class After : std::uint8_t { nothing, run, warp } after_ = After::nothing;
  Generation opening_;
  std::string opens_;  // the lesson's file that is being read
};

}  // namespace warpspy::ui
