#include "app/portal.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warpspy {
namespace {

struct sd_bus;
struct sd_bus_message;
struct sd_bus_slot;
using Handler = int (*)(sd_bus_message*, void*, void*);

constexpr std::uint64_t kCall = 10'000'000;  // us to wait for the reply that the dialog opens

// The functions of sd-bus that are needed, found at run time. So the library is not needed for building or starting.
struct Bus {
  int (*open_user)(sd_bus**) = nullptr;
  int (*get_unique_name)(sd_bus*, const char**) = nullptr;
  int (*match_signal)(sd_bus*, sd_bus_slot**, const char*, const char*, const char*, const char*, Handler,
                      void*) = nullptr;
  int (*new_method_call)(sd_bus*, sd_bus_message**, const char*, const char*, const char*, const char*) = nullptr;
  int (*append)(sd_bus_message*, const char*, ...) = nullptr;
  int (*open_container)(sd_bus_message*, char, const char*) = nullptr;
  int (*close_container)(sd_bus_message*) = nullptr;
  int (*append_array)(sd_bus_message*, char, const void*, std::size_t) = nullptr;
  int (*call)(sd_bus*, sd_bus_message*, std::uint64_t, void*, sd_bus_message**) = nullptr;
  int (*process)(sd_bus*, sd_bus_message**) = nullptr;
  int (*wait)(sd_bus*, std::uint64_t) = nullptr;
  int (*read)(sd_bus_message*, const char*, ...) = nullptr;
  int (*enter_container)(sd_bus_message*, char, const char*) = nullptr;
  int (*exit_container)(sd_bus_message*) = nullptr;
  int (*skip)(sd_bus_message*, const char*) = nullptr;

  Bus() {
    void* library = nullptr;
    for (const char* name : {"libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"})
      if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error("there is no sd-bus library");
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      if (!function) throw std::runtime_error(std::string("sd-bus has no ") + name);
    };
    get(open_user, "sd_bus_open_user");
    get(get_unique_name, "sd_bus_get_unique_name");
    get(match_signal, "sd_bus_match_signal");
    get(new_method_call, "sd_bus_message_new_method_call");
    get(append, "sd_bus_message_append");
    get(open_container, "sd_bus_message_open_container");
    get(close_container, "sd_bus_message_close_container");
    get(append_array, "sd_bus_message_append_array");
    get(call, "sd_bus_call");
    get(process, "sd_bus_process");
    get(wait, "sd_bus_wait");
    get(read, "sd_bus_message_read");
    get(enter_container, "sd_bus_message_enter_container");
    get(exit_container, "sd_bus_message_exit_container");
    get(skip, "sd_bus_message_skip");
  }
};

// Throws if the result is negative; it is then an errno.
int ok(int answer, const char* doing) {
  if (answer < 0) throw std::runtime_error(std::string(doing) + ": " + std::strerror(-answer));
  return answer;
}

// "file:///a%20b" becomes "/a b"; "" if it is no local file.
std::string path_of(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  uri.remove_prefix(std::min(uri.size(), uri.find('/')));  // the host, which is this one
  std::string path;
  for (std::size_t k = 0; k < uri.size(); ++k) {
    const auto digit = [&](std::size_t at) {
      const char c = at < uri.size() ? uri[at] : '?';
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                    : -1;
    };
    if (uri[k] == '%' && digit(k + 1) >= 0 && digit(k + 2) >= 0)
      path += static_cast<char>(digit(k + 1) * 16 + digit(k + 2)), k += 2;
    else
      path += uri[k];
  }
  return path;
}

struct Answer {
  const Bus& bus;
  bool there = false;
  std::uint32_t response = 2;  // 0: chosen, 1: cancelled
  std::vector<std::string> paths;
};

