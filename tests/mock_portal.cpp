// Plays the XDG portal on a session bus: answers OpenFile with two files (argument 0), with cancel (1) or with a
// refusal (2). Prints what it was asked, a line each, beginning with "up" when it can be asked. Exit status 77: there
// is no sd-bus library.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace {

struct sd_bus;
struct sd_bus_message;
using Handler = int (*)(sd_bus_message*, void*, void*);

struct Library {
  void* handle = ::dlopen("libsystemd.so.0", RTLD_NOW);
  template <class F>
  F* get(const char* name) const {
    return reinterpret_cast<F*>(handle ? ::dlsym(handle, name) : nullptr);
  }
};
const Library library;

const auto open_user = library.get<int(sd_bus**)>("sd_bus_open_user");
const auto request_name = library.get<int(sd_bus*, const char*, std::uint64_t)>("sd_bus_request_name");
const auto add_filter = library.get<int(sd_bus*, void**, Handler, void*)>("sd_bus_add_filter");
const auto is_call = library.get<int(sd_bus_message*, const char*, const char*)>("sd_bus_message_is_method_call");
const auto get = library.get<int(sd_bus_message*, const char*, ...)>("sd_bus_message_read");
const auto enter = library.get<int(sd_bus_message*, char, const char*)>("sd_bus_message_enter_container");
const auto leave = library.get<int(sd_bus_message*)>("sd_bus_message_exit_container");
const auto skip = library.get<int(sd_bus_message*, const char*)>("sd_bus_message_skip");
const auto sender_of = library.get<const char*(sd_bus_message*)>("sd_bus_message_get_sender");
const auto reply = library.get<int(sd_bus_message*, const char*, ...)>("sd_bus_reply_method_return");
const auto emit =
    library.get<int(sd_bus*, const char*, const char*, const char*, const char*, ...)>("sd_bus_emit_signal");
const auto process = library.get<int(sd_bus*, sd_bus_message**)>("sd_bus_process");
const auto wait_for = library.get<int(sd_bus*, std::uint64_t)>("sd_bus_wait");

sd_bus* bus = nullptr;
unsigned how = 0;

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

int on_message(sd_bus_message* m, void*, void*) {
  if (is_call(m, "org.freedesktop.portal.FileChooser", "OpenFile") <= 0) return 0;
  const char *parent = "", *title = "", *key = "", *token = "";
  get(m, "ss", &parent, &title);
  say(std::string("title ") + title);
  enter(m, 'a', "{sv}");
  while (enter(m, 'e', "sv") > 0) {
    get(m, "s", &key);
    say(std::string("option ") + key);
    if (std::string(key) == "handle_token")
      get(m, "v", "s", &token);
    else
      skip(m, "v");
    leave(m);
  }
  std::string sender = sender_of(m) + 1;
  std::replace(sender.begin(), sender.end(), '.', '_');
  const std::string path = "/org/freedesktop/portal/desktop/request/" + sender + "/" + token;
  reply(m, "o", path.c_str());
  constexpr const char *interface = "org.freedesktop.portal.Request", *name = "Response";
  if (how == 0)
    emit(bus, path.c_str(), interface, name, "ua{sv}", 0u, 2, "choices", "s", "none", "uris", "as", 2,
         "file:///tmp/a%20b.mtx", "file:///c.mtx");
  else
    emit(bus, path.c_str(), interface, name, "ua{sv}", how, 0);
  return 1;
}

}  // namespace

int main(int, char** arguments) {
  if (!library.handle) return 77;
  how = arguments[1] ? static_cast<unsigned>(std::atoi(arguments[1])) : 0;
  if (open_user(&bus) < 0 || add_filter(bus, nullptr, on_message, nullptr) < 0) return 1;
  if (request_name(bus, "org.freedesktop.portal.Desktop", 0) < 0) return 1;
  say("up");
  for (;;)
    if (process(bus, nullptr) == 0) wait_for(bus, UINT64_MAX);
}
