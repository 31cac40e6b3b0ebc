#include "profiling/remote/connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/memory_reserve.hpp"
#include "profiling/remote/parts.hpp"

namespace warpspy {
namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr auto kLook = Milliseconds(100), kFull = Milliseconds(5);
// How much received data may wait before reading stops, and how much unrequested data is tolerated.
constexpr std::size_t kMostFrames = 1000, kMostWaiting = std::size_t{16} << 20, kMostStray = std::size_t{16} << 20;

std::size_t bytes_of_frame(const wire::Frame& f) { return wire::header_bytes + f.body.size(); }

// The end of a text, in one line, without control characters.
std::string tail_of(const std::string& text, std::size_t most = 300) {
  std::string line;
  for (const char c : text.substr(text.size() - std::min(text.size(), most))) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7F';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

ChildProcess started(const EngineProgram& p) {
  try {
    return ChildProcess({.program = p.path,
                         .words = p.words,
                         .in = ChildFile::socket,
                         .errors = ChildFile::pipe,
                         .own_session = !p.host.empty()});
  } catch (const std::system_error& e) {
    throw Error(p.words.front() + " cannot be started: " + e.code().message(), {},
                "check the command and that the program is installed");
  }
}

// How the process ended, such as "was killed by signal 11 (Segmentation fault)". Waits for a second, then kills it.
std::string ending_of(const ChildProcess& process) {
  const auto ending = process.wait(1);
  if (!ending) return process.kill(), "closed its output and was stopped";
  if (ending->signal == 0) return "ended with code " + std::to_string(ending->code);
  const char* name = ::sigdescr_np(ending->signal);
  return "was killed by signal " + std::to_string(ending->signal) + (name ? " (" + std::string(name) + ")" : "");
}

}  // namespace

std::string seconds_text(double s) { return std::to_string(std::lround(s)) + " s"; }

Connection::Connection(EngineProgram program, EnginePatience patience)
    : program_(std::move(program)),
      patience_(patience),
      process_(started(program_)),
      heard_(Clock::now().time_since_epoch().count()),
      pinged_(Clock::now()),
      listener_([this](const std::stop_token& stop) { listen(stop); }) {}

Connection::~Connection() {
  stop_ = true;
  process_.kill();
}

std::string Connection::why() const {
  std::lock_guard lock(mutex_);
  return why_;
}

EngineDisconnected Connection::disconnected() const { return EngineDisconnected(why(), program_.host); }

double Connection::since_heard() const {
  const Clock::time_point heard{Clock::duration(heard_.load())};
  return std::chrono::duration<double>(Clock::now() - heard).count();
}

wire::Hello Connection::hello(const Progress& progress) {
  std::unique_lock lock(mutex_);
  while (!hello_ && !disconnected_) {
    news_.wait_for(lock, Milliseconds(10));
    progress.check();
  }
  if (hello_) return *hello_;
  lock.unlock();
  throw disconnected();
}

void Connection::expect(std::uint64_t call) {
  std::lock_guard lock(mutex_);
  call_ = call;
  frames_.clear();
  waiting_ = stray_ = 0;
}

bool Connection::has_room() const {
  std::lock_guard lock(mutex_);
  return frames_.size() < kMostFrames && waiting_ < kMostWaiting;
}

void Connection::send(wire::Kind kind, std::uint64_t call, std::string_view body) {
  const std::string header = wire::header_of(kind, call, body.size());
  std::lock_guard writing(writing_);
  for (std::string_view left : {std::string_view(header), body}) {
    while (!left.empty()) {
      if (disconnected_) throw disconnected();
      const ssize_t n = ::send(process_.in(), left.data(), left.size(), MSG_NOSIGNAL);
      if (n > 0) {
        left.remove_prefix(static_cast<std::size_t>(n));
        heard_ = Clock::now().time_since_epoch().count();  // the engine reads what is sent
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        pollfd ready = {process_.in(), POLLOUT, 0};
        ::poll(&ready, 1, static_cast<int>(kLook.count()));
      } else if (errno != EINTR) {
        // The engine has ended; the listener finds out why.
        std::unique_lock lock(mutex_);
        news_.wait_for(lock, std::chrono::seconds(3), [&] { return disconnected_.load(); });
        lock.unlock();
        if (!disconnected_) end("takes no more messages");
        throw disconnected();
      }
    }
  }
}

std::optional<wire::Frame> Connection::receive(Milliseconds wait) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, wait, [&] { return !frames_.empty() || disconnected_; });
  if (!frames_.empty()) {
    wire::Frame f = std::move(frames_.front());
    frames_.pop_front();
    waiting_ -= bytes_of_frame(f);
    return f;
  }
  if (!disconnected_) return {};
  lock.unlock();
  throw disconnected();
}

void Connection::end(const std::string& why) {
  {
    std::lock_guard lock(mutex_);
    if (ended_here_.empty()) ended_here_ = why;
  }
  process_.kill();
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, std::chrono::seconds(3), [&] { return disconnected_.load(); });
}

bool Connection::ended_here() const {
  std::lock_guard lock(mutex_);
  return !ended_here_.empty();
}

