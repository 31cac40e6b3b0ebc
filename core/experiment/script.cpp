#include "core/experiment/script.hpp"

namespace warpspy {

bool ScriptRun::follows(const Results& so_far) const {
  if (so_far.size() < had_.size()) return false;
  for (std::size_t i = 0; i < had_.size(); ++i)
    if (so_far[i].record != had_[i]) return false;
  return true;
}

std::optional<Case> ScriptRun::after(const Results& so_far) {
  if (!script_) {
    script_ = std::make_unique<Script<>>(script());
    script_->begin();
  }
  while (!script_->ended() && had_.size() < so_far.size()) {
    answer_ = so_far[had_.size()];
    had_.push_back(answer_.record);
    wanted_.reset();
    waits_.resume();
  }
  if (!script_->ended()) return wanted_;
  script_->taken();
  return std::nullopt;
}

ScriptRun::Answer ScriptRun::ask(Case wanted) {
  wanted_ = std::move(wanted);
  return {*this};
}

}  // namespace warpspy
