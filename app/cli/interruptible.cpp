#include "app/cli/interruptible.hpp"

#include <atomic>

namespace warpspy::cli {
namespace {
std::atomic<Progress*> interrupted{nullptr};
}

Interruptible::Interruptible(Progress& progress) {
  interrupted = &progress;
  struct sigaction action = {};
  action.sa_handler = [](int) {
    if (Progress* p = interrupted.load()) p->cancel();
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_[0]);
  ::sigaction(SIGTERM, &action, &before_[1]);
}
Interruptible::~Interruptible() {
  ::sigaction(SIGINT, &before_[0], nullptr);
  ::sigaction(SIGTERM, &before_[1], nullptr);
  interrupted = nullptr;
}

}  // namespace warpspy::cli
