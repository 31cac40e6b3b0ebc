// The system's dialog for files: a program of the desktop, run as a child, so that no frame ever waits for it.
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
  std::string folder;                 // where it begins; empty: wherever the program likes
  std::string title;                  // "Open matrices"
  std::vector<std::string> patterns;  // "*.mtx"; beside them everything can be asked for
};
struct FileAnswer {
  std::vector<std::string> paths;  // none: it was cancelled
  std::string problem;             // why the program could not ask; one line
};

// A program that asks. Its first line of output is the first path, and so on.
struct DialogTool {
  const char* id;
  const char* program;
  bool (*is_there)();
  std::vector<std::string> (*arguments)(const FileQuestion&);
};
// In the order in which they are taken.
const std::vector<DialogTool>& dialog_tools();

// The first that is there, or nullptr: over ssh, without a display, or where WARPSPY_DIALOG is "own". WARPSPY_DIALOG
// may also name one. Looks through PATH: for the start of the program.
const DialogTool* find_dialog_tool();

// One question at a time.
class SystemDialog {
 public:
  explicit SystemDialog(const DialogTool& tool) : tool_(tool) {}
  ~SystemDialog();  // takes the dialog away, without an answer
  SystemDialog(const SystemDialog&) = delete;
  SystemDialog& operator=(const SystemDialog&) = delete;

  // `answer` is called once, on another thread. False: a dialog is open already, and nothing happens.
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
