// Matrices of a desk, a session or a figure that come back in jobs: what is to be said of them is said once, when all
// have come.
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
  static constexpr const char* kTheDesk = "The desk";  // else the name of a session

  void begin(std::string what, std::vector<std::string> remarks, std::size_t lost_runs);
  void add(MatrixId id);
  void remark(std::string text);
  bool waits_for(MatrixId id) const { return now_ && now_->left.contains(id); }
  // It has come, was closed, or failed. False: it was none of those that come back.
  bool came(MatrixId id, const OpenMatrix* m, bool changed, const Failure* failure);
  // Once, when nothing is left; nothing where there is nothing to say.
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
