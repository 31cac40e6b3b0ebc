// The words of a slide: its subject, its sentence and its number.
#pragma once

#include <string>

namespace warpspy::ui {

struct AppState;

struct SlideWords {
  std::string subject;   // of its title: "Rows uneven between warps"
  std::string sentence;  // may be empty
  std::string number;    // "18.9 GFLOP/s"; may be empty
  bool of_run = true;    // the number is the selected run's, with its provenance
};
// Makes the words for the tab that is shown. They are about the matrix, the warp or the selected run.
SlideWords slide_words(const AppState& s);
// A title for the state, such as "webbase-1M, CSR vector: Rows uneven between warps".
std::string slide_title(const AppState& s);

}  // namespace warpspy::ui
