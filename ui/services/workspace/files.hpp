// Chooses what to open: the open dialog, the system's dialog, folders, several files at once, matrices of the
// collection by name.
#pragma once

#include "ui/services/service.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

class Files : public Service {
 public:
  Files(const ServiceContext& c, Workspace& workspace) : Service(c), workspace_(workspace) {}

  void on(const OpenSources&);
  void on(const DropFiles&);
  void on(const BrowseFolder&);
  void on(const GoTo&);
  void on(const AskForFiles&);
  void on(const ShowOpen&);
  // collection.cpp
  void on(const AskCollection&);
  void on(const FetchMatrix&);

 private:
  void take(Listing l);

  Workspace& workspace_;
  Generation listing_asked_;
};

}  // namespace warpspy::ui
