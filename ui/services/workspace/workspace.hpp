// Handles the open matrices: it opens, shows, marks, reorders, converts and closes them.
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
  // select.cpp: which part of a matrix is shown, and two matrices side by side
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
  // Opens a matrix of the collection, and downloads it if it is not here. No other function uses the network.
  void open_fetched(const std::string& source);

  // put_back.cpp: opens matrices of an earlier desk. No run is started for them, and recent files do not change.
  ComingBack& coming_back() { return coming_back_; }
  MatrixId put(const DeskMatrix& d);  // returns the matrix's number, also if it is open already
  // Opens one more matrix in the same way.
  MatrixId open_quietly(const std::string& source);
  // Puts a closed matrix back at this place in the list, with its old number.
  void put_closed(OpenMatrix m, std::size_t place);
  void load_what_waits(const std::vector<MatrixId>& ids);
  void settle_coming_back();  // reports to the user when all are done

 private:
  void drop(MatrixId id);
  void drop_failed(const std::string& source);
  void forget_messages(MatrixId about);
  // loading.cpp: from a recipe to a matrix
  struct Loaded {
    Matrix matrix;
    std::optional<FileMark> file;
    bool changed = false;  // the file has changed since the desk was saved
    std::string fetched;   // remark on its download
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
  void start_waiting();  // starts reorderings whose matrix has been read
  void came(MatrixId id, bool changed, const Failure* failure);

  MatrixId next_matrix_ = 1;
  std::uint64_t next_opening_ = 1;
  std::set<std::string> to_fetch_;  // sources to download
  std::set<MatrixId> quiet_;        // come back
  ComingBack coming_back_;
  std::map<MatrixId, std::shared_ptr<OpenGroup>> groups_;  // groups of matrices that are being opened
  Generation highlight_asked_;
};

}  // namespace warpspy::ui
