// Conversions between formats in millions of entries (of the matrix, padding not counted) per second, beside SciPy's in
// the same run where it has the conversion, and estimates in microseconds.
//
//   bench_formats                              all; the largest matrix needs about 2 GB
//   bench_formats --benchmark_filter=laplace5  one matrix
//
// A conversion includes allocating and first touching its arrays; freeing them is not timed. The process is warm:
// memory that it has freed is cleared by the system once more, but on a virtual machine it need not be fetched from the
// host, which makes a very first conversion several times slower.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "core/formats/format.hpp"
#include "core/generate/generate.hpp"

namespace {

using namespace warpspy;

struct Subject {
  const char* name;
  const char* spec;
};
constexpr Subject kSubjects[] = {
    {"laplace5", "laplace5?nx=2000&ny=2000"},         // 20 million entries
    {"laplace27", "laplace27?nx=100&ny=100&nz=100"},  // 26 million
    {"powerlaw", "powerlaw?rows=2000000&mean=10"},    // 20 million; ELL would need terabytes, and says so
    // 20 million, and a tail so light that ELL holds it with 9 slots per entry: what padding costs.
    {"powerlaw_light", "powerlaw?rows=1000000&mean=20&exponent=8"},
    {"slider_5M", "powerlaw?rows=1000000&mean=5"},  // estimates only
};

const std::shared_ptr<const Csr>& loaded(const Subject& subject) {
  static std::string spec;
  static std::shared_ptr<const Csr> matrix;
  if (spec != subject.spec) {
    matrix = nullptr;
    Progress progress;
    matrix = generate(subject.spec, progress).csr;
    spec = subject.spec;
  }
  return matrix;
}

// Wall time, and processor time of all threads: on a busy machine the latter tells what a free one would do.
struct Time {
  double wall = 0, cpu = 0;
};
double cpu_now() {
  rusage u;
  ::getrusage(RUSAGE_SELF, &u);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}
Time time_of(const auto& work) {
  const double cpu = cpu_now();
  const auto start = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), cpu_now() - cpu};
}
double seconds_of(const auto& work) { return time_of(work).wall; }

// Medians. Mentries/s: by wall time; per_two_cpus: what two processors do in a second that is all theirs.
void report(benchmark::State& state, index_t entries, const std::vector<Time>& times) {
  std::vector<double> wall, cpu;
  for (const Time& t : times) wall.push_back(t.wall), cpu.push_back(t.cpu);
  std::sort(wall.begin(), wall.end());
  std::sort(cpu.begin(), cpu.end());
  state.counters["Mentries/s"] = static_cast<double>(entries) / wall[wall.size() / 2] / 1e6;
  if (cpu[0] > 0) state.counters["per_two_cpus"] = 2 * static_cast<double>(entries) / cpu[cpu.size() / 2] / 1e6;
}

void convert(benchmark::State& state, const Subject& subject, const char* id, Precision precision, ParamSet params) {
  const auto matrix = loaded(subject);
  const FormatRow& row = format_row(id);
  std::vector<Time> seconds;
  index_t slots = 0;
  for (auto _ : state) {
    std::shared_ptr<const Format> format;
    try {
      seconds.push_back(time_of([&] {
        Progress progress;
        format = row.build(FormatFacts(matrix), precision, RealView::real_part, params, progress);
      }));
    } catch (const Error& e) {
      state.SkipWithError(e.what());
      return;
    }
    state.SetIterationTime(seconds.back().wall);
    const Estimate size = format->size();
    state.counters["padding"] = size.padding_ratio();
    slots = size.stored;
  }
  report(state, matrix->nnz(), seconds);
  const double per_entry = static_cast<double>(slots) / static_cast<double>(matrix->nnz());
  state.counters["slots/entry"] = per_entry;
  state.counters["Mslots/s"] = per_entry * state.counters["Mentries/s"];
}