// Handles the signal Response: u, a{sv}, with "uris" as an array of strings.
int on_response(sd_bus_message* m, void* data, void*) {
  Answer& a = *static_cast<Answer*>(data);
  a.there = true;
  if (a.bus.read(m, "u", &a.response) < 0 || a.bus.enter_container(m, 'a', "{sv}") < 0) return 0;
  while (a.bus.enter_container(m, 'e', "sv") > 0) {
    const char *key = nullptr, *uri = nullptr;
    if (a.bus.read(m, "s", &key) < 0) return 0;
    if (std::string_view(key) != "uris") {
      a.bus.skip(m, "v");
    } else if (a.bus.enter_container(m, 'v', "as") > 0 && a.bus.enter_container(m, 'a', "s") > 0) {
      while (a.bus.read(m, "s", &uri) > 0)
        if (std::string path = path_of(uri); !path.empty()) a.paths.push_back(std::move(path));
      a.bus.exit_container(m);
      a.bus.exit_container(m);
    }
    a.bus.exit_container(m);
  }
  return 0;
}

// Appends (sa(us)): a name, and patterns; 0 means that a pattern matches file names.
void append_filter(const Bus& bus, sd_bus_message* m, const char* name, const std::vector<std::string>& patterns) {
  bus.open_container(m, 'r', "sa(us)");
  bus.append(m, "s", name);
  bus.open_container(m, 'a', "(us)");
  for (const std::string& p : patterns) bus.append(m, "(us)", std::uint32_t{0}, p.c_str());
  bus.close_container(m);
  bus.close_container(m);
}

Answer ask(const Bus& bus, const std::string& title, const std::string& folder,
           const std::vector<std::string>& patterns) {
  sd_bus* connection = nullptr;  // the process ends with it
  ok(bus.open_user(&connection), "no session bus");
  const char* unique = nullptr;
  ok(bus.get_unique_name(connection, &unique), "no name on the bus");
  std::string sender = unique + 1;  // without the colon
  std::replace(sender.begin(), sender.end(), '.', '_');
  const std::string token = "warpspy" + std::to_string(::getpid());
  const std::string request = "/org/freedesktop/portal/desktop/request/" + sender + "/" + token;
  Answer answer{bus, false, 2, {}};
  // Subscribes before the request, since the answer may come quickly.
  ok(bus.match_signal(connection, nullptr, nullptr, request.c_str(), "org.freedesktop.portal.Request", "Response",
                      on_response, &answer),
     "cannot listen");
  sd_bus_message *m = nullptr, *reply = nullptr;
  ok(bus.new_method_call(connection, &m, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                         "org.freedesktop.portal.FileChooser", "OpenFile"),
     "no message");
  bus.append(m, "ss", "", title.c_str());
  bus.open_container(m, 'a', "{sv}");
  bus.append(m, "{sv}", "handle_token", "s", token.c_str());
  bus.append(m, "{sv}", "multiple", "b", 1);
  bus.open_container(m, 'e', "sv");
  bus.append(m, "s", "filters");
  bus.open_container(m, 'v', "a(sa(us))");
  bus.open_container(m, 'a', "(sa(us))");
  append_filter(bus, m, "Matrices", patterns);
  append_filter(bus, m, "All files", {"*"});
  for (int k = 0; k < 3; ++k) bus.close_container(m);
  if (!folder.empty()) {
    bus.open_container(m, 'e', "sv");
    bus.append(m, "s", "current_folder");
    bus.open_container(m, 'v', "ay");
    bus.append_array(m, 'y', folder.c_str(), folder.size() + 1);  // with its 0
    bus.close_container(m);
    bus.close_container(m);
  }
  bus.close_container(m);
  ok(bus.call(connection, m, kCall, nullptr, &reply), "no portal that asks for files");
  while (!answer.there) {
    if (ok(bus.process(connection, nullptr), "the bus is gone") == 0)
      ok(bus.wait(connection, UINT64_MAX), "the bus is gone");
  }
  return answer;
}

}  // namespace

int ask_portal(const std::vector<std::string>& args) {
  constexpr int kNoPortal = 2;
  if (args.size() < 2) return kNoPortal;
  try {
    const Bus bus;
    const Answer a = ask(bus, args[0], args[1], {args.begin() + 2, args.end()});
    for (const std::string& path : a.paths) std::printf("%s\n", path.c_str());
    return static_cast<int>(std::min<std::uint32_t>(a.response, kNoPortal));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "warpspy: %s\n", e.what());
    return kNoPortal;
  }
}

}  // namespace warpspy
