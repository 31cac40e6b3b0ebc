// Parts of a matrix on CUDA devices.
#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "kernels/device/device_product.cuh"
#include "kernels/parts/device_parts.hpp"
#include "kernels/parts/messages.hpp"
#include "kernels/parts/part_stream.cuh"
#include "kernels/solve/iteration.hpp"

namespace warpspy {
namespace {

using cuda::check;
using parts::Mark;
using parts::PartStream;
using parts::us_between;

constexpr const char* exchanging = "exchanging numbers between GPUs";

// Two copies of all that others read, which take turns: the next numbers are written while the last are still read.
using Turns = std::array<Mark, 2>;

// A product alone, as a plan without an iteration.
template <class T>
DeviceIteration device_product_alone(const KernelRow& kernel, ProductInputs in) {
  if (in.kept) in.kept = in.kept->unprepared();
  DeviceIteration made{kernel.on_device(in), {}};
  auto& layout = dynamic_cast<DeviceSpmv<T>&>(*made.product).layout();
  simt::Array<T> y = layout.y();
  if (!layout.order().empty()) {
    const auto order = layout.made("y_order", simt::Role::matrix,
                                   std::vector<std::int32_t>(layout.order().begin(), layout.order().end()));
    const auto rows = layout.state("y_in_rows", std::vector<T>(static_cast<std::size_t>(y.size)));
    const LaunchSpec grid = solve::vector_grid(y.size);
    layout.launch(grid, solve::ToRowOrder<T>{simt::as_const(y), order, rows, grid.grid});
    y = rows;
  }
  made.plan.parts.assign(layout.launch_count(), SolvePart::product);
  made.plan.product_ends = {layout.launch_count() - 1};
  made.plan.direction = layout.next_x().data, made.plan.product = y.data;
  return made;
}

}  // namespace

class DeviceParts::Own {
 public:
  Own(std::vector<PartOnGpu> inputs, Precision precision, std::shared_ptr<Communicators> joined);
  ~Own();

  std::vector<PartOnGpu> inputs;
  Meeting meeting;
  std::shared_ptr<Communicators> nccl;
  PartsWay way = PartsWay::peers;
  std::vector<std::unique_ptr<DevicePart>> parts;
  std::function<std::unique_ptr<PartsGraph>(const std::vector<PartStep>&, bool watched)> capture;

 private:
  bool all_ended() const;
  template <class T>
  void make();
};

namespace {

template <class T>
class PartOf final : public DevicePart {
 public:
  PartOf(const PartOnGpu& in, std::size_t own, DeviceParts::Own& all)
      : in_(in),
        own_(own),
        all_(all),
        main_(false),
        messages_(true),
        iteration_(in.solve ? device_iteration(*in.kernel, in.local, *in.solve)
                            : device_product_alone<T>(*in.kernel, in.local)),
        plan_(iteration_.plan) {
    if (in.halo.format) {
      ProductInputs halo = in.halo;
      if (halo.kept) halo.kept = halo.kept->unprepared();
      halo_ = in.halo_kernel->on_device(halo);
      halo_x_ = parts::lay_out_halo(dynamic_cast<DeviceSpmv<T>&>(*halo_).layout(),
                                    simt::Array<T>{static_cast<T*>(plan_.product) + in.boundary, in.rows - in.boundary})
                    .data;
    }
    made_.record(main_);
    lay_out_pack();
    std::size_t sums = 0;
    for (const SumExchange& e : plan_.exchanges) sums = std::max(sums, static_cast<std::size_t>(e.sums));
    for (auto& box : left_) box = cuda::DeviceBuffer<T>(sums);
    come_ = cuda::DeviceBuffer<T>(sums * all.inputs.size());
  }

  // When all parts have their memory.
  void connect() {
    lay_out_fetch();
    for (const SumExchange& e : plan_.exchanges) lay_out_sums(e);
  }

  void launch(std::size_t index) override {
    iteration_.product->launch_one(index, main_.get());
    if (watch_) watch_->mark(in_product_ ? &PartTimes::local : kind_of(plan_.parts[index]), main_);
  }

