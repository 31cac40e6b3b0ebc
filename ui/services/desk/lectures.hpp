// A lecture is a list of slides. The user adds slides while exploring, and later shows them in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/session/slides.hpp"
#include "ui/services/desk/desk_keeper.hpp"
#include "ui/services/kept_files.hpp"

namespace warpspy::ui {

class Lectures : public Service {
 public:
  Lectures(const ServiceContext& c, DeskKeeper& desk, Workspace& workspace, Warps& warps)
      : Service(c), desk_(desk), workspace_(workspace), warps_(warps) {}

  void on(const AddSlide&);
  void on(const RemoveSlide&);
  void on(const OpenLecture&);
  void on(const ShowSlide&);
  void on(const Project&);

  void frame();  // reports what a slide lacks, and prepares the next slide

 private:
  void take(std::string path, std::vector<Slide> slides);
  void save(const std::string& done);
  void note_shown();
  void prepare(const Slide& slide);

  DeskKeeper& desk_;
  Workspace& workspace_;
  Warps& warps_;
  KeptFiles files_;
  std::vector<Slide> slides_;
  std::optional<std::size_t> prepared_;  // the slide whose matrices are being opened in advance
  bool warp_asked_ = false;              // the slide's warp was asked for too
};

}  // namespace warpspy::ui
