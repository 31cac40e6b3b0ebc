#include "ui/platform/system_dialog.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

namespace warpspy::ui {

namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

// A path that ends with '/' is a folder to begin in, not a name to suggest.
std::string as_folder(const std::string& path) { return path.empty() || path.back() == '/' ? path : path + "/"; }

std::vector<std::string> zenity(const FileQuestion& q) {
  std::vector<std::string> words = {"--file-selection",
                                    "--multiple",
                                    "--separator=\n",
                                    "--title=" + q.title,
                                    "--file-filter=Matrices | " + joined(q.patterns),
                                    "--file-filter=All files | *"};
  if (!q.folder.empty()) words.push_back("--filename=" + as_folder(q.folder));
  return words;
}

std::vector<std::string> kdialog(const FileQuestion& q) {
  return {"--title",
          q.title,
          "--multiple",
          "--separate-output",
          "--getopenfilename",
          q.folder.empty() ? "." : as_folder(q.folder),
          "Matrices (" + joined(q.patterns) + ")"};
}

// This program asks the XDG portal, in a process of its own (app/portal.hpp).
constexpr const char* kSelf = "/proc/self/exe";

std::vector<std::string> portal(const FileQuestion& q) {
  std::vector<std::string> words = {"ask-portal", q.title, q.folder};
  words.insert(words.end(), q.patterns.begin(), q.patterns.end());
  return words;
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

// Whether one of these folders, separated by ':', has the file.
bool among(std::string_view folders, const char* file, int how) {
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (!folder.empty() && ::access((fs::path(folder) / file).c_str(), how) == 0) return true;
  }
  return false;
}
template <const char* const& Program>
bool in_path() {
  const char* path = std::getenv("PATH");
  return path && among(path, Program, X_OK);
}
// A session bus, and a portal that it would start.
bool portal_there() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool bus = is_set("DBUS_SESSION_BUS_ADDRESS") || (runtime && among(runtime, "bus", F_OK));
  const char* data = is_set("XDG_DATA_DIRS") ? std::getenv("XDG_DATA_DIRS") : "/usr/local/share:/usr/share";
  return bus && among(data, "dbus-1/services/org.freedesktop.portal.Desktop.service", R_OK);
}
constexpr const char* kZenity = "zenity";
constexpr const char* kKdialog = "kdialog";

// What each of them means by its exit status.
constexpr int kChosen = 0, kCancelled = 1;

}  // namespace

const std::vector<DialogTool>& dialog_tools() {
  static const std::vector<DialogTool> tools = {{"portal", kSelf, portal_there, portal},
                                                {kZenity, kZenity, in_path<kZenity>, zenity},
                                                {kKdialog, kKdialog, in_path<kKdialog>, kdialog}};
  return tools;
}

const DialogTool* find_dialog_tool() {
  const char* wanted = std::getenv("WARPSPY_DIALOG");
  const std::string_view named = wanted ? wanted : "";
  if (named == "own") return nullptr;
  // Over ssh the dialog would show, if at all, without the other machine's files.
  const bool remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
  const bool screen = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
  if (named.empty() && (remote || !screen)) return nullptr;
  for (const DialogTool& tool : dialog_tools())
    if ((named.empty() || named == tool.id) && tool.is_there()) return &tool;
  return nullptr;
}

SystemDialog::~SystemDialog() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    if (child_ > 0) ::kill(child_, SIGTERM);
  }
  if (thread_.joinable()) thread_.join();
}

bool SystemDialog::ask(const FileQuestion& question, std::function<void(FileAnswer)> answer) {
  {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    open_ = true;
  }
  if (thread_.joinable()) thread_.join();  // of the question before: it has answered
  thread_ = std::thread([this, question, answer = std::move(answer)] {
    FileAnswer got = run(question);
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
      if (closing_) return;
    }
    answer(std::move(got));
  });
  return true;
}

// posix_spawn: this program has threads, and a fork without exec may find their locks held.
pid_t SystemDialog::start(const FileQuestion& question, int out, std::string& problem) const {
  std::vector<std::string> words = tool_.arguments(question);
  words.insert(words.begin(), tool_.program);
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, tool_.program, &files, nullptr, arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == 0) return pid;
  problem = std::string(tool_.id) + " could not be started: " + std::strerror(error);
  return -1;
}

FileAnswer SystemDialog::run(const FileQuestion& question) {
  FileAnswer answer;
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return {{}, std::string("no pipe: ") + std::strerror(errno)};
  {
    const std::lock_guard lock(mutex_);
    if (!closing_) child_ = start(question, out[1], answer.problem);
  }
  ::close(out[1]);
  std::string text;
  char some[4096];
  for (ssize_t n = 0; child_ > 0 && ((n = ::read(out[0], some, sizeof some)) > 0 || (n < 0 && errno == EINTR));)
    if (n > 0) text.append(some, static_cast<std::size_t>(n));
  ::close(out[0]);
  if (child_ <= 0) return answer;
  // Waited for without reaping, so that the destructor never signals a process that took over its number.
  siginfo_t how = {};
  while (::waitid(P_PID, static_cast<id_t>(child_), &how, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  {
    const std::lock_guard lock(mutex_);
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
  }
  const bool exited = how.si_code == CLD_EXITED;
  if (exited && how.si_status == kCancelled) return answer;
  if (!exited || how.si_status != kChosen) {
    answer.problem = std::string(tool_.id) + " could not ask (" + (exited ? "status " : "signal ") +
                     std::to_string(how.si_status) + ")";
    return answer;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.empty()) answer.paths.emplace_back(line);
  }
  return answer;
}

}  // namespace warpspy::ui
