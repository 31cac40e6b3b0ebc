#include "core/sweep/tasks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/utc.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTasks = "tasks";
constexpr const char* kList = "tasks.json";
constexpr const char* kListKey = "warpspy_tasks";
constexpr const char* kAttemptKey = "warpspy_task";
constexpr int kTasksVersion = 1;

// A file is named after it, so it must not be a path.
bool is_id(const std::string& id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// What a task is known by: the products that it has.
std::string hash_of_cells(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += id + "\n";
  return hash_of_text(text);
}

std::string random_hex() {
  std::random_device random;
  return hash_of_text(std::to_string(random()) + " " + std::to_string(random()) + " " + std::to_string(::getpid()))
      .substr(0, 12);
}

// The number before the first '-' of a file's name; nothing for a file that is no attempt.
std::optional<std::size_t> task_in(const std::string& name) {
  std::size_t task = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), task);
  if (error != std::errc() || *end != '-' || !name.ends_with(".jsonl")) return std::nullopt;
  return task;
}

Json parsed(const std::string& text) { return nested_deeply(text) ? Json() : Json::parse(text, nullptr, false); }

// The first line. Throws Error for a file that must not be brought in; returns false if the line was cut off.
bool take_head(const std::string& line, const TaskList& list, const std::string& where, Attempt& a) {
  const Json j = parsed(line);
  if (!j.is_object() || !j.contains(kAttemptKey)) return false;
  try {
    if (whole_of<int>(j.at(kAttemptKey)) > kTasksVersion)
      throw Error("a newer Warpspy wrote this file", where, "collect with that version");
    if (whole_of<std::size_t>(j.at("task")) != a.task || a.task >= list.cells.size() ||
        j.at("cells").get<std::string>() != hash_of_cells(list.cells[a.task]))
      throw Error("this file is of another sweep", where, "remove it from the folder");
    a.program = j.at("program").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return true;
}

// A line after the first one.
void take_line(const std::string& line, const std::set<std::string>& mine, const std::string& where, std::size_t number,
               Attempt& a) {
  if (const Json j = parsed(line); j.is_object() && j.size() == 1 && j.contains("ended") && j.at("ended").is_string()) {
    a.ended = true, a.end = j.at("ended").get<std::string>();
    return;
  }
  try {
    StoredCell cell = stored_cell_from_json(line);
    if (!mine.contains(cell.id)) throw Error("this file has products of another sweep", where, "remove it");
    a.cells.push_back(std::move(cell));
  } catch (const Error& e) {
    if (!e.where.empty()) throw;
    a.remarks.push_back(a.name + ", line " + std::to_string(number) + " does not count: " + e.reason);
  }
}

Attempt attempt_of(const std::string& text, const TaskList& list, const std::string& where, Attempt a) {
  std::set<std::string> mine;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    ++number;
    if (end == std::string::npos) {
      a.remarks.push_back(a.name + ", line " + std::to_string(number) + " was cut off, and does not count");
      break;
    }
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (number > 1) {
      take_line(line, mine, where, number, a);
      continue;
    }
    if (!take_head(line, list, where, a)) {
      a.remarks.push_back(a.name + " does not say of which task it is, and does not count");
      break;
    }
    mine = {list.cells[a.task].begin(), list.cells[a.task].end()};
  }
  return a;
}

}  // namespace

std::string to_json(const TaskList& list) {
  Json j = {{kListKey, kTasksVersion}, {"program", list.program}, {"jobs", list.jobs}, {"tasks", Json::array()}};
  for (const auto& ids : list.cells) j["tasks"].push_back(ids);
  return json_text(j, -1) + "\n";
}

TaskList task_list_from_json(const std::string& text, const std::string& where) {
  const Json j = parsed(text);
  try {
    if (whole_of<int>(j.at(kListKey)) > kTasksVersion)
      throw Error("a newer Warpspy submitted this sweep", where, "go on with that version");
    TaskList list{j.at("program").get<std::string>(), j.at("tasks").get<std::vector<std::vector<std::string>>>(),
                  j.at("jobs").get<std::vector<std::string>>()};
    for (const std::string& job : list.jobs)
      if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
        throw Error("this list of tasks has a job that is no number", where, "remove the folder tasks");
    for (const auto& ids : list.cells)
      if (!std::all_of(ids.begin(), ids.end(), is_id))
        throw Error("this list of tasks has a product that is no hash", where, "remove the folder tasks");
    return list;
  } catch (const nlohmann::json::exception&) {
    throw Error("this is no list of tasks", where, "remove the folder tasks, and submit the sweep again");
  }
}

