// NCCL, found at run time like cuSPARSE: messages between GPUs, also between those that cannot read each other's memory
// (NVIDIA, NCCL documentation, "Point-to-point communication"). Its functions are declared here, so that the program is
// built without NCCL's header. Only kernels/parts calls them.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/vendor/library.hpp"

namespace warpspy::nccl {

using Communicator = void*;                  // ncclComm_t
using Stream = void*;                        // cudaStream_t
using Result = int;                          // ncclResult_t; 0: success
enum class Type : int { f32 = 7, f64 = 8 };  // ncclFloat32, ncclFloat64

struct Functions {
  Result (*version)(int*) = nullptr;
  const char* (*error_string)(Result) = nullptr;
  Result (*init_all)(Communicator*, int count, const int* devices) = nullptr;
  Result (*destroy)(Communicator) = nullptr;
  Result (*abort)(Communicator) = nullptr;
  Result (*group_start)() = nullptr;
  Result (*group_end)() = nullptr;
  Result (*send)(const void*, std::size_t count, Type, int peer, Communicator, Stream) = nullptr;
  Result (*receive)(void*, std::size_t count, Type, int peer, Communicator, Stream) = nullptr;
  Result (*all_gather)(const void* own, void* all, std::size_t count, Type, Communicator, Stream) = nullptr;
};

// NCCL on this machine. It is looked for only once; never throws.
const VendorLibrary& library();
// The functions, or nullptr if library() is not available.
const Functions* functions();
// Throws Error "what: <NCCL's text>" if `result` is a failure. Needs functions().
void check(Result result, const std::string& what);

}  // namespace warpspy::nccl
