// One GET over HTTP: the collection needs nothing else of a network library. A build without libcurl throws an Error
// that says so.
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
  std::uint64_t from = 0;  // how many bytes are here already
  std::string tag = {};    // version of the file that these bytes are from (HttpReply::tag); without it the whole file
                           // is asked for
  int stall_s = 30;        // a server that sends nothing for so long counts as gone
};
struct HttpReply {
  long status = 0;          // 200: the whole file; 206: the rest of it; else no file
  std::uint64_t bytes = 0;  // size of the whole file; 0: unknown
  std::uint64_t from = 0;   // position of the first byte that arrives
  std::string tag;          // ETag, else Last-Modified; empty: none, so that nothing can be resumed
};

// The server's answer ended early. Another request for the rest may succeed.
struct ConnectionLost : Error {
  using Error::Error;
};

// Calls `begin` once, before the first byte, and `take` with each piece; both may throw. Follows redirections, and uses
// the proxies of http_proxy and similar variables. Throws Error, ConnectionLost and Cancelled.
void http_get(const HttpRequest& request, const std::function<void(const HttpReply&)>& begin,
              const std::function<void(std::string_view)>& take, const Progress& progress);

// Whether this build has libcurl.
bool has_http();

}  // namespace warpspy
