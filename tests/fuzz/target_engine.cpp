// What comes from the other end of an engine's pipe: frames, and what stands in them.
#include <string>

#include "core/base/types.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/messages.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

using wire::bytes_of;
using wire::Frame;
using wire::Kind;
using wire::pack;

// A body is refused, or packs to what was read: nothing of it is lost or made up.
template <class Read>
void read(const std::string& body, Read read) {
  try {
    const auto message = read(body);
    require(pack(read(pack(message))).size() == pack(message).size(), "a message is another one when it is read back");
  } catch (const Error&) {
    // Refused.
  }
}

void converse(Bytes bytes) {
  const MemoryGuard guard;
  wire::FrameReader whole, pieces;
  whole.add(bytes);
  std::size_t frames = 0;
  try {
    while (const auto f = whole.next()) {
      ++frames;
      read(f->body, [&](const std::string& body) { return wire::hello_of(body, wire::protocol); });
      read(f->body, wire::entry_trace_of);
      read(f->body, wire::warp_trace_of);
    }
  } catch (const Error&) {
    return;
  }
  // The same in pieces.
  for (const char c : bytes) {
    pieces.add({&c, 1});
    while (pieces.next()) --frames;
  }
  require(frames == 0, "frames depend on how they come");
}

Words beginnings() {
  DeviceInfo gpu;
  gpu.id = "cuda:0", gpu.name = "GPU", gpu.spec.sources["dram_gbs"] = "data sheet";
  WarpTrace warp;
  warp.sites = {{"csr_vector.hpp", 41, "text"}}, warp.lines.resize(1);
  warp.steps.resize(1), warp.steps_in_all = 1;
  EntryTrace entries;
  entries.parts = {{"CSR", "", {0}}}, entries.entries.resize(2), entries.entries[1].position = 1;
  const std::string hello = bytes_of(Frame{Kind::hello, 0, pack(wire::Hello{"0.1.0", "host", {gpu}})});
  return {hello, "Welcome\n" + hello + bytes_of(Frame{Kind::reply, 1, pack(warp)}),
          hello + bytes_of(Frame{Kind::pong, 0, ""}) + bytes_of(Frame{Kind::reply, 2, pack(entries)})};
}

}  // namespace

Target engine_target() { return {.name = "engine", .run = converse, .mutate = mutate_binary, .seeds = beginnings}; }

}  // namespace warpspy::fuzz
