#include "ui/services/service.hpp"

#include <algorithm>
#include <utility>

namespace warpspy::ui {

Service::Service(const ServiceContext& c)
    : engine_(c.engine),
      options_(c.options),
      s_(c.state),
      history_(c.history),
      mail_(c.mail),
      workers_(c.workers),
      context_(c) {}

void Service::say(Message::Kind kind, std::string text, std::string remedy, MatrixId about) const {
  // A message is one line: further lines of a library's message do not fit into the status bar.
  std::replace(text.begin(), text.end(), '\n', ' ');
  s_.messages.push_back({kind, std::move(text), std::move(remedy), about});
  ++s_.unread;
}

void Service::say(const Failure& f, MatrixId about) const {
  say(Message::Kind::error, f.where.empty() ? f.reason : f.where + ": " + f.reason, f.remedy, about);
}

void Service::tell_history_problems() const {
  for (const Error& e : history_.problems())
    mail_.post(
        [this, e] { say(Message::Kind::warning, e.where.empty() ? e.reason : e.where + ": " + e.reason, e.remedy); });
}

OpenMatrix* Service::find(MatrixId id) const {
  for (auto& m : s_.matrices)
    if (m.id == id) return &m;
  return nullptr;
}

OpenMatrix* Service::find(const Opening& o) const {
  OpenMatrix* m = find(o.id);
  return m && m->opening == o.number ? m : nullptr;
}

std::string Service::kernel_label(const std::string& id) const {
  const KernelInfo* kernel = s_.catalog->kernel(id);
  return kernel ? kernel->label : id;
}

}  // namespace warpspy::ui
