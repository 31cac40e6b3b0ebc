// The part of the open dialog that lists the matrices of the collection, with a field that filters them by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/views/list_keys.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

class CollectionPanel {
 public:
  // `appearing`: the panel opens in this frame.
  void draw(const AppState& s, Ui& ui, bool appearing);

 private:
  void field(const AppState& s, Ui& ui, bool appearing);
  void no_list(const AppState& s, Ui& ui);
  void list(const AppState& s, Ui& ui);
  void entry(const AppState& s, Ui& ui, int k);
  void foot(const AppState& s, Ui& ui);
  void filter(const CollectionShown& c);
  // Returns the name at the cursor, or else the typed text.
  std::string chosen() const;

  std::string typed_, filtered_by_ = "?";
  std::shared_ptr<const CollectionIndex> index_;  // the index into which `shown_` points
  std::vector<const CollectionEntry*> shown_;
  ListKeys keys_;
};

}  // namespace warpspy::ui
