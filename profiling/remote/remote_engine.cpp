#include "profiling/remote/remote_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/utc.hpp"
#include "profiling/remote/caller.hpp"
#include "profiling/remote/parts.hpp"

namespace warpspy {
namespace {

using wire::Kind;
using wire::pack;

class ProcessEngine final : public RemoteEngine {
 public:
  ProcessEngine(EngineProgram program, RemoteOptions options)
      : host_(program.host), program_(options.program), caller_(std::move(program), shown_here(std::move(options))) {}

  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) override {
    return guarded({request}, matrix,
                   [&] {
                     const RunRequest asked = there(request);
                     const auto on_frame = [&](const wire::Frame& f) {
                       if (f.kind == Kind::timed && on_timed) on_timed(here(record_from_json(f.body), request.device));
                     };
                     const std::string body = pack(caller_.ref_of(matrix), to_json(asked));
                     const std::string answer = call({Kind::run, body, &matrix, asked.device, on_frame}, progress);
                     return std::vector{here(record_from_json(answer), request.device)};
                   })
        .front();
  }

  std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                     const Matrix& matrix, Progress& progress) override {
    if (requests.empty()) return {};
    return guarded(requests, matrix, [&] {
      std::vector<std::string> asked, answers;
      for (const RunRequest& r : requests) asked.push_back(to_json(there(r)));
      const std::string device = id_there(requests.front().device);
      wire::unpack(call({Kind::run_in_turn, pack(caller_.ref_of(matrix), asked, search), &matrix, device}, progress),
                   answers);
      if (answers.size() != requests.size()) throw Error("the engine has another number of answers than of questions");
      std::vector<RunRecord> records;
      for (std::size_t i = 0; i < answers.size(); ++i)
        records.push_back(here(record_from_json(answers[i]), requests[i].device));
      return records;
    });
  }

  EntryTrace trace_entries(const RunRequest& request, const Matrix& matrix, index_t row_begin, index_t row_end,
                           Progress& progress) override {
    require(matrix);
    RunRequest there = request;
    there.device = id_there(request.device);
    return wire::entry_trace_of(call(
        {Kind::trace_entries, pack(caller_.ref_of(matrix), to_json(there), row_begin, row_end), &matrix}, progress));
  }

  WarpTrace trace_warp(const RunRequest& request, const Matrix& matrix, const WarpWanted& wanted,
                       Progress& progress) override {
    require(matrix);
    RunRequest there = request;
    there.device = id_there(request.device);
    return wire::warp_trace_of(
        call({Kind::trace_warp, pack(caller_.ref_of(matrix), to_json(there), wanted), &matrix}, progress));
  }

  std::optional<MeasuredRoofs> saved_roofs(const std::string& device) override {
    try {
      Progress progress;
      const std::string body = call({Kind::saved_roofs, pack(id_there(device))}, progress);
      if (body.empty()) return {};
      return measured_roofs_from_json(body);
    } catch (const std::exception&) {
      return {};  // the engine has ended, which the next run will report
    }
  }

  MeasuredRoofs measure_roofs(const std::string& device, Progress& progress) override {
    return measured_roofs_from_json(
        call({Kind::measure_roofs, pack(id_there(device)), nullptr, id_there(device)}, progress));
  }

  BenchMachine bench_machine(const std::string& device, Progress& progress) override {
    BenchMachine machine;
    wire::unpack(call({Kind::bench_machine, pack(id_there(device)), nullptr, id_there(device)}, progress), machine);
    return machine;
  }

  pid_t process() const override { return caller_.process(); }

 private:
  static void require(const Matrix& matrix) {
    if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
  }
  std::string call(const Caller::Call& c, Progress& progress) { return caller_(c, progress); }
  RunRequest there(RunRequest request) const {
    request.device = id_there(request.device);
    return request;
  }
  // Returns the result of the work; if the engine ended, the error for each request.
  template <class Work>
  std::vector<RunRecord> guarded(const std::vector<RunRequest>& requests, const Matrix& matrix, Work&& work) {
    std::vector<RunRecord> records;
    const std::string started = utc_now_ms();
    const auto end = [&](RunStatus status, const std::string& why) {
      for (const RunRequest& request : requests) {
        RunRecord& r = records.emplace_back();
        r.started = started;
        r.request = request;
        r.status = status;
        r.error = why;
        r.device = request.device;
        if (!matrix.csr) continue;
        r.matrix_name = matrix.source.name;
        r.rows = matrix.csr->rows(), r.cols = matrix.csr->cols(), r.nnz = matrix.csr->nnz();
      }
    };
    try {
      require(matrix);
      return work();
    } catch (const Cancelled&) {
      end(RunStatus::cancelled, "cancelled");
    } catch (const EngineDisconnected& e) {
      end(RunStatus::failed, e.reason + (e.remedy.empty() ? "" : "; " + e.remedy));
    } catch (const std::exception& e) {
      end(RunStatus::failed, e.what());
    }
    return records;
  }

  // Device names there and here: "cuda:0", "cuda:0@gpubox".
  std::string suffix() const { return host_.empty() ? "" : "@" + host_; }
  std::string id_there(const std::string& id) const {
    return id.ends_with(suffix()) ? id.substr(0, id.size() - suffix().size()) : id;
  }
  std::string id_here(const std::string& id) const { return id.empty() ? id : id + suffix(); }
  std::string name_here(const std::string& name) const {
    return host_.empty() || name.empty() ? name : name + " on " + host_;
  }
  RunRecord here(RunRecord r, const std::string& asked) const {
    r.request.device = asked;
    r.device = id_here(r.device);
    r.device_name = name_here(r.device_name);
    if (const std::string there = caller_.hello().program; !host_.empty() && there != program_)
      r.notes.push_back(host_ + " runs Warpspy " + there + ", and here is " + program_);
    return r;
  }
  // Shows the real devices of another machine; if it has none, its simulated ones.
  RemoteOptions shown_here(RemoteOptions options) {
    if (!options.on_devices) return options;
    options.on_devices = [this, tell = std::move(options.on_devices)](std::vector<DeviceInfo> devices) {
      if (host_.empty()) return tell(devices);
      const bool real = std::any_of(devices.begin(), devices.end(),
                                    [](const DeviceInfo& d) { return !d.simulated && d.spec.sm_count > 0; });
      const bool modelled = std::any_of(devices.begin(), devices.end(), [](const auto& d) { return d.simulated; });
      if (modelled) std::erase_if(devices, [&](const DeviceInfo& d) { return d.simulated == real; });
      for (DeviceInfo& d : devices) d.id = id_here(d.id), d.name = name_here(d.name);
      tell(devices);
    };
    return options;
  }

  const std::string host_, program_;
  Caller caller_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_remote_engine(EngineProgram program, RemoteOptions options) {
  return std::make_unique<ProcessEngine>(std::move(program), std::move(options));
}

}  // namespace warpspy
