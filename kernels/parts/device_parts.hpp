// The parts of a matrix on several CUDA devices of one machine, as products or as iterations of a solve. A host thread
// for each part enqueues its launches; what parts give each other waits on the devices alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/partition/partition.hpp"
#include "kernels/parts/communicators.hpp"
#include "kernels/parts/meeting.hpp"
#include "kernels/parts/steps.hpp"

namespace warpspy {

// How GPUs give each other numbers. peers: a kernel reads them in the other GPU's memory. nccl: NCCL sends them.
enum class PartsWay : std::uint8_t { peers, nccl };
constexpr const char* name_of(PartsWay w) { return w == PartsWay::peers ? "peers" : "nccl"; }

// Lets each of these GPUs read the memory of all others. Returns why it cannot, or "".
std::string join_peers(const std::vector<int>& gpus);

// A part with rows.
struct PartOnGpu {
  std::string name;  // for errors: "part 2 of 4 (cuda:1)"
  int gpu = 0;       // its number
  const KernelRow* kernel = nullptr;
  ProductInputs local;  // x is not used by a solve
  const KernelRow* halo_kernel = nullptr;
  ProductInputs halo;  // without a format: the part has no halo. beta = 0: it is added to the local product
  index_t rows = 0, columns = 0, boundary = 0;
  std::vector<HaloIn> in;  // `from` and `to` are places among the parts with rows
  std::vector<HaloOut> out;
  const IterationInputs* solve = nullptr;  // nullptr: a product alone
};

// Where the time of a part went, in us, as a GPU's events tell it: of its local products; from complete x until the
// halo had come; waiting for it beyond the local products; products with the halo; updates of vectors; sums; waiting
// for the sums of others.
struct PartTimes {
  double local = 0, link = 0, waiting = 0, halo = 0, vectors = 0, dots = 0, dots_waiting = 0;
};

class DevicePart : public PartWorker {
 public:
  virtual const DeviceIteration& iteration() const = 0;
  virtual void* stream() const = 0;  // cudaStream_t, behind which all of its steps are
  virtual std::size_t device_bytes() const = 0;
  // The product of its rows, in their order. Waits for the GPU.
  virtual std::vector<double> product() const = 0;
  // Goes through the steps, and tells where their time went when the GPU has ended them.
  virtual PartTimes timed(const std::vector<PartStep>& steps) = 0;
  // The same of the last launch of a graph that is watched, when it has ended.
  virtual PartTimes watched() const = 0;
  // Waits for an event (cudaEvent_t), or for all that is enqueued. Throws as Meeting::await(), also if the GPU of
  // another part fails.
  virtual void await(void* event) const = 0;
  virtual void await_all() const = 0;
  // Whether all that is enqueued has ended, or can never end since the GPU was lost.
  virtual bool idle() const = 0;
  // Throws Error or DeviceLost if its GPU has failed.
  virtual void require_alive() const = 0;
};

// Steps of all parts as one CUDA graph over all of their GPUs.
class PartsGraph {
 public:
  virtual ~PartsGraph() = default;
  // Enqueues all of it on the stream of part 0. It begins when all that was enqueued there has ended, and what is
  // enqueued there next waits for all parts.
  virtual void launch() const = 0;
};

class DeviceParts {
 public:
  // `nccl` may be nullptr; it has the GPUs of the parts in their order. Throws Error as KernelRow::on_device and
  // device_iteration() do.
  DeviceParts(std::vector<PartOnGpu> parts, Precision precision, std::shared_ptr<Communicators> nccl);
  // Waits for the GPUs, but not for ever: what a GPU that does not answer still uses is not freed.
  ~DeviceParts();
  DeviceParts(const DeviceParts&) = delete;
  DeviceParts& operator=(const DeviceParts&) = delete;

  std::size_t size() const;
  DevicePart& part(std::size_t k) const;
  Meeting& meeting() const;
  // How the parts give each other numbers from now on; at first `peers`.
  void choose(PartsWay way);
  // Captures the same steps of all parts, while nothing runs. `watched`: with events between them, one graph at a time.
  // For `peers` alone. The parts must live as long. Throws Error where CUDA cannot.
  std::unique_ptr<PartsGraph> captured(const std::vector<PartStep>& steps, bool watched = false);
  // Runs work(part) of part 0 in this thread, for graphs. Throws as together().
  void alone(const std::function<void(DevicePart& part)>& work);
  // Runs work(k, part) of each part in a thread of its own, with its GPU as the current device. After an error the
  // parts can do nothing more. Throws as Meeting::together().
  void together(const std::function<void(std::size_t k, DevicePart& part)>& work);

  class Own;

 private:
  std::unique_ptr<Own> own_;
};

}  // namespace warpspy
