#include "kernels/simt/meetings.hpp"

namespace warpspy::simt {
namespace {

constinit thread_local MeetingLog* log_now = nullptr;

}  // namespace

MeetingLog::MeetingLog() { log_now = this; }
MeetingLog::~MeetingLog() { log_now = nullptr; }
MeetingLog* MeetingLog::current() { return log_now; }

}  // namespace warpspy::simt