void coo_to_csr(benchmark::State& state, const Subject& subject) {
  const auto matrix = loaded(subject);
  std::vector<std::uint32_t> order(static_cast<std::size_t>(matrix->nnz()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  std::vector<std::int32_t> row_of(order.size());
  for (index_t r = 0; r < matrix->rows(); ++r)
    std::fill(row_of.begin() + matrix->row_ptr()[r], row_of.begin() + matrix->row_ptr()[r + 1],
              static_cast<std::int32_t>(r));
  std::vector<Time> seconds;
  for (auto _ : state) {
    std::vector<std::int32_t> row, col;
    std::vector<double> values;
    for (const std::uint32_t k : order) {
      row.push_back(row_of[k]);
      col.push_back(static_cast<std::int32_t>(matrix->columns()[k]));
      values.push_back(matrix->values()[k]);
    }
    Coo coo{matrix->rows(), matrix->cols(), Indices(std::move(row)), Indices(std::move(col)), std::move(values), {}};
    std::unique_ptr<Csr> csr;
    seconds.push_back(time_of([&] { csr = std::make_unique<Csr>(csr_from_coo(std::move(coo))); }));
    state.SetIterationTime(seconds.back().wall);
  }
  report(state, matrix->nnz(), seconds);
}

// What a slider costs: the facts are there, one parameter moves.
void estimate(benchmark::State& state, const Subject& subject, const char* id, std::vector<ParamSet> steps) {
  const FormatFacts facts(loaded(subject));
  const FormatRow& row = format_row(id);
  row.estimate(facts, Precision::f32, steps.back());
  std::vector<double> seconds;
  std::size_t next = 0;
  for (auto _ : state) {
    seconds.push_back(
        seconds_of([&] { benchmark::DoNotOptimize(row.estimate(facts, Precision::f32, steps[next]).bytes()); }));
    state.SetIterationTime(seconds.back());
    next = (next + 1) % steps.size();
  }
}

void first_estimate(benchmark::State& state, const Subject& subject, const char* id) {
  const auto matrix = loaded(subject);
  for (auto _ : state) {
    state.SetIterationTime(seconds_of(
        [&] { benchmark::DoNotOptimize(format_row(id).estimate(FormatFacts(matrix), Precision::f32, {}).bytes()); }));
  }
}

// SciPy converts the same matrix (its own construction of it, for the Laplacians; a file would take longer to write).
void scipy(benchmark::State& state, const Subject& subject, const char* method) {
  const auto matrix = loaded(subject);
  const std::string base = "/tmp/warpspy_bench_" + std::to_string(matrix->nnz());
  const auto put = [&](const char* name, const void* data, std::size_t bytes) {
    std::ofstream(base + name, std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  put(".ptr", matrix->row_ptr().data(), matrix->row_ptr().size_bytes());
  matrix->columns().visit([&](auto c) { put(".col", c.data(), c.size_bytes()); });
  put(".val", matrix->values().data(), matrix->values().size_bytes());
  const std::string shape = std::to_string(matrix->rows()) + "," + std::to_string(matrix->cols());
  const std::string script =
      "import numpy as n, scipy.sparse as s, time\n"
      "r=lambda e,t: n.fromfile('" +
      base +
      "'+e,dtype=t)\n"
      "a=s.csr_matrix((r('.val','f8'),r('.col','i4'),r('.ptr','i8').astype('i4')),shape=(" +
      shape +
      "))\n"
      "p=n.random.permutation(a.nnz) if 'coo2csr' in '" +
      method +
      "' else None\n"
      "c=a.tocoo() if p is not None else None\n"
      "c=s.coo_matrix((c.data[p],(c.row[p],c.col[p])),shape=a.shape) if p is not None else None\n"
      "def f():\n"
      "  if c is not None:\n"
      "    b=c.tocsr(); b.sort_indices(); return b\n"
      "  return a." +
      (std::string(method) == "coo2csr" ? "tocoo()" : std::string(method)) +
      "\n"
      "t=[]\n"
      "for i in range(3):\n"
      "  t0=time.perf_counter(); b=f(); t.append(time.perf_counter()-t0); del b\n"
      "print(sorted(t)[1])\n";
  std::ofstream(base + ".py") << script;
  for (auto _ : state) {
    std::FILE* pipe = ::popen(
        ("/usr/bin/env python3 " + base + ".py 2>/dev/null || /usr/bin/python3 " + base + ".py 2>/dev/null").c_str(),
        "r");
    double seconds = 0;
    const bool read = pipe && std::fscanf(pipe, "%lf", &seconds) == 1;
    if (pipe) ::pclose(pipe);
    if (!read) {
      state.SkipWithError("SciPy is not there or does not do it");
      break;
    }
    state.SetIterationTime(seconds);
    report(state, matrix->nnz(), {{seconds, 0}});
  }
  for (const char* e : {".ptr", ".col", ".val", ".py"}) std::remove((base + e).c_str());
}

void add(const std::string& name, int iterations, auto function) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(iterations);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Subject& s : kSubjects) {
    const std::string name = s.name;
    if (name == "slider_5M") {
      for (const FormatRow& row : formats()) {
        if (row.slow_estimate || row.from_elements) continue;
        const std::string id = row.info.id;
        add(name + "/first_estimate/" + id, 3,
            [&s, &row](auto& state) { first_estimate(state, s, row.info.id.c_str()); });
        std::vector<ParamSet> steps{{}};
        for (const ParamSpec& p : row.info.params) {
          if (p.type == ParamSpec::Type::choice) continue;
          for (const double v : {2.0, 4.0, 8.0})
            if (v >= p.min && v <= p.max) steps.push_back({{p.id, v}});
        }
        add(name + "/moved_estimate/" + id, 20,
            [&s, &row, steps](auto& state) { estimate(state, s, row.info.id.c_str(), steps); });
      }
      continue;
    }
    for (const FormatRow& row : formats()) {
      if (row.slow_estimate || row.from_elements) continue;
      for (const Precision precision : {Precision::f32, Precision::f64})
        add(name + "/csr_to_" + row.info.id + "/" + name_of(precision), 5,
            [&s, &row, precision](auto& state) { convert(state, s, row.info.id.c_str(), precision, {}); });
    }
    // The default window leaves a power law 9 slots per entry; this one leaves 3.6.
    add(name + "/csr_to_sell_sigma_65536/f64", 5,
        [&s](auto& state) { convert(state, s, "sell", Precision::f64, {{"sort_window", 65536}}); });
    add(name + "/unsorted_coo_to_csr/f64", 3, [&s](auto& state) { coo_to_csr(state, s); });
    for (const char* method : {"tocsc()", "tocoo()", "todia()", "tobsr((2,2))", "coo2csr"})
      add(name + "/scipy_" + method + "/f64", 1, [&s, method](auto& state) { scipy(state, s, method); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
