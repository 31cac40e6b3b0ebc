#include "profiling/ranks/ranks.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "profiling/wire/archive.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlugin = "warpspy-mpi.so";

// How launchers tell a process its place: of Open MPI, of MPICH and Intel MPI, and SLURM's with PMIx.
constexpr struct {
  const char *rank, *size;
} kPlaces[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), number);
  return error == std::errc() && *end == '\0' ? std::optional(number) : std::nullopt;
}

// "rank 2", "ranks 1, 3".
std::string names_of(const std::vector<std::size_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(ranks[k]);
  return text;
}

}  // namespace

std::optional<RankPlace> rank_place() {
  for (const auto& [rank, size] : kPlaces) {
    const auto r = number_in(rank), n = number_in(size);
    if (r && n && *n > 1 && *r >= 0 && *r < *n) return RankPlace{*r, *n};
  }
  return std::nullopt;
}

enum class Ranks::Step : int { gather, sum, halo, end, failed };

Ranks::~Ranks() { plugin_.end(plugin_.self); }

// Each step begins with what every rank is about to do. So a rank that failed meanwhile is noticed, and no other waits
// for it.
void Ranks::begin(Step step) {
  if (over_) throw RanksFailed(*over_);
  const int own = static_cast<int>(step);
  std::vector<int> steps(static_cast<std::size_t>(size()));
  plugin_.gather(plugin_.self, &own, sizeof own, steps.data());
  if (std::count(steps.begin(), steps.end(), static_cast<int>(Step::failed)) > 0) fail();
  if (std::count(steps.begin(), steps.end(), own) != size()) plugin_.abort(plugin_.self, 1);
}

namespace {

std::vector<std::string> gathered(const WarpspyRanks& plugin, const std::string& mine) {
  const std::uint64_t own = mine.size();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(plugin.size));
  plugin.gather(plugin.self, &own, sizeof own, sizes.data());
  std::vector<std::string> all(sizes.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = static_cast<int>(k) == plugin.rank ? mine : std::string(sizes[k], '\0');
    if (!all[k].empty()) plugin.broadcast(plugin.self, all[k].data(), all[k].size(), static_cast<int>(k));
  }
  return all;
}

}  // namespace

// All ranks tell whether and why they failed, and throw the same.
void Ranks::fail() {
  const std::optional<Error> mine = std::exchange(mine_, std::nullopt);
  struct Told {
    bool failed = false;
    int depth = 0;
    std::string reason, where, remedy;
  };
  const Error own = mine.value_or(Error(""));
  const std::vector<std::string> told =
      gathered(plugin_, wire::pack(mine.has_value(), depth_, own.reason, own.where, own.remedy));
  std::vector<Told> all(told.size());
  for (std::size_t k = 0; k < told.size(); ++k)
    wire::unpack(told[k], all[k].failed, all[k].depth, all[k].reason, all[k].where, all[k].remedy);
  const auto first = std::find_if(all.begin(), all.end(), [](const Told& t) { return t.failed; });
  const bool alike = std::all_of(all.begin(), all.end(), [&](const Told& t) {
    return t.failed && t.reason == first->reason && t.where == first->where;
  });
  int depth = first->depth;
  for (const Told& t : all)
    if (t.failed) depth = std::min(depth, t.depth);
  const std::string rank = alike ? "" : names_of({static_cast<std::size_t>(first - all.begin())}) + ": ";
  const RanksFailed failure(rank + first->reason, first->where, first->remedy);
  if (depth < depth_) over_ = failure, over_depth_ = depth;
  throw RanksFailed(failure);
}

void Ranks::together(const std::function<void()>& work) {
  const int depth = ++depth_;
  const auto settled = [&](const RanksFailed& failure) -> RanksFailed {
    if (over_ && over_depth_ == depth) over_.reset();
    --depth_;
    return failure;
  };
  try {
    work();
  } catch (const RanksFailed& e) {
    throw settled(e);
  } catch (const Error& e) {
    mine_ = e;
  } catch (const Cancelled&) {
    mine_ = Error("it was stopped");
  } catch (const std::exception& e) {
    mine_ = Error(e.what());
  }
  try {
    begin(mine_ ? Step::failed : Step::end);
  } catch (const RanksFailed& e) {
    mine_.reset();
    throw settled(e);
  }
  --depth_;
}

