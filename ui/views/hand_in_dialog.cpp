#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

#include "core/base/numbers.hpp"
#include "core/session/desk.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/session_list.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The file of answers: what it contains, and where to save it.
class HandInDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Hand in the answers", ImVec2(560, 326))) return;
    if (!s.lesson.lesson) return caption(l, "No lesson is open."), end_dialog(ui);
    if (ImGui::IsWindowAppearing()) begin(s, ui);

    const int as = segments(l, "as", {"Answer file", "Page to read"}, page_ ? 1 : 0,
                            {"What is handed in: JSON, from which marks are computed.",
                             "HTML for yourself: questions, predictions, truths and marks."});
    if (as >= 0) page_ = as == 1, path_.clear();
    if (path_.empty() && !s.listing.folder.empty()) path_ = path_in(s.listing.folder, file_of(s));
    gap(l, 10);
    contents(s, ui);
    field(l, "Your name", "##name", name_);
    if (s.lesson.lesson->seeded())
      caption(l, "It stays as it was: your matrix followed from it."), name_ = s.lesson.answers.name;
    field(l, "The file", "##path", path_);
    caption(l, "Nothing is sent. The file leaves this machine only when you send it.");
    gap(l, 8);
    const bool possible = !path_.empty() && !name_.empty();
    if (button(l, replaces(s) ? "Replace the file" : "Write the file", Weight::primary, 0, possible))
      ui.out(HandIn{path_, name_, replaces(s)});
    end_dialog(ui);
  }

 private:
  void begin(const AppState& s, Ui& ui) {
    ui.out(BrowseFolder{s.listing.folder});
    name_ = s.lesson.answers.name;
    path_.clear();
  }

  std::string file_of(const AppState& s) const {
    std::string name = s.lesson.lesson->id + (s.lesson.answers.name.empty() ? "" : "-" + s.lesson.answers.name) +
                       (page_ ? ".html" : ".json");
    for (char& c : name)
      if (c == '/' || c == ' ') c = '-';
    return name;
  }

  void contents(const AppState& s, Ui& ui) const {
    const Look& l = ui.look;
    const LessonAnswers& a = s.lesson.answers;
    const FontScope font(*l.fonts, Face::ui, 13);
    if (page_) {
      paragraph(l, l.palette->ink,
                "In it: your name, and of each step the question, your prediction and reason, and what is true as far "
                "as it was revealed in this window.");
      return gap(l, 8);
    }
    std::string text = "In it: your name, the lesson " + a.lesson + " and the hash of its text";
    if (s.lesson.lesson->seeded()) text += ", your seed " + std::to_string(a.seed);
    text += ", and for each of " + counted(static_cast<index_t>(a.answers.size()), "question") + " of " +
            std::to_string(s.lesson.lesson->steps.size()) +
            " your prediction, your sentence of reason, each try, and the seconds that you took. " +
            (a.left.empty() ? ""
                            : "It says that you left the lesson " + std::to_string(a.left.size()) +
                                  (a.left.size() == 1 ? " time" : " times") +
                                  " before its end, and which answers came after that. ") +
            "Marks are not in it: they are "
            "computed anew.";
    paragraph(l, l.palette->ink, text);
    gap(l, 8);
  }

  static void field(const Look& l, const char* what, const char* id, std::string& text) {
    caption(l, what);
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText(id, &text);
    text_stop(l, id);
    show_item(l, what);
    gap(l, 4);
  }

  bool replaces(const AppState& s) const {
    return std::any_of(s.listing.entries.begin(), s.listing.entries.end(), [&](const FolderEntry& e) {
      return !e.is_folder && path_in(s.listing.folder, e.name) == path_;
    });
  }

  std::string name_, path_;
  bool page_ = false;  // a page of HTML to read, instead of the file
};

}  // namespace

extern const ViewRow hand_in_dialog = {
    .id = "hand_in",
    .label = "Hand in the answers",
    .place = Place::overlay,
    .help = "The answers to the lesson that is open, into a file of yours.",
    .opener = {"lesson.hand_in", "File", "Hand in the answers...", "file.close"},
    .why_not =
        [](const AppState& s) {
          return std::string(s.lesson.lesson && s.lesson.begun ? "" : "No lesson is under way.");
        },
    .make = make<HandInDialog>,
};

}  // namespace warpspy::ui
