// A plan written as a coroutine of C++20: it asks for a product, waits for the result, and goes on. It suits plans
// whose next step depends on many earlier steps. An ordinary plan computes all earlier steps again for each product,
// which would take longer than the products.
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

// The state of a Script besides its value: the coroutine that waits for it, and the exception that ended it.
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

// A part of a plan that is written as a coroutine. It begins when another coroutine waits for it (co_await), and that
// coroutine goes on when the part ends. Data that the part refers to must live as long as the part.
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

  // Runs the part until it waits for a product. If it never waits, the caller is not suspended, so a long chain of such
  // parts needs no deep stack.
  bool await_ready() {
    begin();
    return ended();
  }
  void await_suspend(std::coroutine_handle<> who) { handle_.promise().waits = who; }
  T await_resume() { return taken(); }

  void begin() { handle_.resume(); }
  bool ended() const { return handle_.done(); }
  // The value of a part that has ended. Throws the exception that ended it.
  T taken() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.promise().take();
  }
  // The value of a part that waits for nothing.
  T at_once() {
    begin();
    if (!ended()) throw std::logic_error("a script waits, and nobody answers");
    return taken();
  }

 private:
  explicit Script(Handle handle) : handle_(handle) {}
  Handle handle_;
};

// One run of a script, which gets the results of a plan one after another.
class ScriptRun {
 public:
  virtual ~ScriptRun() = default;
  ScriptRun() = default;
  ScriptRun(const ScriptRun&) = delete;
  ScriptRun& operator=(const ScriptRun&) = delete;

  // Whether `so_far` begins with the results that the script has had.
  bool follows(const Results& so_far) const;
  // Continues the script with the results that it has not had yet. Returns the next case, or nothing if the script has
  // ended. Throws the exception that ended it.
  std::optional<Case> after(const Results& so_far);

 protected:
  struct Answer {
    ScriptRun& run;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> who) { run.waits_ = who; }
    CaseResult await_resume() { return std::move(run.answer_); }
  };
  // Asks for a product; co_await gives its result.
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
