#include "profiling/remote/server.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/memory_reserve.hpp"
#include "core/matrix/memory.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/matrix_store.hpp"
#include "profiling/remote/parts.hpp"

namespace warpspy {
namespace {

using wire::Frame;
using wire::Kind;
using wire::pack;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostCalls = 64;  // that wait

class Server {
 public:
  Server(Engine& engine, int in, int out, double matrix_bytes)
      : engine_(engine), in_(in), out_(out), matrices_(matrix_bytes) {
    engine_.on_device_lost(
        [this](const std::string& device, const std::string& reason) { write(Kind::lost, 0, pack(device, reason)); });
  }
  ~Server() { engine_.on_device_lost({}); }

  int serve(const wire::Hello& hello) {
    std::jthread worker, watch;
    const int code = read([&] {
      write(Kind::hello, 0, pack(hello));
      worker = std::jthread([this] { work(); });
      watch = std::jthread([this] { tell_progress(); });
    });
    std::unique_lock lock(mutex_);
    ended_ = true;
    for (const auto& c : calls_) c->progress.cancel();
    if (current_) current_->progress.cancel();
    news_.notify_all();
    // A kernel that hangs would block the device, so the process is ended.
    if (!news_.wait_for(lock, std::chrono::seconds(2), [&] { return worker_done_ || !worker.joinable(); }))
      std::_Exit(code);
    return code;
  }

 private:
  struct Call {
    Frame frame;
    Progress progress;
  };

  // The thread that reads.

  // Whatever happens ends the conversation with its reason.
  int read(const std::function<void()>& begin) {
    try {
      begin();
      wire::FrameReader reader;
      std::string piece(std::size_t{1} << 18, '\0');
      for (;;) {
        const ssize_t n = ::read(in_, piece.data(), piece.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        reader.add(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
        while (auto f = reader.next()) take(std::move(*f));
      }
    } catch (const Error& e) {
      refuse({e.reason, e.where, e.remedy});
    } catch (const std::exception& e) {
      refuse({memory_ran_out() ? "out of memory: this machine has no room for what was sent" : e.what(), {}, {}});
    }
    return 1;
  }
  void refuse(const wire::Refusal& why) { write(Kind::refused, 0, pack(why)); }

  void take(Frame f) {
    if (f.kind == Kind::ping) return write(Kind::pong, 0, {});
    std::lock_guard lock(mutex_);
    if (f.kind == Kind::cancel) {
      if (current_ && current_->frame.call == f.call) current_->progress.cancel();
      for (const auto& c : calls_)
        if (c->frame.call == f.call) c->progress.cancel();
    } else if (f.kind == Kind::matrix) {
      wire::MatrixShape shape;
      wire::unpack(f.body, shape);
      arriving_.reset(), refusal_.reset();
      try {
        arriving_.emplace(std::move(shape));
      } catch (const Error& e) {
        refusal_ = e;
      } catch (const std::bad_alloc&) {
        refusal_ = Error("out of memory: there is no room for the matrix");
      }
    } else if (f.kind == Kind::part) {
      if (!arriving_) return;  // the matrix was refused, and its remaining parts are skipped
      arriving_->add(f.body);
      if (!arriving_->complete()) return;  // the progress need not show thousands of parts
    } else {
      // A window waits for each answer.
      if (calls_.size() >= kMostCalls) throw Error("more is asked of this engine than it can answer");
      calls_.push_back(std::make_unique<Call>());
      calls_.back()->frame = std::move(f);
    }
    news_.notify_all();
  }

  // The thread that works.

  void work() {
    for (;;) {
      Call* call = nullptr;
      {
        std::unique_lock lock(mutex_);
        current_ = nullptr;
        news_.wait(lock, [&] { return ended_ || !calls_.empty(); });
        if (ended_) break;
        current_ = std::move(calls_.front());
        calls_.pop_front();
        call = current_.get();
      }
      answer(*call);
    }
    std::lock_guard lock(mutex_);
    worker_done_ = true;
    news_.notify_all();
  }

  void answer(Call& call) {
    const std::uint64_t number = call.frame.call;
    const auto fail = [&](const std::string& reason, const std::string& where = {}, const std::string& remedy = {}) {
      write(Kind::failed, number, pack(wire::Refusal{reason, where, remedy}));
    };
    write(Kind::begun, number, {});
    try {
      std::string body = reply(call);
      write(Kind::reply, number, body);
    } catch (const Cancelled&) {
      write(Kind::cancelled, number, {});
    } catch (const Error& e) {
      fail(e.reason, e.where, e.remedy);
    } catch (const std::exception& e) {
      fail(memory_ran_out() ? "out of memory: this machine has no room for it" : e.what());
      hold_memory_reserve();  // a new reserve for the next call
    }
  }

  std::string reply(Call& call) {
    const std::string& body = call.frame.body;
    const std::uint64_t number = call.frame.call;
    wire::MatrixRef matrix;
    std::string request, device;
    std::vector<std::string> requests;
    switch (call.frame.kind) {
      case Kind::run:
        wire::unpack(body, matrix, request);
        return to_json(engine_.run(request_from_json(request), matrix_of(matrix, call), call.progress,
                                   [&](const RunRecord& r) { write(Kind::timed, number, to_json(r)); }));
      case Kind::trace_entries: {
        index_t begin = 0, end = 0;
        wire::unpack(body, matrix, request, begin, end);
        const Matrix m = matrix_of(matrix, call);
        if (begin < 0 || begin > end || end > m.csr->rows()) throw Error("these rows are not in the matrix");
        return pack(engine_.trace_entries(request_from_json(request), m, begin, end, call.progress));
      }
      case Kind::trace_warp: {
        WarpWanted wanted;
        wire::unpack(body, matrix, request, wanted);
        return pack(engine_.trace_warp(request_from_json(request), matrix_of(matrix, call), wanted, call.progress));
      }
      case Kind::saved_roofs: {
        wire::unpack(body, device);
        const auto roofs = engine_.saved_roofs(device);
        return roofs ? to_json(*roofs) : "";
      }
      case Kind::measure_roofs:
        wire::unpack(body, device);
        return to_json(engine_.measure_roofs(device, call.progress));
      case Kind::run_in_turn: {
        InSearch search;
        wire::unpack(body, matrix, requests, search);
        std::vector<RunRequest> asked;
        for (const std::string& r : requests) asked.push_back(request_from_json(r));
        std::vector<std::string> answers;
        for (const RunRecord& r : engine_.run_in_turn(asked, search, matrix_of(matrix, call), call.progress))
          answers.push_back(to_json(r));
        return pack(answers);
      }
      case Kind::bench_machine:
        wire::unpack(body, device);
        return pack(engine_.bench_machine(device, call.progress));
      default:
        throw Error("this engine does not know what is asked of it", {}, "install the same version at both ends");
    }
  }

  // Requests the matrix if it is not here.
  Matrix matrix_of(const wire::MatrixRef& ref, const Call& call) {
    const Matrix* kept = matrices_.find(ref.key);
    if (!kept) {
      write(Kind::need_matrix, call.frame.call, {});
      wire::MatrixBuilder builder = await_matrix(ref.key, call.progress);
      const double bytes = wire::bytes_of(builder.shape());
      matrices_.put(ref.key, builder.take(), bytes);
      kept = matrices_.find(ref.key);
    }
    Matrix m = *kept;
    m.source = ref.facts;
    return m;
  }

  wire::MatrixBuilder await_matrix(const std::string& key, const Progress& progress) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (refusal_) throw *std::exchange(refusal_, std::nullopt);
      if (arriving_ && arriving_->complete() && arriving_->shape().key == key) {
        wire::MatrixBuilder builder = std::move(*arriving_);
        arriving_.reset();
        return builder;
      }
      news_.wait_for(lock, std::chrono::milliseconds(50));
      progress.check();
    }
  }

