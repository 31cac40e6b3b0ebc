// What the next run will be: its device, its kernel, their parameters.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "ui/services/service.hpp"

namespace warpspy::ui {

class NextRun : public Service {
 public:
  explicit NextRun(const ServiceContext& c) : Service(c) {}

  void on(const SetKernel&);
  void on(const SetParam&);
  void on(const SetFormatParam&);
  void on(const SetMemory&);
  void on(const UseParams&);
  void on(const ResetKnobs&);
  // devices.cpp
  void on(const SetDevice&);

  void on(const MatrixShown&);

  void begin();  // as the settings say
  void lose_device(const std::string& id, const std::string& reason);
  // All devices that a machine has now, in the place of those that it had; "": this one.
  void take_devices(const std::string& host, const std::vector<DeviceInfo>& devices);
  void use_engines();  // those of the options and of the settings

 private:
  void choose_device();

  std::deque<Catalog> catalogs_;  // one for each change of devices: jobs may still read those before it
};

}  // namespace warpspy::ui
