// Writes files that change again and again, from jobs and at the end of the program. The newest contents always stay.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/target.hpp"

namespace warpspy::ui {

class KeptFiles {
 public:
  KeptFiles();
  // Writes a text; it may be called on any thread, and makes the text there. Two of them never write at the same time,
  // and an older one does not overwrite a newer one. If it throws Error, the old file stays.
  struct Write {
    void operator()() const;
    struct OnDisk;
    std::shared_ptr<OnDisk> disk;
    std::string path;
    std::function<std::string()> text;
    Readers readers = Readers::owner;
    std::uint64_t number = 0;
  };
  Write write(const std::string& path, std::function<std::string()> text, Readers readers);

 private:
  std::shared_ptr<Write::OnDisk> disk_;
  std::uint64_t told_ = 0;
};

}  // namespace warpspy::ui
