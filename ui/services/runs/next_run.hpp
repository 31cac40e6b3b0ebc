// Handles the choices for the next run: device, kernel and parameters.
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

  void begin();  // sets the choices from the settings
  void lose_device(const std::string& id, const std::string& reason);
  // Replaces a machine's devices by its present ones; "" means this machine.
  void take_devices(const std::string& host, const std::vector<DeviceInfo>& devices);
  void use_engines();  // uses the engines of the options and of the settings

 private:
  void choose_device();

  std::deque<Catalog> catalogs_;  // one for each change of devices, since jobs may still read older ones
};

}  // namespace warpspy::ui