std::optional<TaskList> tasks_of(const SweepFolder& folder) {
  const auto tasks = folder.folder().in(kTasks);
  const auto text = tasks ? tasks->read(kList) : std::nullopt;
  if (!text) return std::nullopt;
  return task_list_from_json(*text, tasks->path_of(kList));
}

void write_tasks(const SweepFolder& folder, const TaskList& list) {
  folder.folder().made_in(kTasks).write(kList, to_json(list));
}

std::size_t usual_chunk(std::size_t cells) { return std::max<std::size_t>(16, (cells + kMostTasks - 1) / kMostTasks); }

void add_tasks(TaskList& list, const std::vector<std::string>& ids, std::size_t chunk) {
  std::set<std::string> known;
  for (const auto& task : list.cells) known.insert(task.begin(), task.end());
  std::size_t room = 0;  // in the newest of the new tasks
  for (const std::string& id : ids) {
    if (!known.insert(id).second) continue;
    if (room == 0) list.cells.emplace_back(), room = chunk;
    list.cells.back().push_back(id), --room;
  }
  if (list.cells.size() > kMostTasks)
    throw Error("these are " + std::to_string(list.cells.size()) + " tasks; a job array has at most " +
                    std::to_string(kMostTasks),
                {}, "give each task more products: --chunk N");
}

std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[k]);
    if (last > k) text += "-" + std::to_string(numbers[last]);
    k = last + 1;
  }
  return text;
}

AttemptWriter::AttemptWriter(const SweepFolder& folder, const TaskList& list, std::size_t task,
                             const std::string& program) {
  const Folder tasks = folder.folder().made_in(kTasks);
  // Names are sorted by time. The rest makes the name unique among machines.
  std::string now = utc_now_ms();
  std::erase_if(now, [](char c) { return c == '-' || c == ':' || c == '.'; });
  const std::string name = std::to_string(task) + "-" + now + "-" + random_hex() + ".jsonl";
  name_ = std::string(kTasks) + "/" + name, path_ = tasks.path_of(name);
  file_ = tasks.opened(name);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  line(json_text(Json{{kAttemptKey, kTasksVersion},
                      {"task", task},
                      {"cells", hash_of_cells(list.cells.at(task))},
                      {"program", program},
                      {"host", host}},
                 -1));
}

AttemptWriter::~AttemptWriter() {
  if (file_ >= 0) ::close(file_);
}

void AttemptWriter::add(const StoredCell& cell) { line(json_text(Json::parse(to_json(cell)), -1)); }

void AttemptWriter::end(const std::string& how) { line(json_text(Json{{"ended", how}}, -1)); }

void AttemptWriter::line(const std::string& text) {
  const std::string bytes = text + "\n";
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw Error("cannot write the file: " + std::string(std::strerror(errno)), path_,
                  "check the folder and the free space");
    done += static_cast<std::size_t>(n);
  }
  ::fsync(file_);  // a node may be lost; some file systems cannot do this, and that loses nothing here
}

std::vector<Attempt> attempts_of(const SweepFolder& folder, const TaskList& list, std::optional<std::size_t> task) {
  std::vector<Attempt> all;
  const auto tasks = folder.folder().in(kTasks);
  if (!tasks) return all;
  for (const std::string& name : tasks->names()) {
    const auto of = task_in(name);
    if (!of || (task && *of != *task)) continue;
    const auto text = tasks->read(name);
    if (!text) continue;
    Attempt begun;
    begun.name = std::string(kTasks) + "/" + name, begun.task = *of;
    all.push_back(attempt_of(*text, list, tasks->path_of(name), std::move(begun)));
  }
  std::stable_sort(all.begin(), all.end(), [](const Attempt& a, const Attempt& b) { return a.task < b.task; });
  return all;
}

}  // namespace warpspy
