#include "ui/platform/system_dialog.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace warpspy::ui {

namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

// A path with a '/' at its end is a folder to start in, not a suggested name.
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

// This program itself asks the XDG portal, in another process (app/portal.hpp).
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

// Whether one of these folders, separated by ':', contains the file.
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
// Whether there is a session bus, and a portal that it can start.
bool portal_there() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool bus = is_set("DBUS_SESSION_BUS_ADDRESS") || (runtime && among(runtime, "bus", F_OK));
  const char* data = is_set("XDG_DATA_DIRS") ? std::getenv("XDG_DATA_DIRS") : "/usr/local/share:/usr/share";
  return bus && among(data, "dbus-1/services/org.freedesktop.portal.Desktop.service", R_OK);
}
constexpr const char* kZenity = "zenity";
constexpr const char* kKdialog = "kdialog";

// Meanings of the dialog's exit status.
constexpr int kChosen = 0, kCancelled = 1;
constexpr std::size_t kMostAnswer = std::size_t{16} << 20;  // of paths

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
  // Over ssh the dialog would not show the files of the other machine.
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
    if (child_) child_->kill(SIGTERM);
  }
  if (thread_.joinable()) thread_.join();
}

bool SystemDialog::ask(const FileQuestion& question, std::function<void(FileAnswer)> answer) {
  {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    open_ = true;
  }
  if (thread_.joinable()) thread_.join();  // the thread of the previous question, which has ended
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

FileAnswer SystemDialog::run(const FileQuestion& question) {
  FileAnswer answer;
  std::vector<std::string> words = tool_.arguments(question);
  words.insert(words.begin(), tool_.program);
  try {
    const std::lock_guard lock(mutex_);
    if (closing_) return answer;
    child_.emplace(ChildStart{.program = tool_.program, .words = std::move(words)});
  } catch (const std::system_error& e) {
    answer.problem = std::string(tool_.id) + " could not be started: " + e.code().message();
    return answer;
  }
  const std::string text = child_->read_all(kMostAnswer);
  const ChildEnding ending = child_->wait();
  {
    const std::lock_guard lock(mutex_);
    child_.reset();
  }
  if (ending.signal == 0 && ending.code == kCancelled) return answer;
  if (ending.signal != 0 || ending.code != kChosen) {
    answer.problem =
        std::string(tool_.id) + " could not ask (" +
        (ending.signal == 0 ? "status " + std::to_string(ending.code) : "signal " + std::to_string(ending.signal)) +
        ")";
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
