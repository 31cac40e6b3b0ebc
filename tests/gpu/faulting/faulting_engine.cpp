// `warpspy engine` with two kernels more: "illegal" writes where nothing is, "endless" never ends.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/source.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/remote/server.hpp"
#include "tests/gpu/assets.hpp"

namespace warpspy {

namespace testing {
void launch_illegal(void* stream);
void launch_endless(void* stream);
}  // namespace testing

namespace {

class Faulty final : public DeviceProduct {
 public:
  explicit Faulty(void (*launch)(void*)) : launch_(launch) {}
  const std::vector<LaunchShape>& launches() const override { return shapes_; }
  void launch(void* stream) override { launch_(stream); }
  std::vector<double> y() override { return {}; }
  std::size_t device_bytes() const override { return 1; }

 private:
  void (*launch_)(void*);
  std::vector<LaunchShape> shapes_;
};

template <void (*launch)(void*)>
KernelRow faulty(const char* id) {
  KernelRow r = kernel_row("csr_scalar");
  r.info.id = id;
  r.on_device = [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> { return std::make_unique<Faulty>(launch); };
  return r;
}

const KernelRow& row(const std::string& id) {
  static const KernelRow illegal = faulty<testing::launch_illegal>("illegal");
  static const KernelRow endless = faulty<testing::launch_endless>("endless");
  return id == "illegal" ? illegal : id == "endless" ? endless : kernel_row(id);
}

}  // namespace
}  // namespace warpspy

int main() {
  using namespace warpspy;
  std::signal(SIGPIPE, SIG_IGN);
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  EngineParts parts{all_devices(testing::assets_folder()), row, use_device, cupti_source()};
  parts.after_loss = "the next run gets a new engine";
  const auto engine = make_engine(parts);
  return serve_engine(*engine, {"test", "here", parts.devices}, STDIN_FILENO, out);
}
