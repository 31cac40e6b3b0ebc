#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <exception>
#include <iterator>
#include <memory>
#include <utility>

#include "core/collection/http.hpp"

namespace warpspy {
namespace {

constexpr long kConnectS = 20, kMostRedirections = 8;

// Where systems keep their trusted certificates. A bundle may run on another system than the one that built it.
constexpr const char* kCertificates[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                                         "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};

struct EndCurl {
  void operator()(CURL* c) const { curl_easy_cleanup(c); }
};

struct Transfer {
  const std::function<void(const HttpReply&)>& begin;
  const std::function<void(std::string_view)>& take;
  const Progress& progress;
  HttpReply reply = {};
  std::uint64_t length = 0;  // length of the body that will arrive
  bool begun = false;
  std::exception_ptr thrown = nullptr;

  // curl is C code, so exceptions must not pass through it: they are stored and thrown later.
  template <class F>
  bool guarded(F&& work) noexcept {
    try {
      work();
      return true;
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
  void start(CURL* curl) {
    if (std::exchange(begun, true)) return;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
    if (reply.bytes == 0 && length > 0 && reply.status == 200) reply.bytes = length;
    begin(reply);
  }
  void header(std::string_view line);
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

void Transfer::header(std::string_view line) {
  if (line.starts_with("HTTP/")) reply = {}, length = 0;  // headers of the page to which a redirection leads
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-length") length = number_at(value);
  // A weak tag only says that two files are equivalent, not that their bytes are equal.
  if (name == "etag" && !value.starts_with("W/")) reply.tag = value;
  if (name == "last-modified" && reply.tag.empty()) reply.tag = value;
  if (name != "content-range" || !value.starts_with("bytes ")) return;
  reply.from = number_at(value.substr(6));
  if (const std::size_t slash = value.find('/'); slash != std::string_view::npos)
    reply.bytes = number_at(value.substr(slash + 1));
}

struct Handle {
  CURL* curl;
  Transfer& transfer;
};

std::size_t on_header(char* data, std::size_t size, std::size_t n, void* user) {
  auto& h = *static_cast<Handle*>(user);
  return h.transfer.guarded([&] { h.transfer.header({data, size * n}); }) ? size * n : 0;
}
std::size_t on_body(char* data, std::size_t size, std::size_t n, void* user) {
  auto& h = *static_cast<Handle*>(user);
  const bool ok = h.transfer.guarded([&] {
    h.transfer.start(h.curl);
    h.transfer.take({data, size * n});
  });
  return ok ? size * n : size * n + 1;  // another number than was given ends it
}
int on_progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Handle*>(user)->transfer.progress.cancelled() ? 1 : 0;
}

std::string host_of(const std::string& url) {
  const std::size_t at = url.find("://");
  if (at == std::string::npos) return url;
  return url.substr(at + 3, url.find('/', at + 3) - at - 3);
}

[[noreturn]] void fail(CURLcode code, const HttpRequest& request, const char* details, bool begun) {
  const std::string why = *details ? details : curl_easy_strerror(code);
  constexpr const char* elsewhere = "or let WARPSPY_COLLECTION name a mirror or a folder";
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      throw Error("there is no connection to " + host_of(request.url) + " (" + why + ")", request.url,
                  std::string("check the network and, where there is one, the proxy (https_proxy), ") + elsewhere);
    case CURLE_OPERATION_TIMEDOUT:
      throw Error(host_of(request.url) + " says nothing (" + why + ")", request.url,
                  std::string("try again later, what came is kept; ") + elsewhere);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      throw Error("this is no address of a mirror (" + why + ")", request.url,
                  "WARPSPY_COLLECTION is http://..., https://... or a folder");
    default:
      break;
  }
  const std::string words = "the connection to " + host_of(request.url) + " was lost (" + why + ")";
  if (begun) throw ConnectionLost(words, request.url, "fetch it again: what came is kept");
  throw Error(words, request.url, std::string("try again later, ") + elsewhere);
}

}  // namespace

bool has_http() { return true; }

void http_get(const HttpRequest& request, const std::function<void(const HttpReply&)>& begin,
              const std::function<void(std::string_view)>& take, const Progress& progress) {
  static const bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  const std::unique_ptr<CURL, EndCurl> curl(ready ? curl_easy_init() : nullptr);
  if (!curl) throw Error("libcurl does not start", request.url, "check its installation");
  Transfer transfer{begin, take, progress};
  Handle handle{curl.get(), transfer};
  char details[CURL_ERROR_SIZE] = "";
  CURL* c = curl.get();
  curl_easy_setopt(c, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(c, CURLOPT_ERRORBUFFER, details);
  const auto* trusted = std::find_if(std::begin(kCertificates), std::end(kCertificates),
                                     [](const char* path) { return ::access(path, R_OK) == 0; });
  if (trusted != std::end(kCertificates)) curl_easy_setopt(c, CURLOPT_CAINFO, *trusted);
  curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);  // signals only work in the main thread
  curl_easy_setopt(c, CURLOPT_USERAGENT, "warpspy");
  curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(c, CURLOPT_MAXREDIRS, kMostRedirections);
  curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, kConnectS);
  curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.stall_s));
  curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(c, CURLOPT_HEADERDATA, &handle);
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, &handle);
  curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(c, CURLOPT_XFERINFODATA, &handle);
  struct EndList {
    void operator()(curl_slist* l) const { curl_slist_free_all(l); }
  };
  std::unique_ptr<curl_slist, EndList> headers;
  if (request.from > 0 && !request.tag.empty()) {
    // Set here, since with curl's own option a server that ignores the range and sends the whole file is an error.
    headers.reset(curl_slist_append(nullptr, ("Range: bytes=" + std::to_string(request.from) + "-").c_str()));
    curl_slist_append(headers.get(), ("If-Range: " + request.tag).c_str());
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers.get());
  }
  const CURLcode code = curl_easy_perform(c);
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  progress.check();
  if (code != CURLE_OK) fail(code, request, details, transfer.begun);
  transfer.start(c);  // also starts an empty body
}

}  // namespace warpspy
