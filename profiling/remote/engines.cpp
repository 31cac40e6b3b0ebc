#include "profiling/remote/engines.hpp"

#include <algorithm>
#include <utility>

#include "core/base/utc.hpp"
#include "core/catalog/host.hpp"
#include "core/run/engine_command.hpp"

namespace warpspy {

Engines::Engines(RemoteOptions options) : options_(std::move(options)) {}
Engines::~Engines() { on_devices({}); }

void Engines::set_own(std::unique_ptr<Engine> own) {
  own_ = std::move(own);
  own_->on_device_lost([this](const std::string& device, const std::string& reason) { tell_lost(device, reason); });
}

void Engines::tell_own(const std::vector<DeviceInfo>& devices) { tell({}, devices); }

void Engines::on_devices(OnDevices listener) {
  std::lock_guard telling(telling_);
  listener_ = std::move(listener);
}

void Engines::tell(const std::string& host, const std::vector<DeviceInfo>& devices) {
  std::lock_guard telling(telling_);
  if (listener_) listener_(host, devices);
}

void Engines::use_others(const std::vector<std::string>& commands) {
  std::vector<Other> gone, next;
  {
    std::lock_guard lock(mutex_);
    gone = std::exchange(others_, {});
  }
  for (const std::string& command : commands) {
    const auto kept =
        std::find_if(gone.begin(), gone.end(), [&](const Other& o) { return o.engine && o.command == command; });
    if (kept != gone.end()) {
      next.push_back(std::exchange(*kept, {}));
      continue;
    }
    try {
      const EngineCommand c = engine_command(command);
      if (std::any_of(next.begin(), next.end(), [&](const Other& o) { return o.host == c.host; })) continue;
      RemoteOptions options = options_;
      options.keeps_connected = true;
      options.on_devices = [this, host = c.host](const auto& devices) { tell(host, devices); };
      next.push_back({command, c.host, make_remote_engine({c.words.front(), c.words, c.host}, std::move(options))});
    } catch (const Error&) {
      // An invalid command starts nothing; the settings show the error.
    }
  }
  {
    std::lock_guard lock(mutex_);
    others_ = std::move(next);
  }
  std::erase_if(gone, [](const Other& o) { return !o.engine; });
  if (gone.empty()) return;
  // Elsewhere: their processes are waited for.
  leaving_ = std::jthread([this, gone = std::move(gone)]() mutable {
    for (Other& o : gone) {
      o.engine.reset();  // ends the connection first, so that no message follows
      tell(o.host, {});
    }
  });
}

std::shared_ptr<Engine> Engines::find(const std::string& device) const {
  const std::string host = host_of(device);
  if (host.empty()) return own_;
  std::lock_guard lock(mutex_);
  for (const Other& o : others_)
    if (o.host == host) return o.engine;
  return nullptr;
}

std::shared_ptr<Engine> Engines::require(const std::string& device) const {
  auto engine = find(device);
  if (!engine)
    throw Error("the engine of the device " + device + " is not in use", {},
                "name it with --engine-command, or add it to the engines of the settings");
  return engine;
}

namespace {
RunRecord failed(const RunRequest& request, const Error& why) {
  RunRecord r;
  r.started = utc_now_ms();
  r.request = request;
  r.device = request.device;
  r.error = why.what();
  return r;
}
}  // namespace

RunRecord Engines::run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) {
  try {
    return require(request.device)->run(request, matrix, progress, on_timed);
  } catch (const Error& e) {
    return failed(request, e);
  }
}

std::vector<RunRecord> Engines::run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                            const Matrix& matrix, Progress& progress) {
  if (requests.empty()) return {};
  try {
    return require(requests.front().device)->run_in_turn(requests, search, matrix, progress);
  } catch (const Error& e) {
    std::vector<RunRecord> records;
    for (const RunRequest& request : requests) records.push_back(failed(request, e));
    return records;
  }
}

BenchMachine Engines::bench_machine(const std::string& device, Progress& progress) {
  return require(device)->bench_machine(device, progress);
}

EntryTrace Engines::trace_entries(const RunRequest& request, const Matrix& matrix, index_t row_begin, index_t row_end,
                                  Progress& progress) {
  return require(request.device)->trace_entries(request, matrix, row_begin, row_end, progress);
}

WarpTrace Engines::trace_warp(const RunRequest& request, const Matrix& matrix, const WarpWanted& wanted,
                              Progress& progress) {
  return require(request.device)->trace_warp(request, matrix, wanted, progress);
}

std::optional<MeasuredRoofs> Engines::saved_roofs(const std::string& device) {
  const auto engine = find(device);
  return engine ? engine->saved_roofs(device) : std::nullopt;
}

MeasuredRoofs Engines::measure_roofs(const std::string& device, Progress& progress) {
  return require(device)->measure_roofs(device, progress);
}

}  // namespace warpspy