  void give_halo(std::size_t) override {
    in_product_ = true;
    if (watch_) watch_->begin_link();
    const std::uint64_t round = halos_++;
    x_there_.record(main_);
    x_there_.hold(messages_);
    if (all_.way == PartsWay::nccl)
      send_halo();
    else if (!in_.out.empty())
      leave_halo(round);
    all_.meeting.reach(own_, Meeting::Sign::given, round + 1);
  }

  void take_halo(std::size_t) override {
    in_product_ = false;
    const std::size_t turn = turn_of(halos_ - 1);
    if (!in_.in.empty()) {
      if (all_.way == PartsWay::peers) {
        for (const HaloIn& in : in_.in) {
          const auto from = static_cast<std::size_t>(in.from);
          all_.meeting.await(from, Meeting::Sign::given, halos_);
          other(from).given_[turn].hold(messages_);
        }
        fetch_[turn].run(messages_.get());
        taken_[turn].record(messages_);
      }
      halo_there_.record(messages_);
      if (watch_) watch_->end_link(messages_);
      halo_there_.hold(main_);
    }
    all_.meeting.reach(own_, Meeting::Sign::taken, halos_);
    if (watch_) watch_->mark(&PartTimes::waiting, main_);
    if (halo_) halo_->launch(main_.get());
    if (watch_) watch_->mark(&PartTimes::halo, main_);
  }

  void give_sums(std::size_t which) override {
    const std::uint64_t round = rounds_++;
    const std::size_t turn = turn_of(round);
    sums_there_.record(main_);
    sums_there_.hold(messages_);
    sums_[which].leave[turn].run(messages_.get());
    if (all_.way == PartsWay::nccl) {
      const auto count = static_cast<std::size_t>(plan_.exchanges[which].sums);
      nccl::check(
          nccl::functions()->all_gather(left_[turn].data(), come_.data(), count, type, communicator(), messages_.get()),
          exchanging);
    } else {
      sums_given_[turn].record(messages_);
    }
    all_.meeting.reach(own_, Meeting::Sign::sums, round + 1);
  }

  void take_sums(std::size_t which) override {
    const std::size_t turn = turn_of(rounds_ - 1);
    if (all_.way == PartsWay::nccl) {
      sums_[which].spread->run(messages_.get());
    } else {
      for (std::size_t k = 0; k < all_.inputs.size(); ++k) {
        if (k == own_) continue;
        all_.meeting.await(k, Meeting::Sign::sums, rounds_);
        other(k).sums_given_[turn].hold(messages_);
      }
      sums_[which].take[turn].run(messages_.get());
    }
    sums_come_.record(messages_);
    sums_come_.hold(main_);
    if (watch_) watch_->mark(&PartTimes::dots_waiting, main_);
  }

