// Matrices of a desk, a session or a figure that jobs open again. One message reports on them when all are done.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

class ComingBack {
 public:
  static constexpr const char* kTheDesk = "The desk";  // shown if no session has a name

  void begin(std::string what, std::vector<std::string> remarks, std::size_t lost_runs);
  void add(MatrixId id);
  void remark(std::string text);
  bool waits_for(MatrixId id) const { return now_ && now_->left.contains(id); }
  // Notes that a matrix was opened, was closed, or failed. Returns false if it is none of those that are opened again.
  bool came(MatrixId id, const OpenMatrix* m, bool changed, const Failure* failure);
  // The message, once, when all are done; nothing if there is nothing to report.
  std::optional<Message> told();

 private:
  struct What {
    std::string what;
    std::set<MatrixId> left;
    std::vector<std::string> failed, changed, remarks;
    std::size_t lost_runs = 0;
  };
  std::optional<What> now_;
};

}  // namespace warpspy::ui
