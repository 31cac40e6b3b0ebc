// The plugin for the MPI with which this build was made (profiling/ranks/plugin.h).
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "profiling/ranks/plugin.h"

namespace {

// MPI counts in int.
constexpr std::size_t kMost = std::size_t{1} << 30;

template <class Work>
void in_pieces(void* bytes, std::size_t size, const Work& work) {
  for (std::size_t at = 0; at < size; at += kMost)
    work(static_cast<std::byte*>(bytes) + at, static_cast<int>(std::min(kMost, size - at)));
}

void gather(void*, const void* mine, std::size_t size, void* all) {
  const int n = static_cast<int>(size);
  MPI_Allgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, MPI_COMM_WORLD);
}

void broadcast(void*, void* bytes, std::size_t size, int from) {
  in_pieces(bytes, size, [&](void* piece, int n) { MPI_Bcast(piece, n, MPI_BYTE, from, MPI_COMM_WORLD); });
}

void exchange(void*, const WarpspyMessage* out, int outs, const WarpspyMessage* in, int ins) {
  std::vector<MPI_Request> all;
  for (int k = 0; k < ins; ++k)
    in_pieces(in[k].bytes, in[k].size, [&](void* piece, int n) {
      MPI_Irecv(piece, n, MPI_BYTE, in[k].rank, 0, MPI_COMM_WORLD, &all.emplace_back());
    });
  for (int k = 0; k < outs; ++k)
    in_pieces(out[k].bytes, out[k].size, [&](const void* piece, int n) {
      MPI_Isend(piece, n, MPI_BYTE, out[k].rank, 0, MPI_COMM_WORLD, &all.emplace_back());
    });
  MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
}

void abort_all(void*, int code) { MPI_Abort(MPI_COMM_WORLD, code); }

void end(void*) { MPI_Finalize(); }

}  // namespace

extern "C" const WarpspyRanks* warpspy_ranks_begin(void) {
  static char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  static WarpspyRanks ranks = {
      WARPSPY_RANKS_VERSION, 0, 1, library, nullptr, gather, broadcast, exchange, abort_all, end};
  int provided = 0, length = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  MPI_Get_library_version(library, &length);
  for (char& c : library)
    if (c == ',' || c == '\n') c = '\0';  // what follows tells how it was built
  return &ranks;
}
