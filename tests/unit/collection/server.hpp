// A small HTTP server on the loopback, which misbehaves as it is told, and files to be fetched from it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace warpspy {

// One connection, one answer.
class LoopbackServer {
 public:
  struct File {
    std::string body;
    std::string tag = "\"1\"";  // empty: none, so that nothing can be resumed
    bool ranges = true;         // answers 206 to what asks for the rest
    std::size_t cut_after = 0;  // ends each answer after so many bytes; 0: whole
    int cuts = 0;               // so many answers; then all are whole
    bool stalls = false;        // says nothing behind the bytes of a cut, until the server ends
    int status = 200;           // else an answer without the file
    std::string moved_to = {};  // a redirection
  };

  LoopbackServer() {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = {};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* name = reinterpret_cast<sockaddr*>(&at);
    if (listener_ < 0 || ::bind(listener_, name, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, name, &size) != 0)
      throw std::runtime_error("no server on the loopback");
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~LoopbackServer() {
    ends_ = true;
    thread_.join();
    ::close(listener_);
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  void put(const std::string& path, File file) {
    const std::lock_guard lock(mutex_);
    files_[path] = std::move(file);
  }
  // First lines of the requests, each with its Range behind it: "GET /a bytes=5-".
  std::vector<std::string> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  static std::string field(const std::string& request, const std::string& name) {
    const std::size_t at = request.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t from = at + name.size() + 4;
    return request.substr(from, request.find("\r\n", from) - from);
  }
  static void send(int client, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(client, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }
  void serve() {
    while (!ends_) {
      pollfd waiting = {listener_, POLLIN, 0};
      if (::poll(&waiting, 1, 10) < 1) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      answer(client);
      ::close(client);
    }
  }
  void answer(int client) {
    std::string request;
    char piece[4096];
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t n = ::recv(client, piece, sizeof piece, 0);
      if (n <= 0) return;
      request.append(piece, static_cast<std::size_t>(n));
    }
    const std::string path = request.substr(4, request.find(' ', 4) - 4);
    const std::string range = field(request, "Range"), if_range = field(request, "If-Range");
    File file;
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back("GET " + path + (range.empty() ? "" : " " + range));
      const auto found = files_.find(path);
      if (found == files_.end()) {
        file.status = 404;
      } else {
        file = found->second;
        if (found->second.cuts > 0) --found->second.cuts;
      }
    }
    if (!file.moved_to.empty())
      return send(client, "HTTP/1.1 302 Found\r\nLocation: " + file.moved_to + "\r\nContent-Length: 0\r\n\r\n");
    if (file.status != 200)
      return send(client, "HTTP/1.1 " + std::to_string(file.status) + " No\r\nContent-Length: 2\r\n\r\nno");
    std::size_t from = 0;
    if (file.ranges && !range.empty() && if_range == file.tag) from = std::stoul(range.substr(6));
    const std::string all = std::to_string(file.body.size());
    if (from > 0 && from >= file.body.size())
      return send(client, "HTTP/1.1 416 No\r\nContent-Range: bytes */" + all + "\r\nContent-Length: 0\r\n\r\n");
    std::string head = from > 0 ? "HTTP/1.1 206 Rest\r\nContent-Range: bytes " + std::to_string(from) + "-" +
                                      std::to_string(file.body.size() - 1) + "/" + all + "\r\n"
                                : std::string("HTTP/1.1 200 OK\r\n");
    if (!file.tag.empty()) head += "ETag: " + file.tag + "\r\n";
    std::string body = file.body.substr(from);
    head += "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n";
    if (file.cuts > 0) body.resize(std::min(body.size(), file.cut_after));
    send(client, head + body);
    // Until the other side goes.
    while (file.cuts > 0 && file.stalls && !ends_ && ::recv(client, piece, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  int listener_ = -1, port_ = 0;
  std::atomic<bool> ends_{false};
  mutable std::mutex mutex_;
  std::map<std::string, File> files_;
  std::vector<std::string> asked_;
  std::thread thread_;
};

// One file in a tar archive, packed by gzip, as the collection has its matrices.
inline std::string tar_gz(const std::string& name, const std::string& text) {
  char head[512] = {};
  std::snprintf(head, 100, "%s", name.c_str());
  std::snprintf(head + 100, 8, "%07o", 0644u);
  std::snprintf(head + 124, 12, "%011o", static_cast<unsigned>(text.size()));
  std::snprintf(head + 136, 12, "%011o", 0u);
  head[156] = '0';
  std::memcpy(head + 257, "ustar\00000", 8);
  std::memset(head + 148, ' ', 8);
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  std::snprintf(head + 148, 8, "%06o", sum);
  std::string tar(head, sizeof head);
  tar += text;
  tar.resize((tar.size() + 511) / 512 * 512 + 1024);
  z_stream z = {};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&z, static_cast<uLong>(tar.size())) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(tar.data()), z.avail_in = static_cast<uInt>(tar.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data()), z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_FINISH);
  packed.resize(packed.size() - z.avail_out);
  deflateEnd(&z);
  return packed;
}

// A matrix of the collection in such an archive: n x n with a diagonal. Its numbers do not pack well.
inline std::string packed_matrix(const std::string& name, int n) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(n) + " " + std::to_string(n) +
                     " " + std::to_string(n) + "\n";
  std::uint64_t state = 1;
  for (int k = 1; k <= n; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(k) + " " + std::to_string(k) + " 0." + std::to_string(state) + "\n";
  }
  return tar_gz(name + "/" + name + ".mtx", text);
}

inline const char* small_index() {
  return "5\n31-Oct-2023 18:12:37\n"
         "Williams,cant,62451,62451,4007383,1,0,1,1,1,1,2D/3D problem,4007383\n"
         "HB,1138_bus,1138,1138,4054,1,0,0,1,1,1,power network problem,4054\n"
         "Bai,dw2048,2048,2048,10114,1,0,0,0,0.98,0.98,electromagnetics problem,10114\n"
         "Twin,same,10,10,10,1,0,0,0,1,1,counter-example problem,10\n"
         "Other,same,20,20,20,1,0,0,0,1,1,counter-example problem,20\n";
}

}  // namespace warpspy