void Connection::listen(const std::stop_token& stop) {
  std::string problem;
  try {
    for (bool more = true; more && !stop.stop_requested() && !stop_;) {
      // Data that nobody takes stays in the pipe, and the writer waits.
      const bool room = has_room();
      pollfd ready[] = {{room ? process_.out() : -1, POLLIN, 0}, {process_.errors(), POLLIN, 0}};
      ::poll(ready, 2, static_cast<int>((room ? kLook : kFull).count()));
      if (ready[1].revents != 0) hear_errors();
      if (ready[0].revents != 0)
        more = hear();
      else if (!room) {
        heard_ = Clock::now().time_since_epoch().count();  // reading pauses, which is no silence of the engine
        more = !ended_here();
      } else
        more = process_.running();  // another process may keep its output open
      look_after();
    }
  } catch (const std::exception& e) {
    problem = memory_ran_out() ? "sent more than there is memory for here" : e.what();
    hold_memory_reserve();
  }
  if (stop_) return;
  close(problem);
}

bool Connection::hear() {
  char piece[1 << 16];
  const ssize_t n = ::read(process_.out(), piece, sizeof piece);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  heard_ = Clock::now().time_since_epoch().count();
  reader_.add({piece, static_cast<std::size_t>(n)});
  while (auto f = reader_.next()) take(std::move(*f));
  return true;
}

bool Connection::hear_errors() {
  char piece[4096];
  const ssize_t n = ::read(process_.errors(), piece, sizeof piece);
  if (n <= 0) return false;
  // Messages of an engine on this machine also go to the terminal.
  if (program_.host.empty() && ::write(STDERR_FILENO, piece, static_cast<std::size_t>(n)) < 0) errno = 0;
  std::lock_guard lock(mutex_);
  errors_.append(piece, static_cast<std::size_t>(n));
  if (constexpr std::size_t kept = 4096; errors_.size() > kept) errors_.erase(0, errors_.size() - kept);
  return true;
}

void Connection::take(wire::Frame f) {
  if (f.kind == wire::Kind::pong) return;
  if (f.kind == wire::Kind::refused) {
    wire::Refusal r;
    wire::unpack(f.body, r);
    throw Error(r.reason, {}, r.remedy);
  }
  if (f.kind == wire::Kind::hello) {
    wire::Hello hello = wire::hello_of(f.body, f.version);
    if (f.version != wire::protocol)
      throw Error("it is Warpspy " + hello.program + " and speaks protocol " + std::to_string(f.version) +
                      ", this one speaks " + std::to_string(wire::protocol),
                  {}, "install the same version at both ends");
    std::lock_guard lock(mutex_);
    hello_ = std::move(hello);
    news_.notify_all();
    return;
  }
  if (f.kind == wire::Kind::lost) {
    lost_ = true;
    return;
  }
  std::lock_guard lock(mutex_);
  const std::size_t bytes = bytes_of_frame(f);
  if (f.call != call_) {  // a message of a call that was given up
    if ((stray_ += bytes) > kMostStray) throw Error("keeps on sending what nobody asked for");
    return;
  }
  frames_.push_back(std::move(f));
  waiting_ += bytes;
  news_.notify_all();
}

// Asks whether the engine is alive, and ends it if it does not answer.
void Connection::look_after() {
  const double silence = since_heard();
  bool greeted = false;
  {
    std::lock_guard lock(mutex_);
    greeted = hello_.has_value();
  }
  if (!greeted) {
    // Even if it prints all the time.
    if (std::chrono::duration<double>(Clock::now() - started_).count() > patience_.hello)
      throw Error("did not answer within " + seconds_text(patience_.hello));
    return;
  }
  if (silence > patience_.silent) throw Error("gave no sign of life for " + seconds_text(patience_.silent));
  const auto now = Clock::now();
  if (silence < patience_.silent / 6 || now - pinged_ < std::chrono::duration<double>(patience_.silent / 6)) return;
  pinged_ = now;
  // If somebody is writing, that write notices a broken connection.
  const std::unique_lock writing(writing_, std::try_to_lock);
  const std::string ping = wire::header_of(wire::Kind::ping, 0, 0);
  if (writing && ::send(process_.in(), ping.data(), ping.size(), MSG_NOSIGNAL) < 0) errno = 0;
}

// Output that came before or between frames.
std::string Connection::seen() const {
  std::string text = tail_of(errors_);
  if (!hello_ && text.empty()) text = tail_of(reader_.skipped());
  return text.empty() ? "" : "; it printed: " + text;
}

void Connection::close(const std::string& problem) {
  if (!problem.empty()) process_.kill();
  const std::string ending = ending_of(process_);
  for (pollfd ready = {process_.errors(), POLLIN, 0}; ::poll(&ready, 1, 0) > 0 && hear_errors();) {
  }
  std::lock_guard lock(mutex_);
  const std::string what = !ended_here_.empty() ? ended_here_ : !problem.empty() ? problem : ending;
  why_ = (program_.host.empty() ? "the engine " : "the engine on " + program_.host + " ") + what + seen();
  disconnected_ = true;
  news_.notify_all();
}

}  // namespace warpspy
