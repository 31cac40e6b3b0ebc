#include "kernels/simt/convergence.hpp"

namespace warpspy::simt {
namespace {

constinit thread_local ConvergenceLog* log_now = nullptr;

}  // namespace

ConvergenceLog::ConvergenceLog() { log_now = this; }
ConvergenceLog::~ConvergenceLog() { log_now = nullptr; }
ConvergenceLog* ConvergenceLog::current() { return log_now; }

}  // namespace warpspy::simt
