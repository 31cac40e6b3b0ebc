// The memory that formats may take: two fields, with the limits that hold and who says so.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class MemoryFields {
 public:
  static float height(const Look& l);
  // One line at the cursor, `width` wide. A size is taken when Enter is pressed or the field is left; an empty field
  // means what there is.
  void draw(const AppState& s, Ui& ui, float width);

 private:
  struct Field {
    std::string text;
    bool editing = false;
  };
  Field host_, device_;
};

}  // namespace warpspy::ui
