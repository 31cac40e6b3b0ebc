#if defined(WARPSPY_HAVE_CUDA)
#include "kernels/device/cuda.hpp"

#include "core/base/numbers.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/device/device.hpp"

namespace warpspy::cuda {
namespace {

struct Remedy {
  cudaError_t status;
  const char* text;
};
constexpr const char* build_here =
    "build the program on this machine (scripts/run), or with -DWARPSPY_GPUS= and the compute capability of this GPU";
constexpr Remedy remedies[] = {
    {cudaErrorInsufficientDriver, "install a newer NVIDIA driver, or run in the emulator (--device sim:ID)"},
    {cudaErrorNoDevice, "run in the emulator (--device sim:ID)"},
    {cudaErrorMemoryAllocation, "close other programs that use the GPU, or use a smaller matrix or a leaner format"},
    {cudaErrorNoKernelImageForDevice, build_here},
    {cudaErrorUnsupportedPtxVersion,
     "install a newer NVIDIA driver, or build with machine code for this GPU (scripts/run)"},
    {cudaErrorIllegalAddress,
     "run the same kernel in the emulator (--device sim:ID), which names the line and the index"},
    {cudaErrorMisalignedAddress,
     "run the same kernel in the emulator (--device sim:ID), which names the line and the index"},
    {cudaErrorDevicesUnavailable, "another program holds the GPU exclusively; wait for it to end"},
    {cudaErrorLaunchTimeout, "use a GPU that drives no display, or a smaller matrix"},
    {cudaErrorECCUncorrectable, "the GPU's memory is damaged; see nvidia-smi -q -d ECC"},
};

// CUDA calls these errors sticky: "the process must be terminated and relaunched" (CUDA Runtime API, cudaError_t).
constexpr cudaError_t lost_by[] = {
    cudaErrorIllegalAddress,      cudaErrorMisalignedAddress,  cudaErrorIllegalInstruction,
    cudaErrorInvalidAddressSpace, cudaErrorInvalidPc,          cudaErrorHardwareStackError,
    cudaErrorLaunchFailure,       cudaErrorLaunchTimeout,      cudaErrorAssert,
    cudaErrorECCUncorrectable,    cudaErrorDevicesUnavailable, cudaErrorContextIsDestroyed,
    cudaErrorNvlinkUncorrectable};

std::string text_of(std::size_t bytes) { return byte_text(static_cast<double>(bytes)); }

}  // namespace

void check(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, which would otherwise look like the failure of a later launch
  std::string remedy;
  for (const Remedy& r : remedies)
    if (r.status == status) remedy = r.text;
  const std::string text = what + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")";
  for (const cudaError_t lost : lost_by)
    if (status == lost) throw DeviceLost(text, {}, remedy);
  throw Error(text, {}, remedy);
}

Memory device_memory() {
  Memory m;
  check(cudaMemGetInfo(&m.free, &m.total), "asking for the device's free memory");
  return m;
}

void require_device_memory(const std::string& what, std::size_t bytes) {
  const Memory m = device_memory();
  if (bytes <= m.free) return;
  throw Error(what + " needs " + text_of(bytes) + " on the device, and " + text_of(m.free) + " of its " +
                  text_of(m.total) + " are free",
              {}, "close other programs that use the GPU, or use a smaller matrix or a leaner format");
}

int require_shared_memory(const std::string& what, int bytes) {
  int device = 0, limit = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for the device's shared memory");
  if (bytes <= limit) return limit;
  throw Error(what + " needs " + text_of(static_cast<std::size_t>(bytes)) +
                  " of shared memory per block, and this device has " + text_of(static_cast<std::size_t>(limit)),
              {}, "use a smaller block, or a format with smaller packets");
}

void require_overlap(const std::string& what, int compiled_for) {
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for the compute capability");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "asking for the compute capability");
  if (major < 9)
    throw Error(what + " can overlap with the next from compute capability 9.0 on, and this device has " +
                    std::to_string(major) + "." + std::to_string(minor),
                "overlap", "set overlap to afterwards");
  // Code that was compiled for an older GPU does not wait for the previous product.
  if (compiled_for < 90)
    throw Error(
        what + " can overlap with the next where its code was made for compute capability 9.0 or later, and this " +
            "program's was made for " + capability_text(compiled_for),
        "overlap", std::string("set overlap to afterwards, or ") + build_here);
}

bool launches_overlap() {
  int device = 0, major = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for the compute capability");
  return major >= 9;
}

Stream::Stream() {
  cudaStream_t s{};
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "creating a CUDA stream");
  stream_ = Owner<cudaStream_t, cudaStreamDestroy>(s);
}
void Stream::synchronize() const { check(cudaStreamSynchronize(get()), "waiting for the GPU"); }

Event::Event() {
  cudaEvent_t e{};
  check(cudaEventCreate(&e), "creating a CUDA event");
  event_ = Owner<cudaEvent_t, cudaEventDestroy>(e);
}
void Event::record(const Stream& stream) const {
  check(cudaEventRecord(get(), stream.get()), "recording a CUDA event");
}
void Event::synchronize() const { check(cudaEventSynchronize(get()), "waiting for the GPU"); }
double Event::milliseconds_since(const Event& start) const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start.get(), get()), "reading a CUDA timer");
  return ms;
}

void Graph::begin_capture(const Stream& stream) {
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "capturing a CUDA graph");
}
void Graph::cancel_capture(const Stream& stream) noexcept {
  cudaGraph_t captured{};
  cudaStreamEndCapture(stream.get(), &captured);
  if (captured) cudaGraphDestroy(captured);
}
Graph::Graph(const Stream& stream) {
  cudaGraph_t captured{};
  check(cudaStreamEndCapture(stream.get(), &captured), "capturing a CUDA graph");
  const Owner<cudaGraph_t, cudaGraphDestroy> template_graph(captured);
  cudaGraphExec_t exec{};
  check(cudaGraphInstantiate(&exec, captured, 0), "preparing a CUDA graph");
  graph_ = Owner<cudaGraphExec_t, cudaGraphExecDestroy>(exec);
}
void Graph::launch(const Stream& stream) const {
  check(cudaGraphLaunch(graph_.get(), stream.get()), "launching a CUDA graph");
}

DeviceBytes::DeviceBytes(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* p = nullptr;
  check(cudaMalloc(&p, bytes), "allocating " + text_of(bytes) + " on the device");
  memory_ = Owner<void*, cudaFree>(p);
}
void await_copies(const std::string& what) { check(cudaStreamSynchronize(nullptr), what); }

void DeviceBytes::upload(const void* from) const {
  if (!bytes_) return;
  check(cudaMemcpy(data(), from, bytes_, cudaMemcpyHostToDevice), "copying to the device");
  await_copies("copying to the device");
}
void DeviceBytes::download(void* to) const {
  if (bytes_) check(cudaMemcpy(to, data(), bytes_, cudaMemcpyDeviceToHost), "copying from the device");
}
void DeviceBytes::poison() const {
  if (!bytes_) return;
  check(cudaMemset(data(), 0xff, bytes_), "filling device memory");
  await_copies("filling device memory");
}

}  // namespace warpspy::cuda
#endif
