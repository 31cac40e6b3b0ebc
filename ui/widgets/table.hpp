// A table in the window's own look: columns as data, rows drawn cell by cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "ui/look/look.hpp"

struct ImVec2;

namespace warpspy::ui {

struct TableColumn {
  std::string name = {}, help = {};
  float width = 0;     // at 100 %; 0: shares the room that is left
  float share = 1;     // of that room
  bool right = false;  // numbers
  float inset = 0;     // apart from the column before
};

struct Cell {
  std::string text;
  Color ink;
  Face face = Face::mono;
  std::string help = {};
  std::optional<Provenance> from = {};  // a mark behind the number
  std::string second = {};              // a line below, smaller
  std::optional<Color> second_ink = {};
};

// Lengths at 100 %.
struct TableStyle {
  float pad_x = 6, pad_y = 3;  // of a cell
  float row = 17;              // height of a cell's content
  float head = 13;             // text size of the columns' names
  bool scrolls = true;         // below the names, which stay
  int frozen = -1;             // columns that stay while the others scroll sideways; -1: none scrolls so
};

// Ends with its scope. Nothing is drawn while it converts to false.
class Table {
 public:
  Table(const Look& l, const char* id, std::vector<TableColumn> columns, ImVec2 size, TableStyle style = {});
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  explicit operator bool() const { return open_; }

  // The names of the columns.
  void head();
  // The same, by whose clicks rows are sorted; returns the column clicked, or -1.
  int sortable_head(int sorted, bool descending);
  void row(bool selected = false);
  // Makes the row, which has no cell yet, one that can be clicked. Its tip goes right behind.
  bool pick(const char* id = "##row");
  void cell(const Cell& c);
  void text(const std::string& s, Color ink, Face face = Face::mono, const std::string& help = {});
  // The next cell, for what is more than text; returns its width.
  float next();
  void skip(int cells);

 private:
  // A cell's text in the room that is left; returns the x of its end.
  float draw(const Cell& c, bool right, float size, float down) const;

  const Look& l_;
  std::vector<TableColumn> columns_;
  TableStyle style_;
  bool open_ = false, picked_ = false;
  float first_x_ = 0, first_y_ = 0;  // of the picked row's first cell
};

}  // namespace warpspy::ui
