// The controls by which a question of a lesson is answered, by its kind.
#pragma once

#include <string>
#include <vector>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// Draws the control of the step's question at the cursor, with this width. Returns the present answer.
std::string answer_control(const AppState& s, Ui& ui, float width);
// Returns what the control shows before the first answer, such as an order of the options.
std::string answer_to_begin(const LessonQuestion& q, const LessonOffer& offer);

// The words of an answer, and the answer with a member more, or less.
std::vector<std::string> answer_words(const std::string& answer);
std::string answer_turned(const std::string& answer, const std::string& member);

// Writes a list of numbers with ranges: "0, 3-31".
std::string ranges_text(const std::string& answer);

// Both draw the names that the run offers. The first lets the student choose one or several; the second puts them in an
// order, which arrows change.
std::string offered_names(const AppState& s, Ui& ui, float width, bool several);
std::string order_list(const AppState& s, Ui& ui, float width);

// Draws the lanes of a warp as boxes, eight in a row; `answer` names the marked lanes. A click marks a lane, or removes
// its mark; the new answer is returned. If `truth` is given, it is shown too, and nothing can be clicked.
std::string lane_boxes(const Look& l, float width, const std::string& answer, const LessonTruth* truth = nullptr);

// The tolerance or range of an answer in words: "right within 10 percent", "from 1 to 32".
std::string tolerance_text(const LessonQuestion& q);

}  // namespace warpspy::ui