  const DeviceIteration& iteration() const override { return iteration_; }
  void* stream() const override { return main_.get(); }
  std::size_t device_bytes() const override {
    std::size_t sum = iteration_.product->device_bytes() + (halo_ ? halo_->device_bytes() : 0) + places_.bytes();
    for (const auto& box : packed_) sum += box.bytes();
    for (const auto& box : left_) sum += box.bytes();
    return sum + come_.bytes();
  }
  std::vector<double> product() const override {
    await_all();
    std::vector<T> rows(static_cast<std::size_t>(in_.rows));
    check(cudaMemcpy(rows.data(), plan_.product, rows.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "copying from the device");
    return {rows.begin(), rows.end()};
  }
  PartTimes timed(const std::vector<PartStep>& steps) override {
    watch_.emplace(main_, false);
    for (const PartStep& s : steps) do_step(*this, s);
    await_all();
    const PartTimes times = watch_->times();
    watch_.reset();
    return times;
  }
  PartTimes watched() const override { return watch_->times(); }
  void begin_watch() { watch_.emplace(main_, true); }
  void end_watch() { watch_.reset(); }
  void await(void* event) const override {
    constexpr int seldom = 64;
    int looks = 0;
    all_.meeting.await(gpu_name(), [&] {
      if (ended(cudaEventQuery(static_cast<cudaEvent_t>(event)))) return true;
      if (++looks % seldom != 0) return false;
      // In a graph one part waits for all others.
      for (std::size_t k = 0; k < all_.parts.size(); ++k)
        if (k != own_) all_.meeting.alone(k, [&](std::size_t) { all_.parts[k]->require_alive(); });
      return false;
    });
  }
  void await_all() const override {
    for (const PartStream* s : {&messages_, &main_})
      all_.meeting.await(gpu_name(), [&] { return ended(cudaStreamQuery(s->get())); });
  }
  bool idle() const override {
    cudaSetDevice(in_.gpu);
    for (const PartStream* s : {&messages_, &main_})
      if (cudaStreamQuery(s->get()) == cudaErrorNotReady) return false;
    return true;
  }
  // Any call tells of a GPU that has failed. Events may be asked for from any thread.
  void require_alive() const override { ended(cudaEventQuery(made_.get())); }

  // Nothing of any part runs: what it gives next overwrites nothing that is still read. All parts go on from the same
  // numbers, also where a capture ended midway.
  void go_on_from(std::uint64_t halos, std::uint64_t rounds) {
    first_round_ = halos_ = halos, rounds_ = rounds;
    in_product_ = false;
    for (const Meeting::Sign sign : {Meeting::Sign::given, Meeting::Sign::taken}) all_.meeting.reach(own_, sign, halos);
    all_.meeting.reach(own_, Meeting::Sign::sums, rounds);
  }
  std::uint64_t halos() const { return halos_; }
  std::uint64_t rounds() const { return rounds_; }
  // All that is enqueued next comes behind `begin`, and end() behind all that was.
  void begin_behind(const Mark& begin) const {
    begin.hold(main_);
    begin.hold(messages_);
  }
  void mark_end() const {
    joined_.record(messages_);
    joined_.hold(main_);
    end_.record(main_);
  }
  const Mark& end() const { return end_; }
  const PartStream& main() const { return main_; }

 private:
  static constexpr nccl::Type type = sizeof(T) == 4 ? nccl::Type::f32 : nccl::Type::f64;
  using Launches = std::array<DeviceLaunches, 2>;
  static Launches no_launches() { return {DeviceLaunches(exchanging), DeviceLaunches(exchanging)}; }
  struct Sums {
    Launches leave = no_launches(), take = no_launches();
    std::optional<DeviceLaunches> spread = {};  // by NCCL
  };

  // The times of steps, from events between them.
  class Watch {
   public:
    using Kind = double PartTimes::*;
    Watch(const PartStream& s, bool in_graph) : in_graph_(in_graph) { mark(nullptr, s); }
    // All since the last mark was of this kind.
    void mark(Kind kind, const PartStream& s) { record(marks_.emplace_back(kind, Mark(true)).second, s); }
    void begin_link() { links_.emplace_back(marks_.size() - 1, std::nullopt); }
    void end_link(const PartStream& s) { record(links_.back().second.emplace(true), s); }
    PartTimes times() const {
      PartTimes t;
      for (std::size_t k = 1; k < marks_.size(); ++k)
        t.*marks_[k].first += us_between(marks_[k - 1].second, marks_[k].second);
      for (const auto& [from, to] : links_)
        if (to) t.link += us_between(marks_[from].second, *to);
      return t;
    }

   private:
    void record(const Mark& mark, const PartStream& s) const { in_graph_ ? mark.record_in_graph(s) : mark.record(s); }
    bool in_graph_;
    std::vector<std::pair<Kind, Mark>> marks_;
    std::vector<std::pair<std::size_t, std::optional<Mark>>> links_;
  };
  static double PartTimes::* kind_of(SolvePart part) {
    return part == SolvePart::updates ? &PartTimes::vectors : &PartTimes::dots;
  }

  static std::size_t turn_of(std::uint64_t round) { return static_cast<std::size_t>(round % 2); }
  static bool ended(cudaError_t status) {
    if (status == cudaErrorNotReady) {
      cudaGetLastError();  // it is no failure of a later launch
      return false;
    }
    check(status, "waiting for the GPU");
    return true;
  }
  std::string gpu_name() const { return "the GPU of " + all_.meeting.name(own_); }
  const PartOf& other(std::size_t k) const { return static_cast<const PartOf&>(*all_.parts[k]); }
  nccl::Communicator communicator() const { return all_.nccl->of(own_); }

  void lay_out_pack() {
    std::vector<std::int32_t> places;
    begins_.assign(all_.inputs.size(), 0);
    for (const HaloOut& out : in_.out) {
      begins_[static_cast<std::size_t>(out.to)] = places.size();
      places.insert(places.end(), out.places.begin(), out.places.end());
    }
    if (places.empty()) return;
    places_ = cuda::DeviceBuffer<std::int32_t>(std::span<const std::int32_t>(places));
    const auto count = static_cast<std::int64_t>(places.size());
    const LaunchSpec grid = solve::vector_grid(count);
    for (std::size_t turn = 0; turn < 2; ++turn) {
      packed_[turn] = cuda::DeviceBuffer<T>(places.size());
      packed_[turn].poison();
      add(pack_[turn], grid,
          parts::PackHalo<T>{{static_cast<const T*>(plan_.direction), in_.columns},
                             {places_.data(), count},
                             {packed_[turn].data(), count},
                             grid.grid});
    }
  }
  void lay_out_fetch() {
    if (in_.in.empty()) return;
    std::int64_t longest = 0;
    for (const HaloIn& in : in_.in) longest = std::max<std::int64_t>(longest, in.count);
    const LaunchSpec grid = solve::vector_grid(longest);
    for (std::size_t turn = 0; turn < 2; ++turn) {
      parts::FetchHalo<T> code{};
      for (const HaloIn& in : in_.in) {
        const PartOf& from = other(static_cast<std::size_t>(in.from));
        code.from[code.messages] = {from.packed_[turn].data() + from.begins_[own_], in.count};
        code.to[code.messages++] = {halo_x_ + in.first, in.count};
      }
      code.grid = grid.grid;
      add(fetch_[turn], grid, code);
    }
  }
  void lay_out_sums(const SumExchange& e) {
    const LaunchSpec one{.grid = 1, .block = solve::threads};
    const int gpus = static_cast<int>(all_.inputs.size()), gpu = static_cast<int>(own_);
    const simt::Array<T> numbers{static_cast<T*>(e.numbers), (e.sums - 1) * e.stride + gpus};
    Sums& s = sums_.emplace_back();
    parts::TakeSums<T> take{{}, numbers, e.stride, e.sums, gpus, gpu};
    for (std::size_t turn = 0; turn < 2; ++turn) {
      add(s.leave[turn], one,
          parts::LeaveSums<T>{simt::as_const(numbers), {left_[turn].data(), e.sums}, e.stride, e.sums, gpu});
      for (int k = 0; k < gpus; ++k) take.left[k] = {other(static_cast<std::size_t>(k)).left_[turn].data(), e.sums};
      add(s.take[turn], one, take);
    }
    for (int k = 0; k < gpus; ++k) take.left[k] = {come_.data() + k * e.sums, e.sums};
    add(s.spread.emplace(exchanging), one, take);
  }
  template <class Code>
  static void add(DeviceLaunches& to, const LaunchSpec& spec, const Code& code) {
    to.add(kernel_of<Code>(), spec, code, false);
  }

  // What was left there two products before must have been read.
  void leave_halo(std::uint64_t round) {
    const std::size_t turn = turn_of(round);
    for (const HaloOut& out : in_.out) {
      const auto to = static_cast<std::size_t>(out.to);
      if (round < first_round_ + 2) continue;
      all_.meeting.await(to, Meeting::Sign::taken, round - 1);
      other(to).taken_[turn].hold(messages_);
    }
    pack_[turn].run(messages_.get());
    given_[turn].record(messages_);
  }
  void send_halo() {
    if (!in_.out.empty()) pack_[0].run(messages_.get());
    const nccl::Functions& f = *nccl::functions();
    nccl::check(f.group_start(), exchanging);
    for (const HaloOut& out : in_.out)
      nccl::check(f.send(packed_[0].data() + begins_[static_cast<std::size_t>(out.to)], out.places.size(), type, out.to,
                         communicator(), messages_.get()),
                  exchanging);
    for (const HaloIn& in : in_.in)
      nccl::check(f.receive(halo_x_ + in.first, static_cast<std::size_t>(in.count), type, in.from, communicator(),
                            messages_.get()),
                  exchanging);
    nccl::check(f.group_end(), exchanging);
  }

  const PartOnGpu& in_;
  std::size_t own_;
  DeviceParts::Own& all_;
  PartStream main_, messages_;
  DeviceIteration iteration_;
  const IterationPlan& plan_;
  std::unique_ptr<DeviceProduct> halo_;
  T* halo_x_ = nullptr;
  cuda::DeviceBuffer<std::int32_t> places_;
  std::vector<std::size_t> begins_;  // of the message to each other part, in what is packed
  std::array<cuda::DeviceBuffer<T>, 2> packed_, left_;
  cuda::DeviceBuffer<T> come_;  // by NCCL: the sums of all
  Launches pack_ = no_launches(), fetch_ = no_launches();
  std::vector<Sums> sums_;  // of each exchange
  Turns given_, taken_, sums_given_;
  Mark x_there_, halo_there_, sums_there_, sums_come_, joined_, end_, made_;
  std::uint64_t halos_ = 0, rounds_ = 0;  // of products, and of exchanges of sums
  std::uint64_t first_round_ = 0;         // of products, since which GPUs have worked on
  bool in_product_ = false;
  std::optional<Watch> watch_;
};

// One thread goes through the steps of all parts, step by step, and events order them.
template <class T>
class GraphOfParts final : public PartsGraph {
 public:
  GraphOfParts(const std::vector<PartOf<T>*>& parts, const std::vector<PartOnGpu>& inputs,
               const std::vector<PartStep>& steps, bool watched)
      : parts_(parts), first_(*parts.front()) {
    const auto each = [&](auto&& work) {
      for (std::size_t k = 0; k < parts.size(); ++k) {
        check(cudaSetDevice(inputs[k].gpu), "capturing a CUDA graph");
        work(*parts[k]);
      }
      check(cudaSetDevice(inputs.front().gpu), "capturing a CUDA graph");
    };
    const auto go_on = [&] {
      std::uint64_t halos = 0, rounds = 0;
      for (const PartOf<T>* p : parts) halos = std::max(halos, p->halos()), rounds = std::max(rounds, p->rounds());
      for (PartOf<T>* p : parts) p->go_on_from(halos, rounds);
    };
    go_on();
    const Mark begin;
    const cudaStream_t origin = first_.main().get();
    check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal), "capturing a CUDA graph");
    cudaGraph_t captured{};
    try {
      begin.record(first_.main());
      each([&](PartOf<T>& p) {
        p.begin_behind(begin);
        if (watched) p.begin_watch();
      });
      for (const PartStep& s : steps) each([&](PartOf<T>& p) { do_step(p, s); });
      each([](PartOf<T>& p) { p.mark_end(); });
      for (const PartOf<T>* p : parts)
        if (p != &first_) p->end().hold(first_.main());
    } catch (...) {
      cudaStreamEndCapture(origin, &captured);
      if (captured) cudaGraphDestroy(captured);
      cudaGetLastError();
      go_on();
      for (PartOf<T>* p : parts) p->end_watch();
      throw;
    }
    check(cudaStreamEndCapture(origin, &captured), "capturing a CUDA graph");
    const cuda::Owner<cudaGraph_t, cudaGraphDestroy> all(captured);
    cudaGraphExec_t exec{};
    check(cudaGraphInstantiate(&exec, captured, 0), "preparing a CUDA graph");
    graph_ = cuda::Owner<cudaGraphExec_t, cudaGraphExecDestroy>(exec);
    go_on();
  }
  void launch() const override { check(cudaGraphLaunch(graph_.get(), first_.main().get()), "launching a CUDA graph"); }

