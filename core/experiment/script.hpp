// A plan written down as a function: it asks for a product, waits for what came of it, and goes on from there.
// Coroutines of C++20, for plans whose next step hangs on many before it: to work all of them out anew for each would
// take longer than the products.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/experiment/plan.hpp"

namespace warpspy {

// What a Script has beside its value: who waits for it, and what ended it.
struct ScriptState {
  std::coroutine_handle<> waits = std::noop_coroutine();
  std::exception_ptr failure = nullptr;

  struct End {
    bool await_ready() noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> ended) noexcept {
      return ended.promise().waits;
    }
    void await_resume() noexcept {}
  };
  std::suspend_always initial_suspend() noexcept { return {}; }
  End final_suspend() noexcept { return {}; }
  void unhandled_exception() { failure = std::current_exception(); }
};
template <class T>
struct ScriptValue : ScriptState {
  std::optional<T> value = {};
  void return_value(T v) { value.emplace(std::move(v)); }
  T take() { return std::move(*value); }
};
template <>
struct ScriptValue<void> : ScriptState {
  void return_void() {}
  void take() {}
};

// A piece of a plan that is written so. It begins when it is waited for (co_await), and whoever waits goes on when it
// ends. What it refers to must live as long.
template <class T = void>
class [[nodiscard]] Script {
 public:
  struct promise_type : ScriptValue<T> {
    Script get_return_object() { return Script(Handle::from_promise(*this)); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Script(Script&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Script& operator=(Script&&) = delete;
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  ~Script() {
    if (handle_) handle_.destroy();
  }

  // It runs until it waits itself. Where it does not, nobody is put to sleep, however long a row of such pieces is.
  bool await_ready() {
    begin();
    return ended();
  }
  void await_suspend(std::coroutine_handle<> who) { handle_.promise().waits = who; }
  T await_resume() { return taken(); }

  void begin() { handle_.resume(); }
  bool ended() const { return handle_.done(); }
  // Of one that has ended. Throws what ended it.
  T taken() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.promise().take();
  }
  // Of one that waits for nothing on its way.
  T at_once() {
    begin();
    if (!ended()) throw std::logic_error("a script waits, and nobody answers");
    return taken();
  }

 private:
  explicit Script(Handle handle) : handle_(handle) {}
  Handle handle_;
};

// One way through a script, along the results of a plan.
class ScriptRun {
 public:
  virtual ~ScriptRun() = default;
  ScriptRun() = default;
  ScriptRun(const ScriptRun&) = delete;
  ScriptRun& operator=(const ScriptRun&) = delete;

  // Whether these begin with the results that it has had.
  bool follows(const Results& so_far) const;
  // Goes on with those that it has not had. What it asks for next; nothing: it has ended. Throws what ended it.
  std::optional<Case> after(const Results& so_far);

 protected:
  struct Answer {
    ScriptRun& run;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> who) { run.waits_ = who; }
    CaseResult await_resume() { return std::move(run.answer_); }
  };
  // To be waited for: what comes of it.
  Answer ask(Case wanted);
  virtual Script<> script() = 0;

 private:
  std::unique_ptr<Script<>> script_;
  std::coroutine_handle<> waits_;
  std::optional<Case> wanted_;
  CaseResult answer_;
  std::vector<std::shared_ptr<const RunRecord>> had_;
};

}  // namespace warpspy
