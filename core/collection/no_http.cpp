#include "core/collection/http.hpp"

namespace warpspy {

bool has_http() { return false; }

void http_get(const HttpRequest& request, const std::function<void(const HttpReply&)>&,
              const std::function<void(std::string_view)>&, const Progress&) {
  throw Error("this build of Warpspy has no network: libcurl was not there when it was made", request.url,
              "build it with libcurl, or let WARPSPY_COLLECTION name a folder that has the collection's files");
}

}  // namespace warpspy
