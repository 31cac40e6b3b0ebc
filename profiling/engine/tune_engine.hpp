// Tuning by an engine's own runs.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/run/engine.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

// Engine::tune() by Engine::run(): measured on a CUDA device, modelled on a simulated GPU. `device` is the one that the
// request means: all products run there, and fail once it is lost.
TuneRecord tune_by_runs(Engine& engine, const KernelRow& (*kernel_of)(const std::string&), const DeviceInfo& device,
                        const TuneRequest& request, const Matrix& matrix, Progress& progress,
                        const OnTuneStep& on_step);

}  // namespace warpspy
