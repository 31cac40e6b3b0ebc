#include "ui/services/session.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "ui/state/choice_rows.hpp"
#include "ui/state/lesson_cover.hpp"

namespace warpspy::ui {

namespace {

template <class S, class Told>
concept Hears = requires(S& service, const Told& told) { service.on(told); };

// Calls every service that has an on() for it; the compiler finds them.
template <class Told, class... S>
void deliver(const Told& told, const std::tuple<S&...>& services) {
  const auto to = [&](auto& service) {
    if constexpr (Hears<decltype(service), Told>) service.on(told);
  };
  std::apply([&](auto&... service) { (to(service), ...); }, services);
}
template <class Told, class... S>
constexpr int heard_by(const std::tuple<S&...>*) {
  return (0 + ... + (Hears<S, Told> ? 1 : 0));
}

}  // namespace

Session::Session(const Catalog& catalog, Engine& engine, SessionOptions options)
    : options_(std::move(options)),
      history_(options_.history),
      context_{engine,
               options_,
               s_,
               history_,
               mail_,
               workers_,
               [this](const Action& a) { handle(a); },
               [this](const Event& e) { tell(e); }},
      following_(context_),
      hearing_{engine},
      workers_(mail_, options_.workers, options_.idle_jobs ? take_idle_processors : let_others_go_first) {
  mail_.on_post(options_.wake);
  s_.catalog = &catalog;
  engine.on_device_lost([this](const std::string& id, const std::string& reason) {
    mail_.post([this, id, reason] { next_run_.lose_device(id, reason); });
  });
  engine.on_devices([this](const std::string& host, const std::vector<DeviceInfo>& devices) {
    mail_.post([this, host, devices] { next_run_.take_devices(host, devices); });
  });
  s_.system_dialog = options_.system_dialog;
  s_.version = options_.version;
  const std::string problem = preferences_.read();
  if (!problem.empty()) handle(Notify{{Message::Kind::warning, problem, "", 0}});
  for (const auto& notice : catalog.notices) handle(Notify{{Message::Kind::note, notice, "", 0}});
  s_.unread = problem.empty() ? 0 : 1;
  next_run_.begin();
  preferences_.begin();
  studies_.begin();
  lessons_.begin();
  if (s_.settings.keep_desk) desk_.begin();
  handle(AskCollection{});  // the local list: the action search uses it to complete names
}

Session::~Session() {
  mail_.on_post({});
  desk_.keep_last();
  lessons_.keep_last();
  runs_.finish_edits();
}

void Session::handle(const Action& a) {
  a.visit([this]<class A>(const A& action) {
    static_assert(heard_by<A>(static_cast<decltype(services())*>(nullptr)) == 1, "one service handles an action");
    deliver(action, services());
  });
}

void Session::tell(const Event& e) {
  e.visit([this]<class E>(const E& event) {
    static_assert(heard_by<E>(static_cast<decltype(services())*>(nullptr)) > 0, "nobody wants to know");
    deliver(event, services());
  });
}

void Session::apply(const Action& a) {
  if (refused_by_lesson(s_, a)) return handle(Notify{{Message::Kind::note, std::string(kCovered) + ".", "", 0}});
  const auto step = undo_name(a, s_);
  const auto before = step ? std::optional(undo_state(s_)) : std::nullopt;
  handle(a);
  settle();
  if (step) undo_.record(*step, *before);
  undo_.tell_labels();
  desk_.note_change();
  touched_ = true;
}

// What must hold after every change of the state.
void Session::settle() {
  lessons_.settle();
  live_.settle();
  following_.list();
  runs_.settle();
  following_.at_once();
  preferences_.settle();
}

void Session::update() {
  touched_ = false;
  take_mail();
  screen_.frame();
  s_.jobs.clear();
  for (auto& j : workers_.pending())
    if (j->queue != JobQueue::tiles) s_.jobs.push_back(std::move(j));
  live_.frame();
  pattern_.frame();
  warps_.frame();
  sweeps_.frame();
  best_.frame();
  studies_.frame();
  lectures_.frame();
  lessons_.frame();
  settle();
  following_.in_frame();
  desk_.frame();
}

bool Session::idle() {
  const bool due = desk_.due() || touched_ || live_.due() || pattern_.waits() || live_.may_refine() || sweeps_.due() ||
                   best_.due() || studies_.due() || lessons_.due();
  const bool at_rest = live_.at_rest();
  return !due && take_mail() == 0 && at_rest;
}

std::optional<double> Session::due_in_s() const {
  std::optional<double> first;
  for (const auto& s : {desk_.due_in_s(), warps_.due_in_s(), pattern_.due_in_s(), sweeps_.due_in_s()})
    if (s) first = std::min(first.value_or(*s), *s);
  return first;
}

std::size_t Session::take_mail() {
  const std::size_t taken = mail_.drain();
  // New mail may change the desk, unless it came from keeping the desk, or a sweep that is watched has nothing new.
  const bool news = taken > desk_.take_own_mail() + sweeps_.take_vain_looks();
  if (news && (!s_.matrices.empty() || !s_.runs.all().empty())) desk_.note_change();
  settle();
  return taken;
}

}  // namespace warpspy::ui
