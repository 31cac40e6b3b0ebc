// Handles what is on the screen: tabs, dialogs, panels, choices, messages, jobs.
#pragma once

#include "ui/services/service.hpp"

namespace warpspy::ui {

class Screen : public Service {
 public:
  explicit Screen(const ServiceContext& c) : Service(c) {}

  void on(const SetChoice&);
  void on(const ShowTab&);
  void on(const ShowWord&);
  void on(const ShowDialog&);
  void on(const SetPanes&);
  void on(const SetMatricesView&);
  void on(const MoveFocus&) {}  // the window does that
  void on(const CopyText&);
  void on(const Notify&);
  void on(const ReadMessages&);
  void on(const ClearMessages&);
  void on(const CancelJob&);
  void on(const Quit&);

  void frame();  // notes which tabs were shown
};

}  // namespace warpspy::ui
