/* What a plugin for an MPI gives the program. ABIs of MPIs differ, so the program calls no MPI itself: it loads the plugin
   (app/ranks/mpi.cpp) when an MPI launcher has started it. Sizes are in bytes. An MPI that fails ends all processes. */
#ifndef WARPSPY_RANKS_PLUGIN_H
#define WARPSPY_RANKS_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPSPY_RANKS_VERSION 1
#define WARPSPY_RANKS_BEGIN "warpspy_ranks_begin"

struct WarpspyMessage {
  int rank; /* of the other process */
  void* bytes;
  size_t size;
};

struct WarpspyRanks {
  int version; /* WARPSPY_RANKS_VERSION */
  int rank, size;
  const char* library; /* which MPI: "Open MPI 4.1.4" */
  void* self;          /* first argument of all functions */
  /* `all` gets `size` bytes of each process, by rank. */
  void (*gather)(void* self, const void* mine, size_t size, void* all);
  /* Process `from` gives its bytes to all others. */
  void (*broadcast)(void* self, void* bytes, size_t size, int from);
  /* Sends and gets messages; returns when all have arrived. */
  void (*exchange)(void* self, const struct WarpspyMessage* out, int outs, const struct WarpspyMessage* in, int ins);
  /* Ends all processes at once. */
  void (*abort)(void* self, int code);
  /* The last call; all processes make it. */
  void (*end)(void* self);
};

/* Starts MPI. The result lives as long as the program. */
const struct WarpspyRanks* warpspy_ranks_begin(void);

#ifdef __cplusplus
}
#endif

#endif