 private:
  std::vector<PartOf<T>*> parts_;
  const PartOf<T>& first_;
  cuda::Owner<cudaGraphExec_t, cudaGraphExecDestroy> graph_;
};

}  // namespace

std::string join_peers(const std::vector<int>& gpus) {
  for (const int reader : gpus)
    for (const int read : gpus) {
      if (reader == read) continue;
      int can = 0;
      check(cudaDeviceCanAccessPeer(&can, reader, read), "asking whether GPUs are peers");
      const std::string pair =
          "cuda:" + std::to_string(reader) + " cannot read the memory of cuda:" + std::to_string(read);
      if (can == 0) return pair;
      check(cudaSetDevice(reader), "choosing CUDA device " + std::to_string(reader));
      const cudaError_t joined = cudaDeviceEnablePeerAccess(read, 0);
      cudaGetLastError();  // they may have been joined before
      if (joined != cudaSuccess && joined != cudaErrorPeerAccessAlreadyEnabled)
        return pair + ": " + cudaGetErrorString(joined);
    }
  return "";
}

namespace {

std::vector<std::string> names_of(const std::vector<PartOnGpu>& parts) {
  std::vector<std::string> names;
  for (const PartOnGpu& p : parts) names.push_back(p.name);
  return names;
}

}  // namespace

