// Reads the preferences at the start, and writes them whenever they differ.
#pragma once

#include <string>

#include "ui/services/desk/preferences.hpp"
#include "ui/services/follows.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class PreferencesKeeper : public Service {
 public:
  explicit PreferencesKeeper(const ServiceContext& c) : Service(c) {}

  std::string read();  // into the state; what was wrong with them, or ""
  void begin();        // as they are now they need not be written
  void settle();

 private:
  Follows<Preferences> of_;
  bool failed_ = false;  // to write them, and it was said
};

}  // namespace warpspy::ui
