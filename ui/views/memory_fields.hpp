// The memory that formats may take: two fields, with the present limits and where they come from.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class MemoryFields {
 public:
  static float height(const Look& l);
  // One line at the cursor, `width` wide. A size counts when Enter is pressed or the field is left; an empty field
  // means all memory that is there.
  void draw(const AppState& s, Ui& ui, float width);

 private:
  struct Field {
    std::string text;
    bool editing = false;
  };
  Field host_, device_;
};

}  // namespace warpspy::ui