DeviceParts::Own::Own(std::vector<PartOnGpu> of, Precision precision, std::shared_ptr<Communicators> joined)
    : inputs(std::move(of)), meeting(names_of(inputs)), nccl(std::move(joined)) {
  if (inputs.size() > parts::most_gpus)
    throw Error("at most " + std::to_string(parts::most_gpus) + " real GPUs share a matrix", "parts",
                "use fewer, or simulated ones");
  if (precision == Precision::f32)
    make<float>();
  else
    make<double>();
}

template <class T>
void DeviceParts::Own::make() {
  std::vector<PartOf<T>*> made;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    meeting.alone(k, [&](std::size_t) {
      use_device(inputs[k].gpu);
      auto part = std::make_unique<PartOf<T>>(inputs[k], k, *this);
      made.push_back(part.get());
      parts.push_back(std::move(part));
    });
  for (std::size_t k = 0; k < made.size(); ++k)
    meeting.alone(k, [&](std::size_t) {
      use_device(inputs[k].gpu);
      made[k]->connect();
    });
  capture = [this, made](const std::vector<PartStep>& steps, bool watched) {
    return std::make_unique<GraphOfParts<T>>(made, inputs, steps, watched);
  };
}

// A while after an error a GPU may still work.
bool DeviceParts::Own::all_ended() const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (const auto& part : parts)
    while (!part->idle()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  cudaGetLastError();
  return true;
}

