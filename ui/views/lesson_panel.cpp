#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/numbers.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/views/lesson_reveal.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The open lesson. It replaces the workspace; in a narrow window it is a strip below the tabs.
class LessonPanel final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const LessonShown& lesson = s.lesson;
    if (!lesson.lesson) return caption(ui.look, "No lesson is open.");
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x > room.y) return strip(s, ui, room);
    head(s, ui, room.x);
    // The buttons are directly below their subject and never scroll away.
    const float most = std::max(1.f, ImGui::GetContentRegionAvail().y - ui.look.u(64));
    ImGui::BeginChild("lesson page", ImVec2(room.x, std::clamp(page_, 1.f, most)), false);
    const float top = ImGui::GetCursorPosY();
    const float width = ImGui::GetContentRegionAvail().x - ui.look.u(2);
    if (!lesson.begun)
      first_page(s, ui, width);
    else if (lesson.at_end())
      last_page(s, ui, width);
    else
      text(s, ui, width), gap(ui.look, 10), answer(s, ui, width);
    if (asks_again(s)) gap(ui.look, 6), tried(s, ui, width);
    if (asks(s) && !asks_again(s)) gap(ui.look, 6), reason(s, ui, width);
    if (lesson.revealed) gap(ui.look, 6), draw_why(s, ui, width);
    page_ = ImGui::GetCursorPosY() - top + ui.look.u(8);
    end_child();
    gap(ui.look, 8);
    asks_to_leave(s) ? sure(s, ui, room.x) : buttons(s, ui, room.x, false);
    problem(s, ui, room.x);  // below the buttons, which do not move when the problem is solved
  }

 private:
  // Four lines: the text on the left, the answer on the right. The revealed truth replaces the text.
  void strip(const AppState& s, Ui& ui, ImVec2 room) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(20), cross = l.u(24), foot = l.u(30);
    const float side = std::floor((room.x - gutter) * 0.44f), left = room.x - gutter - side;
    const LessonShown& lesson = s.lesson;
    const bool in_step = lesson.begun && !lesson.at_end();
    ImGui::BeginChild("lesson text", ImVec2(left, room.y), false);
    const float wide = ImGui::GetContentRegionAvail().x - l.u(2);
    if (!lesson.begun) about(s, ui, wide);
    if (lesson.at_end()) last_page(s, ui, wide);
    // Drawn where it stays visible whatever scrolls, without moving anything.
    if (in_step && lesson.refused.empty()) place(s, ui);
    if (in_step) problem(s, ui, wide);
    if (in_step && lesson.revealed) ask(s, ui, wide), gap(l, 6), draw_why(s, ui, wide);
    if (in_step && asks_again(s)) tried(s, ui, wide);
    if (in_step && !lesson.revealed) text(s, ui, wide);
    end_child();
    ImGui::SetCursorScreenPos(ImVec2(at.x + left + gutter, at.y));
    ImGui::BeginChild("lesson answer", ImVec2(side - cross, room.y - foot), false);
    const float width = ImGui::GetContentRegionAvail().x - l.u(2);
    if (!lesson.begun) name(s, ui, width);
    if (in_step) answer(s, ui, width);
    if (!in_step) problem(s, ui, width);
    end_child();
    ImGui::SetCursorScreenPos(ImVec2(at.x + left + gutter, at.y + room.y - foot + l.u(2)));
    asks_to_leave(s) ? sure(s, ui, side) : buttons(s, ui, side, true);
    ImGui::SetCursorScreenPos(ImVec2(at.x + room.x - l.u(18), at.y));
    leave(s, ui);
  }

  bool asks_to_leave(const AppState& s) const { return leaving_ || !s.lesson.next.empty(); }
  static bool has_open_steps(const AppState& s) {
    return s.lesson.begun && s.lesson.answers.answers.size() < s.lesson.lesson->steps.size();
  }

  // Asks twice if steps are still open, since later answers will be marked differently.
  void leave(const AppState& s, Ui& ui) {
    const bool clicked =
        cross_button(ui.look, "close lesson", "Leave the lesson. Your answers are kept: open it again to go on.");
    show_item(ui.look, "close lesson");
    if (!clicked) return;
    has_open_steps(s) ? void(leaving_ = true) : ui.out(CloseLesson{});
  }

  void sure(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    if (!has_open_steps(s)) leaving_ = false;
    if (width < l.u(340)) {  // the strip only has room for the buttons, so their tooltip says it
      const FontScope font(*l.fonts, Face::ui, 12);
      paragraph(l, l.palette->ink,
                "Then nothing is covered any more, and what you answer later is handed in as answered after leaving.",
                width);
      gap(l, 4);
    }
    const std::string& next = s.lesson.next;
    if (button(l, "Stay", Weight::primary)) {
      leaving_ = false;
      if (!next.empty()) ui.out(OpenLesson{s.lesson.file});
    }
    ImGui::SameLine(0, l.u(8));
    if (button(l, "Leave the lesson")) {
      leaving_ = false;
      next.empty() ? ui.out(CloseLesson{}) : ui.out(OpenLesson{next, true});
    }
    tip(l, "Nothing is covered any more then, and what you answer later is handed in as answered after leaving.");
  }

  static void tried(const AppState& s, Ui& ui, float width) {
    if (s.lesson.tried.empty()) return caption(ui.look, counted(s.lesson.tries_left(), "try", "tries") + " left");
    const FontScope font(*ui.look.fonts, Face::bold, 13);
    paragraph(ui.look, ui.look.palette->warning, "! " + s.lesson.tried, width);
  }

  void head(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    heading(l, "Lesson", "It asks before it shows: predict, say why, and see. Until then the answer is covered.");
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(18), at.y - l.u(2)));
    leave(s, ui);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(24)));
    if (!s.lesson.begun || s.lesson.at_end()) return;
    place(s, ui);
    gap(l, 4);
  }

  // "Step 2 of 5" and the titles of all steps.
  static void place(const AppState& s, Ui& ui) {
    const std::string of = " of " + std::to_string(s.lesson.lesson->steps.size());
    caption(ui.look, s.lesson.lesson->title + ", step " + std::to_string(s.lesson.at + 1) + of);
  }

  static void text(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const LessonStep& step = *s.lesson.step();
    label(l, Face::bold, 15, l.palette->ink, step.title);
    gap(l, 4);
    {
      const FontScope font(*l.fonts, Face::ui, 13);
      if (!step.text.empty()) paragraph(l, l.palette->ink, step.text, width), gap(l, 6);
    }
    ask(s, ui, width);
  }

  static void ask(const AppState& s, Ui& ui, float width) {
    const FontScope font(*ui.look.fonts, Face::bold, 13);
    paragraph(ui.look, ui.look.palette->ink, s.lesson.step()->question.ask, width);
  }

  static void answer(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    if (s.lesson.revealed) return draw_reveal(s, ui, width);
    if (!s.lesson.problem.empty()) {
      const FontScope font(*l.fonts, Face::ui, 13);
      return paragraph(l, l.palette->error, "\xE2\x9C\x97 This step cannot be run: " + s.lesson.problem, width);
    }
    if (s.lesson.settled()) return caption(l, "Predicted. Its run is being made\xE2\x80\xA6");
    const std::string given = answer_control(s, ui, width);
    if (given != s.lesson.answer) ui.out(DraftAnswer{given, s.lesson.reason});
    if (const int tries = s.lesson.step()->question.tries; tries > 1 && !s.lesson.given())
      caption(l, std::to_string(tries) + " tries; the first one counts");
    if (const std::string within = tolerance_text(s.lesson.step()->question); !within.empty()) {
      const FontScope font(*l.fonts, Face::ui, 12);
      paragraph(l, l.palette->muted, within, width);
    }
  }

  // Whether the step waits for a prediction, or for another try.
  static bool asks(const AppState& s) {
    return s.lesson.begun && s.lesson.step() && !s.lesson.settled() && s.lesson.problem.empty();
  }
  static bool asks_again(const AppState& s) { return asks(s) && s.lesson.given(); }

  // An order counts as an answer even if nothing was moved.
  static void predict(const AppState& s, Ui& ui, const std::string& reason) {
    if (s.lesson.answer.empty())
      ui.out(DraftAnswer{answer_to_begin(s.lesson.step()->question, s.lesson.offer), reason});
    ui.out(Predict{});
  }

  static void reason(const AppState& s, Ui& ui, float width) {
    std::string text = s.lesson.reason;
    const FontScope font(*ui.look.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(width);
    const bool enter =
        ImGui::InputTextWithHint("##reason", "Why? One sentence", &text, ImGuiInputTextFlags_EnterReturnsTrue);
    text_stop(ui.look, "##reason");
    show_item(ui.look, "Reason");
    if (text != s.lesson.reason) ui.out(DraftAnswer{s.lesson.answer, text});
    if (enter && s.lesson.ready) predict(s, ui, text);
  }

  static void problem(const AppState& s, Ui& ui, float width) {
    if (s.lesson.refused.empty()) return;
    const FontScope font(*ui.look.fonts, Face::ui, 12);
    paragraph(ui.look, ui.look.palette->error, "\xE2\x9C\x97 " + s.lesson.refused, width);
  }

  static void about(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    label(l, Face::bold, 15, l.palette->ink, s.lesson.lesson->title);
    gap(l, 4);
    const FontScope font(*l.fonts, Face::ui, 13);
    paragraph(l, l.palette->ink, s.lesson.lesson->about, width);
    gap(l, 6);
    paragraph(l, l.palette->muted,
              counted(static_cast<index_t>(s.lesson.lesson->steps.size()), "step") +
                  ". Each asks first: predict, say why, then see. Results are covered until then. Your first answer "
                  "counts.",
              width);
  }

  void first_page(const AppState& s, Ui& ui, float width) {
    about(s, ui, width);
    gap(ui.look, 12);
    name(s, ui, width);
  }

  void name(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    caption(l, s.lesson.lesson->seeded() ? "Your name; your matrix follows from it"
                                         : "Your name, for the answers that you may hand in");
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(std::min(width, l.u(300)));
    if (!named_ && name_.empty()) name_ = s.lesson.name;  // as the last time
    named_ = named_ || !s.lesson.name.empty();
    ImGui::InputTextWithHint("##name", "name", &name_);
    text_stop(l, "##name");
    show_item(l, "Name");
  }

  static void last_page(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    label(l, Face::bold, 15, l.palette->ink, "The end");
    gap(l, 4);
    const FontScope font(*l.fonts, Face::ui, 13);
    const auto& marks = s.lesson.marks;
    const bool known = marks.size() == s.lesson.lesson->steps.size() &&
                       std::all_of(marks.begin(), marks.end(), [](const auto& m) { return m.has_value(); });
    const auto right = std::count_if(marks.begin(), marks.end(), [](const auto& m) { return m && *m >= 1; });
    paragraph(l, l.palette->ink,
              (known ? std::to_string(right) + " of " + std::to_string(marks.size()) + " predictions were right. "
                     : counted(static_cast<index_t>(s.lesson.answers.answers.size()), "prediction") + ". ") +
                  "Hand them in as a file, or go back and try things by hand.",
              width);
    gap(l, 6);
    for (std::size_t k = 0; k < marks.size(); ++k) {
      const std::string sign = !marks[k] ? "\xE2\x80\xA6" : mark_sign(*marks[k]);
      paragraph(l, l.palette->ink, sign + " " + s.lesson.lesson->steps[k].title, width);
    }
    gap(l, 6);
    const std::string where = s.lesson.unkept.empty() ? s.lesson.kept : "They cannot be kept here: " + s.lesson.unkept;
    if (!where.empty()) paragraph(l, l.palette->muted, "Kept on this machine: " + where, width);
  }

  // The one after this in the program's list.
  static const LessonEntry* next_lesson(const LessonShown& lesson) {
    const auto at = std::find_if(lesson.list.begin(), lesson.list.end(),
                                 [&](const LessonEntry& e) { return e.file == lesson.lesson->file; });
    return at == lesson.list.end() || std::next(at) == lesson.list.end() ? nullptr : &*std::next(at);
  }

  // with_reason: the field for the reason is between them.
  void buttons(const AppState& s, Ui& ui, float width, bool with_reason) {
    const Look& l = ui.look;
    const LessonShown& lesson = s.lesson;
    if (!lesson.begun) {
      if (button(l, "Begin", Weight::primary, width)) ui.out(BeginLesson{name_});
      return;
    }
    if (button(l, "Back", Weight::plain, 0, lesson.at > 0)) ui.out(ShowLessonStep{lesson.at - 1});
    ImGui::SameLine(0, l.u(8));
    if (lesson.at_end()) {
      if (const LessonEntry* after = next_lesson(lesson)) {
        if (button(l, "Next lesson")) ui.out(OpenLesson{after->file});
        tip(l, after->title);
        ImGui::SameLine(0, l.u(8));
      }
      if (button(l, "Hand in...", Weight::primary, -l.u(1))) ui.out(ShowDialog{"hand_in"});
      tip(l, "Writes your answers into a file of yours. It says first what is in it.");
      return;
    }
    if (!asks(s)) {
      if (button(l, "Next", Weight::primary, -l.u(1))) ui.out(ShowLessonStep{lesson.at + 1});
      return;
    }
    if (asks_again(s)) {
      if (button(l, "Show me", Weight::plain, 0, lesson.ready)) ui.out(ShowTruth{});
      tip(l, "What is true, although you have tries left.");
      ImGui::SameLine(0, l.u(8));
      if (button(l, "Try again", Weight::primary, -l.u(1), lesson.ready)) predict(s, ui, lesson.reason);
      return tip(l, "Every try is kept with your answers. Your first one counts.");
    }
    std::string words = lesson.ready ? "Predict" : "Predict (its run is being made)";
    if (with_reason) {
      words = lesson.ready ? "Predict" : "Being run";
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(2)));
      reason(s, ui, ImGui::GetContentRegionAvail().x - l.u(108));
      ImGui::SetCursorScreenPos(ImVec2(at.x + ImGui::GetItemRectSize().x + l.u(8), at.y));
    }
    if (button(l, words, Weight::primary, -l.u(1), lesson.ready)) predict(s, ui, lesson.reason);
    // Below it stands what is missing: nothing may lie on that.
    if (lesson.refused.empty()) tip(l, "Your first prediction counts. Then the step shows what is true.");
  }

  std::string name_;
  bool named_ = false;    // the name of before was put in
  bool leaving_ = false;  // the user is asked whether to leave
  float page_ = 1e6f;     // height of the page, as it was last drawn
};

}  // namespace

extern const ViewRow lesson_panel = {
    .id = "lesson",
    .label = "Lesson",
    .place = Place::lesson,
    .help = "The lesson that is open.",
    .make = make<LessonPanel>,
};

}  // namespace warpspy::ui
