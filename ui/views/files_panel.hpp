// The part of the open dialog that lists a folder, with a field for a filter or a path.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ui/views/list_keys.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

class FilesPanel {
 public:
  // `appearing`: the dialog opens in this frame.
  void draw(const AppState& s, Ui& ui, bool appearing);

 private:
  void field(const AppState& s, Ui& ui, bool appearing);
  void way_up(const AppState& s, Ui& ui);
  void list(const AppState& s, Ui& ui);
  void entry(const AppState& s, Ui& ui, int k);
  void foot(const AppState& s, Ui& ui);

  // Whether the typed text is a path, not a filter.
  bool is_place() const;
  void filter(const Listing& l);
  void settle(const Listing& l);  // called after another folder was listed
  void mark(const std::string& name) {
    if (marked_.erase(name) == 0) marked_.insert(name);
  }
  // Opens the marked files, else the one at the cursor, else the typed path.
  void open(const AppState& s, Ui& ui);

  std::string typed_, folder_, filtered_by_ = "?";
  std::vector<const FolderEntry*> shown_;  // entries that pass the filter, in this frame
  std::set<std::string> marked_;           // names
  ListKeys keys_;
  bool focus_ = false;
  int field_ = 0;  // changes when the typed text must be discarded
};

}  // namespace warpspy::ui
