// What comes to `warpspy engine` from the other end, where little memory is left: it answers or refuses, and ends.
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "core/run/engine.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/parts.hpp"
#include "profiling/remote/server.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

using wire::bytes_of;
using wire::Frame;
using wire::Kind;

// Answers without doing anything.
class IdleEngine final : public Engine {
 public:
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress&, const OnTimed&) override {
    RunRecord r;
    r.request = request;
    r.nnz = matrix.csr ? matrix.csr->nnz() : 0;
    return r;
  }
};

void serve(Bytes bytes) {
  const MemoryGuard guard(std::uint64_t{1} << 20);
  const InputFile input(bytes);
  const int in = ::open(input.path().c_str(), O_RDONLY | O_CLOEXEC), out = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  require(in >= 0 && out >= 0, "the input cannot be opened");
  IdleEngine engine;
  const int code = serve_engine(engine, {"0.1.0", "host", {}}, in, out, {.matrix_bytes = 1 << 20});
  ::close(in), ::close(out);
  require(code == 0 || code == 1, "the engine ends with another code");
}

Words beginnings() {
  const std::string request = to_json(RunRequest{});
  wire::MatrixRef matrix;
  matrix.key = "a key";
  const std::string run = bytes_of(Frame{Kind::run, 1, wire::pack(matrix, request)});
  const std::string in_turn =
      bytes_of(Frame{Kind::run_in_turn, 2, wire::pack(matrix, std::vector{request, request}, InSearch{})});
  wire::MatrixShape shape;
  shape.key = matrix.key, shape.rows = shape.cols = shape.nnz = 1;
  const std::string sent =
      bytes_of(Frame{Kind::matrix, 1, wire::pack(shape)}) + bytes_of(Frame{Kind::part, 1, std::string(28, '\0')});
  // One that is announced and never comes.
  const std::string long_one = wire::header_of(Kind::reply, 1, wire::most_body);
  return {bytes_of(Frame{Kind::ping, 0, ""}) + run + sent, in_turn + sent, run + bytes_of(Frame{Kind::cancel, 1, ""}),
          long_one};
}

}  // namespace

Target server_target() { return {.name = "server", .run = serve, .mutate = mutate_binary, .seeds = beginnings}; }

}  // namespace warpspy::fuzz
