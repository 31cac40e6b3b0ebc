// Handles figures in files: the export dialog, its preview, writing figures, and opening a figure's file.
#pragma once

#include "ui/services/desk/desk_keeper.hpp"
#include "ui/services/service.hpp"

namespace warpspy::ui {

class Exports : public Service {
 public:
  Exports(const ServiceContext& c, DeskKeeper& desk) : Service(c), desk_(desk) {}

  void on(const ShowExport&);
  void on(const PreviewFigure&);
  void on(const ExportFigure&);
  void on(const ExportAll&);

  void on(const FigureOpened&);

 private:
  void not_written(const Failure& f);

  DeskKeeper& desk_;
  Generation preview_asked_;
  JobPtr preview_job_;
};

}  // namespace warpspy::ui