std::vector<std::string> Ranks::gather(const std::string& mine) {
  begin(Step::gather);
  return gathered(plugin_, mine);
}

void Ranks::require_same(const std::string& text, const std::string& what, const std::string& remedy) {
  const std::vector<std::string> all = gather(text);
  std::vector<std::size_t> others;
  for (std::size_t k = 1; k < all.size(); ++k)
    if (all[k] != all[0]) others.push_back(k);
  if (others.empty()) return;
  throw RanksFailed(
      names_of(others) + (others.size() == 1 ? " has another " : " have another ") + what + " than rank 0", {}, remedy);
}

void Ranks::add_up(std::span<double> numbers) {
  begin(Step::sum);
  std::vector<double> all(numbers.size() * static_cast<std::size_t>(size()));
  plugin_.gather(plugin_.self, numbers.data(), numbers.size_bytes(), all.data());
  std::copy_n(all.begin(), numbers.size(), numbers.begin());
  for (std::size_t k = numbers.size(); k < all.size(); ++k) numbers[k % numbers.size()] += all[k];
}

std::vector<double> Ranks::halo(const Part& part, std::span<const double> own) {
  begin(Step::halo);
  std::vector<double> numbers(part.halo_columns.size());
  std::vector<std::vector<double>> given;
  std::vector<WarpspyMessage> out, in;
  for (const HaloOut& to : part.out) {
    std::vector<double>& some = given.emplace_back();
    for (const index_t place : to.places) some.push_back(own[static_cast<std::size_t>(place)]);
    out.push_back({to.to, some.data(), some.size() * sizeof(double)});
  }
  for (const HaloIn& from : part.in)
    in.push_back({from.from, numbers.data() + from.first, static_cast<std::size_t>(from.count) * sizeof(double)});
  plugin_.exchange(plugin_.self, out.data(), static_cast<int>(out.size()), in.data(), static_cast<int>(in.size()));
  return numbers;
}

std::unique_ptr<Ranks> begin_ranks(const RankPlace& place, const std::vector<std::string>& folders) {
  std::string looked;
  void* library = nullptr;
  for (const std::string& folder : folders) {
    const std::string path = (fs::path(folder) / kPlugin).lexically_normal().string();
    looked += (looked.empty() ? "" : "; ") + path;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    // An MPI loads parts of its own, which may need its names.
    library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library) break;
    const char* why = ::dlerror();
    throw Error("the plugin for MPI cannot be loaded: " + std::string(why ? why : "no reason"), path,
                "install the MPI with which Warpspy was built");
  }
  const std::string started = "this is one of " + std::to_string(place.size) + " processes that MPI started";
  if (!library)
    throw Error(started + ", and Warpspy's plugin for MPI is not there (looked for " + looked + ")", {},
                "build Warpspy where mpicxx is, or start one process with --parts " + std::to_string(place.size));
  using Begin = const WarpspyRanks* (*)();
  const auto begin = reinterpret_cast<Begin>(::dlsym(library, WARPSPY_RANKS_BEGIN));
  const WarpspyRanks* plugin = begin ? begin() : nullptr;
  if (!plugin || plugin->version != WARPSPY_RANKS_VERSION)
    throw Error("the plugin for MPI is of another version of Warpspy", looked, "build it again");
  auto ranks = std::make_unique<Ranks>(*plugin);
  if (ranks->size() != place.size || ranks->rank() != place.rank)
    throw Error(started + ", but " + ranks->library() + " knows of " + std::to_string(ranks->size()), {},
                "start Warpspy with the mpirun of " + ranks->library());
  return ranks;
}

}  // namespace warpspy
