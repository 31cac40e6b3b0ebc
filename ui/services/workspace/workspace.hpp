// The matrices that are open: opened, shown, marked, reordered, converted, closed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/session/desk.hpp"
#include "ui/services/service.hpp"
#include "ui/services/workspace/coming_back.hpp"

namespace warpspy::ui {

class Workspace : public Service {
 public:
  explicit Workspace(const ServiceContext& c) : Service(c) {}

  void on(const OpenSource&);
  void on(const SelectMatrix&);
  void on(const CloseMatrix&);
  // select.cpp: what is looked at of them, and two side by side
  void on(const SetCamera&);
  void on(const SetHighlight&);
  void on(const ShowMarked&);
  void on(const CompareMatrices&);
  void on(const LeaveComparison&);
  // reorder.cpp
  void on(const Reorder&);
  void on(const ShowReorder&);
  // formats.cpp
  void on(const BuildFormat&);
  void on(const ReleaseFormat&);

  void open_all(const std::vector<std::string>& sources);
  // Over the network where it is not here: nothing else uses that.
  void open_fetched(const std::string& source);
  // Rows are marked when the matrix that is shown is there.
  void mark_when_read(const SetHighlight& marks);

  // put_back.cpp: what was open before. Nothing is run of it, and it is no news.
  ComingBack& coming_back() { return coming_back_; }
  MatrixId put(const DeskMatrix& d);  // its number; that of the one that is open already
  // A matrix of its own that is opened as they are.
  MatrixId open_quietly(const std::string& source);
  // At this place in the list, under its own number.
  void put_closed(OpenMatrix m, std::size_t place);
  void load_what_waits(const std::vector<MatrixId>& ids);
  void settle_coming_back();  // says what is to be said once nothing is left

 private:
  void drop(MatrixId id);
  void drop_failed(const std::string& source);
  void forget_messages(MatrixId about);
  // loading.cpp: from a recipe to a matrix
  struct Loaded {
    Matrix matrix;
    std::optional<FileMark> file;
    bool changed = false;  // the file is not what it was when the desk was left
    std::string fetched;   // what is to be said of its fetching
  };
  void load(MatrixId id);
  void opened(const Opening& opening, Loaded got);
  void not_opened(const Opening& opening, const Failure& f);
  void take(OpenMatrix& m, Matrix got);
  void find_best_saved(const OpenMatrix& m);
  // Matrices that are opened together.
  struct OpenGroup {
    std::size_t all = 0, left = 0;
    std::vector<std::string> failed;  // names
  };
  void settle_group(MatrixId id, const std::string& failed);
  void start_reordering(MatrixId id);
  void start_waiting();  // reorderings whose matrix has come
  void came(MatrixId id, bool changed, const Failure* failure);

  MatrixId next_matrix_ = 1;
  std::uint64_t next_opening_ = 1;
  std::set<std::string> to_fetch_;  // sources that were asked for by name
  std::set<MatrixId> quiet_;        // come back
  ComingBack coming_back_;
  SetHighlight marks_wait_;                                // for the shown matrix
  std::map<MatrixId, std::shared_ptr<OpenGroup>> groups_;  // of matrices that are being opened
  Generation highlight_asked_;
};

}  // namespace warpspy::ui
