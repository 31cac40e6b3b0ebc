// The file of all runs, as another program, a full disk or a crash may have left it.
#include <filesystem>

#include "core/run/history.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/samples.hpp"

namespace warpspy::fuzz {
namespace {

namespace fs = std::filesystem;

// A folder with nothing but this file.
std::string file_with(Bytes bytes) {
  const fs::path own = fs::path(folder()) / "history";
  fs::remove_all(own);
  fs::create_directory(own);
  const std::string file = (own / "runs.sqlite").string();
  if (!bytes.empty()) write_file(file, bytes);
  return file;
}

template <class F>
void attempt(F&& f) {
  try {
    f();
  } catch (const Error&) {  // the next call must be as safe
  }
}

void run(Bytes bytes) {
  History h(file_with(bytes));
  attempt([&] { h.find({}); });
  HistoryQuery query;
  query.text = "arrow _%\\", query.kernel = "csr_vector", query.device = "h200", query.since = "2026";
  attempt([&] { h.find(query); });
  attempt([&] { h.words(); });
  attempt([&] { h.get(1); });
  attempt([&] { h.set_note(1, "a note"); });
  RunRecord r = sample_run();
  const std::uint64_t id = h.add(r);
  if (id != 0) attempt([&] { h.get(id); });
  attempt([&] { h.remove({1, 2}); });
  h.problems();
}

Words seeds() {
  const std::string file = file_with({});
  {
    History h(file);
    for (int k = 0; k < 3; ++k) {
      RunRecord r = sample_run();
      h.add(r);
      h.set_note(r.id, "note");
    }
  }
  return {contents(file)};
}

}  // namespace

Target history_target() {
  return {.name = "history",
          .run = run,
          .mutate = [](const std::string& bytes, Random& r) { return mutate_binary(bytes, r); },
          .seeds = seeds};
}

}  // namespace warpspy::fuzz
