#include <imgui.h>

#include <string>

#include "ui/look/numbers.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The lessons of the program; a click opens one.
class LessonsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const std::vector<LessonEntry>& all = s.lesson.list;
    if (all.empty()) {
      empty_state(l, "No lessons", "A lesson asks before it shows: it is a Markdown file in assets/lessons.");
      return;
    }
    label(l, Face::bold, 15, l.palette->ink, "Predict, run, see");
    caption(l, "Each step sets up a run, asks what it will show, and then shows it. A lesson takes about ten minutes.");
    gap(l, 8);
    Table table(l, "lessons",
                {{.name = "", .width = 28, .right = true},
                 {.name = "Lesson", .inset = 6},
                 {.name = "Steps", .width = 52, .right = true},
                 {.name = "Answered", .width = 110}},
                ImGui::GetContentRegionAvail(), {.pad_x = 4, .row = 22, .follows = false});
    if (!table) return;
    table.head();
    table.rows(static_cast<int>(all.size()), [&](int place) {
      const LessonEntry& e = all[static_cast<std::size_t>(place)];
      const bool open = s.lesson.lesson && s.lesson.file == e.file;
      table.row(open);
      if (table.pick(("##" + e.file).c_str())) ui.out(OpenLesson{e.file});
      table.text(std::to_string(place + 1), l.palette->muted);
      table.text(e.title, l.palette->ink, Face::ui);
      table.text(std::to_string(e.steps), l.palette->muted);
      const std::size_t answered = open ? s.lesson.answers.answers.size() : e.answered;
      const std::string far = answered == 0        ? ""
                              : answered < e.steps ? std::to_string(answered) + " of " + std::to_string(e.steps)
                                                   : "all";
      table.text(open ? far + (far.empty() ? "open" : ", open") : far, l.palette->muted, Face::ui);
    });
  }
};

}  // namespace

extern const ViewRow lessons_tab = {
    .id = "lessons",
    .label = "Lessons",
    .place = Place::tab,
    .group = Topic::learn,
    .help = "Twelve lessons: predict, run, see.",
    .make = make<LessonsTab>,
};

}  // namespace warpspy::ui
