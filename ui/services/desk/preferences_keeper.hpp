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

  std::string read();  // reads them into the state; returns what was wrong with them, or ""
  void begin();        // the present preferences need not be written
  void settle();

 private:
  Follows<Preferences> of_;
  bool failed_ = false;  // writing failed, and the user was told
};

}  // namespace warpspy::ui
