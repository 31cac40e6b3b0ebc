// How a question of a lesson is answered, by its kind.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// The control of the step's question at the cursor, so wide. Returns the answer as it is now.
std::string answer_control(const AppState& s, Ui& ui, float width);
// What the control shows where nothing has been answered yet: an order is one too.
std::string answer_to_begin(const LessonQuestion& q);

// Lanes of a warp as boxes, eight in a row: `answer` names those that are marked. Returns it with the one that was
// clicked turned. `truth`: they are shown beside it, and nothing can be clicked.
std::string lane_boxes(const Look& l, float width, const std::string& answer, const LessonTruth* truth = nullptr);

// "right within 10 percent", "from 1 to 32".
std::string tolerance_text(const LessonQuestion& q);

}  // namespace warpspy::ui
