#include "ui/services/lessons/answer_keeper.hpp"

#include <filesystem>
#include <map>
#include <mutex>

#include "core/base/target.hpp"

namespace warpspy::ui {

struct AnswersOnDisk {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> written;  // by file, the number of what it holds
};

std::string answers_path(const std::string& folder, const Lesson& lesson) {
  if (folder.empty()) return {};
  return folder + "/" + lesson.id + "-" + lesson.hash.substr(0, 8) + ".json";
}

AnswerKeeper::AnswerKeeper() : disk_(std::make_shared<AnswersOnDisk>()) {}

AnswerKeeper::Write AnswerKeeper::write(const std::string& path, const LessonAnswers& answers) {
  return {disk_, path, to_json(answers), ++told_};
}

void AnswerKeeper::Write::operator()() const {
  const std::lock_guard lock(disk->mutex);
  std::uint64_t& written = disk->written[path];
  if (number <= written) return;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_file(path, text, Readers::owner);
  written = number;
}

}  // namespace warpspy::ui