  // The thread that watches reports the progress: ten times a second if it changes, otherwise once a second.
  void tell_progress() {
    double fraction = -1;
    std::string stage;
    std::uint64_t of = 0;
    auto told = Clock::now(), changed = told;
    std::unique_lock lock(mutex_);
    while (!ended_) {
      news_.wait_for(lock, std::chrono::milliseconds(100), [&] { return ended_; });
      if (!current_ || ended_) continue;
      Call& call = *current_;
      const auto now = Clock::now();
      wire::Sign sign{call.progress.fraction(), call.progress.stage(), 0};
      const bool news = of != call.frame.call || sign.fraction != fraction || sign.stage != stage;
      if (news) changed = now;
      sign.quiet_s = std::chrono::duration<double>(now - changed).count();
      if (!news && now - told < std::chrono::seconds(1)) continue;
      of = call.frame.call, fraction = sign.fraction, stage = sign.stage, told = now;
      lock.unlock();
      write(Kind::progress, of, pack(sign));
      lock.lock();
    }
  }

  // Any thread may write. If the reader is gone, the reading thread notices it.
  void write(Kind kind, std::uint64_t call, std::string_view body) {
    try {
      const std::string header = wire::header_of(kind, call, body.size());
      std::lock_guard writing(writing_);
      for (std::string_view left : {std::string_view(header), body})
        while (!left.empty() && !deaf_) {
          const ssize_t n = ::write(out_, left.data(), left.size());
          if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
          if (n < 0 && errno != EINTR) deaf_ = true;
        }
    } catch (const Error& e) {
      // Too long an answer.
      write(Kind::failed, call, pack(wire::Refusal{e.reason, e.where, e.remedy}));
    }
  }

  Engine& engine_;
  const int in_, out_;
  MatrixStore matrices_;  // used by the working thread
  std::mutex writing_;
  std::atomic<bool> deaf_{false};

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::unique_ptr<Call>> calls_;
  std::unique_ptr<Call> current_;
  std::optional<wire::MatrixBuilder> arriving_;
  std::optional<Error> refusal_;
  bool ended_ = false, worker_done_ = false;
};

}  // namespace

int serve_engine(Engine& engine, const wire::Hello& hello, int in, int out, ServeOptions options) {
  if (options.matrix_bytes <= 0) options.matrix_bytes = static_cast<double>(available_memory()) / 4;
  return Server(engine, in, out, options.matrix_bytes).serve(hello);
}

}  // namespace warpspy
