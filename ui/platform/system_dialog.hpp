// Shows the system's dialog for files. It is a program of the desktop, which runs as a child process, so that no frame
// ever waits for it.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/jobs/child_process.hpp"

namespace warpspy::ui {

struct FileQuestion {
  std::string folder;                 // the folder that it shows first; empty: the program chooses
  std::string title;                  // "Open matrices"
  std::vector<std::string> patterns;  // "*.mtx"; the user can also choose to see all files
};
struct FileAnswer {
  std::vector<std::string> paths;  // empty: the user cancelled
  std::string problem;             // why the dialog could not be shown; one line
};

// A program that shows the dialog. Its first line of output is the first path, and so on.
struct DialogTool {
  const char* id;
  const char* program;
  bool (*is_there)();
  std::vector<std::string> (*arguments)(const FileQuestion&);
};
// The programs, in the order in which they are tried.
const std::vector<DialogTool>& dialog_tools();

// The first installed program. nullptr over ssh, without a display, or if WARPSPY_DIALOG is "own"; WARPSPY_DIALOG may
// also name a program. It searches PATH, so call it once at the start.
const DialogTool* find_dialog_tool();

// Asks the user for files; only one question can be open at a time.
class SystemDialog {
 public:
  explicit SystemDialog(const DialogTool& tool) : tool_(tool) {}
  ~SystemDialog();  // closes the dialog without an answer
  SystemDialog(const SystemDialog&) = delete;
  SystemDialog& operator=(const SystemDialog&) = delete;

  // `answer` is called once, on another thread. Returns false, and does nothing, if a dialog is open already.
  bool ask(const FileQuestion& question, std::function<void(FileAnswer)> answer);

 private:
  FileAnswer run(const FileQuestion& question);

  const DialogTool& tool_;
  std::mutex mutex_;
  std::optional<ChildProcess> child_;  // while it runs
  bool open_ = false, closing_ = false;
  std::thread thread_;
};

}  // namespace warpspy::ui