DeviceParts::Own::~Own() {
  if (meeting.abandoned() && nccl) nccl->abort();
  if (all_ended()) return;
  // Freeing memory would wait for the GPU.
  for (auto& part : parts) part.release();
}

DeviceParts::DeviceParts(std::vector<PartOnGpu> parts, Precision precision, std::shared_ptr<Communicators> nccl)
    : own_(std::make_unique<Own>(std::move(parts), precision, std::move(nccl))) {}
DeviceParts::~DeviceParts() = default;
std::size_t DeviceParts::size() const { return own_->parts.size(); }
DevicePart& DeviceParts::part(std::size_t k) const { return *own_->parts[k]; }
Meeting& DeviceParts::meeting() const { return own_->meeting; }
void DeviceParts::choose(PartsWay way) { own_->way = way; }
std::unique_ptr<PartsGraph> DeviceParts::captured(const std::vector<PartStep>& steps, bool watched) {
  if (own_->way != PartsWay::peers) throw Error("messages of NCCL are not captured");
  return own_->capture(steps, watched);
}
void DeviceParts::alone(const std::function<void(DevicePart&)>& work) {
  own_->meeting.alone(0, [&](std::size_t) {
    use_device(own_->inputs.front().gpu);
    work(*own_->parts.front());
  });
}
void DeviceParts::together(const std::function<void(std::size_t, DevicePart&)>& work) {
  own_->meeting.together([&](std::size_t k) {
    use_device(own_->inputs[k].gpu);
    work(k, *own_->parts[k]);
  });
}

}  // namespace warpspy
