// One GET over HTTP: all that the collection asks of a network library. Built without libcurl it says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/types.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

struct HttpRequest {
  std::string url;
  std::uint64_t from = 0;  // bytes that are here already
  std::string tag = {};    // of the version that they are of (HttpReply::tag); without it all is asked for
  int stall_s = 30;        // of silence, until the server counts as gone
};
struct HttpReply {
  long status = 0;          // 200: all of it; 206: the rest; else no file
  std::uint64_t bytes = 0;  // of the whole file; 0: not said
  std::uint64_t from = 0;   // where the first byte that comes belongs
  std::string tag;          // ETag, else Last-Modified; empty: none, so that nothing can be resumed
};

// There was an answer, and it ended early: asking for the rest may help.
struct ConnectionLost : Error {
  using Error::Error;
};

// `begin` is called once, before the first byte, `take` with each piece; they may throw. Follows redirections, heeds
// http_proxy and its like. Throws Error, ConnectionLost and Cancelled.
void http_get(const HttpRequest& request, const std::function<void(const HttpReply&)>& begin,
              const std::function<void(std::string_view)>& take, const Progress& progress);

// Whether this build can.
bool has_http();

}  // namespace warpspy
