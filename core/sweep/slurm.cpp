#include "core/sweep/slurm.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/types.hpp"
#include "core/jobs/child_process.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kMostSaid = std::size_t{1} << 20;

// One word for a shell, whatever it has in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// sbatch reads options of a script by rules of its own: a quote, a space or a new line would begin another option.
const std::string& plain(const std::string& value, const char* option) {
  const auto strange = [](unsigned char c) { return c <= ' ' || c == '"' || c == '\'' || c == '\\' || c == 127; };
  if (std::any_of(value.begin(), value.end(), strange))
    throw Error(std::string(option) + " \"" + value + "\" cannot stand in a job script", {},
                "write it without spaces and quotes");
  return value;
}

const std::string& plain_path(const std::string& path) {
  const auto strange = [](unsigned char c) { return c < ' ' || c == '"' || c == '\\' || c == '%' || c == 127; };
  if (std::any_of(path.begin(), path.end(), strange))
    throw Error("the folder's name has a quote, a backslash or a %, which a job script cannot have", path,
                "name another one with -o");
  return path;
}

struct Said {
  int code = 0;
  std::string text;  // what it printed, errors too
};

// Throws std::system_error if there is no shell.
Said told_by(const std::string& program, const std::vector<std::string>& words) {
  ChildStart start{"sh", {"sh", "-c", "exec " + program + " \"$@\" 2>&1", program}};
  start.words.insert(start.words.end(), words.begin(), words.end());
  const ChildProcess child(start);
  Said said;
  said.text = child.read_all(kMostSaid);
  const ChildEnding ending = child.wait();
  said.code = ending.signal != 0 ? 128 + ending.signal : ending.code;
  while (!said.text.empty() && said.text.back() == '\n') said.text.pop_back();
  return said;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string script_of(const JobArray& a) {
  const std::string folder = plain_path(a.folder);
  std::string text = "#!/bin/sh\n# A sweep of Warpspy as a job array (docs/sweeps.md).\n";
  const auto option = [&](const std::string& name, const std::string& value) {
    text += "#SBATCH --" + name + "=" + value + "\n";
  };
  option("job-name", plain(a.name, "the job's name"));
  option("array", ranges_text(a.tasks));
  option("output", "\"" + folder + "/tasks/%a.log\"");
  option("open-mode", "append");
  for (const auto& [name, said, value] : {std::tuple{"account", "--slurm-account", &a.account},
                                          {"partition", "--slurm-partition", &a.partition},
                                          {"gres", "--gres", &a.gres},
                                          {"time", "--time", &a.time}})
    if (!value->empty()) option(name, plain(*value, said));
  text += "exec " + quoted(a.program) + " sweep " + quoted(folder) + " --task \"$SLURM_ARRAY_TASK_ID\"";
  for (const std::string& word : a.more) text += " " + quoted(word);
  return text + "\n";
}

bool has_sbatch() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(((folder.empty() ? "." : folder) + "/sbatch").c_str(), X_OK) == 0) return true;
  return false;
}

std::string submit(const std::string& script) {
  Said said;
  try {
    said = told_by("sbatch", {"--parsable", script});
  } catch (const std::system_error& e) {
    throw Error("sbatch cannot be started: " + e.code().message(), script, "submit this script by hand");
  }
  // The last line is NUMBER or NUMBER;CLUSTER. There may be warnings before it.
  const std::string last = said.text.substr(said.text.rfind('\n') + 1);
  const std::string number = last.substr(0, last.find(';'));
  if (said.code != 0 || number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
    throw Error("the queue refused the job array: " +
                    (said.text.empty() ? "sbatch ended with " + std::to_string(said.code) : one_line(said.text)),
                script, "nothing is lost: the same command submits it again");
  return number;
}

std::optional<TaskQueue> queued(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return std::nullopt;
  std::string numbers;
  for (const std::string& job : jobs) numbers += (numbers.empty() ? "" : ",") + job;
  Said said;
  try {
    // -r: a line for each task; %K: its number in the array, %T: its state.
    said = told_by("squeue", {"-h", "-r", "-j", numbers, "-o", "%K %T"});
  } catch (const std::system_error&) {
    return std::nullopt;  // a queue that cannot be asked: a task that runs twice does no harm
  }
  // SLURM forgets jobs some minutes after their end.
  const bool forgotten = said.text.find("Invalid job id") != std::string::npos;
  if (said.code != 0 && !forgotten) return std::nullopt;
  TaskQueue queue;
  std::istringstream lines(said.text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t task = 0;
    const char* const last = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data(), last, task);
    if (error != std::errc() || (end != last && *end != ' ')) continue;
    const std::string state(end == last ? end : end + 1, last);
    (state == "RUNNING" || state == "COMPLETING" ? queue.running : queue.waiting).insert(task);
  }
  return queue;
}

}  // namespace warpspy
