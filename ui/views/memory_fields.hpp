// The memory that formats may take: two fields, with the present limits and where they come from.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class MemoryFields {
 public:
  static float height(const Look& l);
  // Draws one line at the cursor, `width` wide. A size takes effect when Enter is pressed or the field loses the focus.
  // An empty field means all memory of the machine.
  void draw(const AppState& s, Ui& ui, float width);

 private:
  struct Field {
    std::string text;
    bool editing = false;
  };
  Field host_, device_;
};

}  // namespace warpspy::ui
