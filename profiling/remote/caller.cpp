#include "profiling/remote/caller.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include "profiling/remote/parts.hpp"

namespace warpspy {
namespace {

using wire::Kind;
using Milliseconds = std::chrono::milliseconds;

// Small enough that a cancellation is noticed between two parts on a slow connection.
constexpr std::size_t kPart = std::size_t{256} << 10;
constexpr std::size_t kMostNews = 1'000;  // a run usually sends one or two messages
// How often a cancelled call is noticed.
constexpr Milliseconds kNotice{10};

double pause_of(const std::vector<double>& pauses, int failures) {
  if (pauses.empty() || failures < 1) return 0;
  return pauses[std::min(pauses.size(), static_cast<std::size_t>(failures)) - 1];
}

}  // namespace

Caller::Caller(EngineProgram program, RemoteOptions options)
    : program_(std::move(program)), options_(std::move(options)) {
  if (options_.keeps_connected)
    keeper_ = std::jthread([this](const std::stop_token& stop) { keep_connected(stop); });
  else
    begin();  // the first call finds it ready
}

Caller::~Caller() = default;

wire::Hello Caller::hello() const {
  std::lock_guard lock(mutex_);
  return hello_;
}

pid_t Caller::process() const {
  std::lock_guard lock(mutex_);
  return connection_ && connection_->alive() ? connection_->process() : -1;
}

// Starts a new engine after one has ended.
void Caller::begin() {
  std::lock_guard lock(mutex_);
  if (connection_ && connection_->alive() && !lost_a_device_) return;
  lost_a_device_ = false;
  connection_.reset();
  problem_.clear();
  try {
    connection_ = std::make_shared<Connection>(program_, options_.patience);
  } catch (const Error& e) {
    problem_ = e.what();
  }
}

Caller::ConnectionPtr Caller::connected(Progress& progress) {
  std::unique_lock connecting(connecting_, std::try_to_lock);
  while (!connecting) {
    progress.check();
    std::this_thread::sleep_for(kNotice);
    if (connecting.try_lock()) break;
  }
  begin();
  ConnectionPtr c;
  bool first = false;
  {
    std::lock_guard lock(mutex_);
    c = connection_;
    if (!c) throw EngineDisconnected("the engine does not run: " + problem_, program_.host);
    first = greeted_ != c;
  }
  if (first) progress.stage(program_.host.empty() ? "starting the engine" : "connecting to " + program_.host);
  wire::Hello hello;
  try {
    hello = c->hello(progress);
  } catch (const Cancelled&) {
    throw;
  } catch (const EngineDisconnected& e) {
    throw EngineDisconnected(
        e.reason, e.where,
        program_.host.empty() ? "" : "try \"" + command_text() + "\" in a terminal: it must ask nothing");
  }
  bool news = false;
  {
    std::lock_guard lock(mutex_);
    news = std::exchange(greeted_, c) != c;
    hello_ = hello;
  }
  if (news) tell({});
  return c;
}

std::string Caller::command_text() const {
  std::string text;
  for (const std::string& w : program_.words) text += (text.empty() ? "" : " ") + w;
  return text;
}

std::string Caller::operator()(const Call& call, Progress& progress) {
  std::lock_guard calling(calling_);
  for (bool again = false;; again = true) {
    pause(progress);
    bool reached = false, begun = false;
    try {
      const ConnectionPtr c = connected(progress);
      reached = true;
      const std::uint64_t number = ++calls_;
      c->expect(number);
      c->send(call.kind, number, call.body);
      std::string answer = await(*c, number, call, progress, begun);
      begin();
      return answer;
    } catch (const EngineDisconnected&) {
      // Between two calls: this call had not begun, so another engine can do it.
      if (reached && !begun && !again) continue;
      ++deaths_;
      begin();
      throw;
    }
  }
}

// After several engines that ended during their calls, waits before the next start: a batch would start hundreds.
void Caller::pause(Progress& progress) {
  const double s = pause_of(options_.pauses, deaths_ - options_.deaths + 1);
  if (s <= 0) return;
  const auto end = Clock::now() + std::chrono::duration<double>(s);
  progress.stage("the engine ended " + std::to_string(deaths_) + " times in a row: waiting " + seconds_text(s));
  while (Clock::now() < end) {
    progress.check();
    std::this_thread::sleep_for(kNotice);
  }
}

std::string Caller::await(Connection& c, std::uint64_t number, const Call& call, Progress& progress, bool& begun) {
  bool told = false;
  std::size_t news = 0;
  Clock::time_point cancelled;
  for (;;) {
    if (!told && progress.cancelled()) {
      c.send(Kind::cancel, number, {});
      told = true, cancelled = Clock::now();
    }
    if (told && Clock::now() - cancelled > std::chrono::duration<double>(options_.patience.cancel)) {
      c.end("did not stop when it was told to");
      begin();
      throw Cancelled{};
    }
    const auto f = c.receive(kNotice);
    if (c.lost_a_device()) wear();
    if (!f) continue;
    begun = true;
    if (f->kind == Kind::reply || f->kind == Kind::cancelled || f->kind == Kind::failed) deaths_ = 0;
    if (f->kind == Kind::reply) return f->body;
    if (f->kind == Kind::cancelled) throw Cancelled{};
    if (f->kind == Kind::failed) {
      wire::Refusal r;
      wire::unpack(f->body, r);
      throw Error(r.reason, r.where, r.remedy);
    }
    if (f->kind == Kind::need_matrix && call.matrix) send_matrix(c, number, *call.matrix, progress);
    if (f->kind == Kind::progress) {
      wire::Sign sign;
      wire::unpack(f->body, sign);
      progress.set(sign.fraction);
      if (sign.stage != progress.stage()) progress.stage(sign.stage);
      if (sign.quiet_s > options_.patience.hung && is_real(call.device)) {
        c.end("made no progress on the device for " + seconds_text(options_.patience.hung) + " (" + sign.stage +
              "): a kernel hangs; it was stopped");
      }
    }
    if (f->kind != Kind::timed) continue;
    // Messages are kept, so their number is limited.
    if (++news > kMostNews) c.end("tells of more runs than a call makes");
    if (call.on_frame) call.on_frame(*f);
  }
}

bool Caller::is_real(const std::string& device) const {
  const std::vector<DeviceInfo> devices = hello().devices;
  return std::any_of(devices.begin(), devices.end(), [&](const DeviceInfo& d) {
    return !d.simulated && d.available && (device == "auto" || d.id == (device == "cuda" ? "cuda:0" : device));
  });
}

// An engine that has lost a device is replaced after its call.
void Caller::wear() {
  std::lock_guard lock(mutex_);
  lost_a_device_ = true;
}

void Caller::send_matrix(Connection& c, std::uint64_t number, const Matrix& m, Progress& progress) {
  const wire::MatrixShape shape = wire::shape_of(m, ref_of(m).key);
  const double bytes = wire::bytes_of(shape);
  progress.stage(program_.host.empty() ? "handing the matrix to the engine" : "sending the matrix to " + program_.host);
  c.send(Kind::matrix, number, wire::pack(shape));
  double sent = 0;
  wire::send_arrays(m, kPart, [&](std::string_view part) {
    if (progress.cancelled()) return;  // the engine gives up what is not complete
    c.send(Kind::part, number, part);
    sent += static_cast<double>(part.size());
    progress.set(sent / bytes);
  });
}

wire::MatrixRef Caller::ref_of(const Matrix& m) {
  std::lock_guard lock(knowing_);
  std::erase_if(known_, [](const Known& k) { return k.csr.expired(); });
  for (const Known& k : known_)
    if (k.csr.lock() == m.csr && k.elements.lock() == m.elements) return {k.key, m.source};
  known_.push_back({m.csr, m.elements, wire::key_of(m)});
  return {known_.back().key, m.source};
}

void Caller::tell(const std::string& why_not) {
  if (!options_.on_devices) return;
  std::vector<DeviceInfo> devices = hello().devices;
  if (!why_not.empty()) {
    if (devices.empty()) {
      devices.emplace_back();
      devices.back().id = "cuda:0";
      devices.back().name = "GPU";
    }
    for (DeviceInfo& d : devices) d.available = false, d.reason = why_not;
  }
  options_.on_devices(devices);
}

void Caller::keep_connected(const std::stop_token& stop) {
  Progress progress;
  const std::stop_callback cancelling(stop, [&] { progress.cancel(); });
  int failures = 0;
  while (!stop.stop_requested()) {
    try {
      const ConnectionPtr c = connected(progress);
      failures = 0;
      while (c->alive() && !stop.stop_requested()) std::this_thread::sleep_for(Milliseconds(50));
      if (stop.stop_requested()) return;
      throw EngineDisconnected(c->why(), program_.host);
    } catch (const Cancelled&) {
      return;
    } catch (const Error& e) {
      const double s = pause_of(options_.pauses, ++failures);
      tell(e.reason + (e.remedy.empty() ? "" : "; " + e.remedy) + "; the next try is in " + seconds_text(s));
      const auto end = Clock::now() + std::chrono::duration<double>(s);
      std::unique_lock lock(mutex_);
      news_.wait_until(lock, stop, end, [] { return false; });
    }
  }
}

}  // namespace warpspy
