#include "core/matrix/memory_guard.hpp"

#include <mutex>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

// Claims of all threads. There is one memory, so there is one sum of what is spoken for.
struct Claims {
  std::mutex mutex;
  std::size_t all = 0;
};
Claims& claims() {
  static Claims c;
  return c;
}
thread_local std::size_t own_claims = 0;

std::size_t available_beside(std::size_t claimed_by_others) {
  const std::size_t bytes = available_memory(memory_state());
  return bytes > claimed_by_others ? bytes - claimed_by_others : 0;
}

[[noreturn]] void refuse(double bytes, const std::string& what, std::size_t have, const std::string& remedy) {
  const std::string more = memory_remedy(memory_state());
  throw Error(what + " needs " + byte_text(bytes) + " of memory, " + free_text(have), {},
              more.empty() ? remedy : remedy + ", " + more);
}

}  // namespace

std::size_t available_memory() {
  const std::lock_guard lock(claims().mutex);
  return available_beside(claims().all - own_claims);
}

std::string free_text(std::size_t bytes) {
  const std::string size = byte_text(static_cast<double>(bytes));
  return user_limits_memory(memory_state()) ? "WARPSPY_MEMORY leaves " + size : size + " are free";
}

void require_memory(double bytes, const std::string& what, const std::string& remedy) {
  const std::size_t have = available_memory();
  if (!(bytes <= static_cast<double>(have))) refuse(bytes, what, have, remedy);
}

void MemoryClaim::raise(double bytes, const std::string& what, const std::string& remedy) {
  if (bytes <= static_cast<double>(bytes_)) return;
  const std::lock_guard lock(claims().mutex);
  const std::size_t have = available_beside(claims().all - own_claims);
  if (!(bytes <= static_cast<double>(have))) refuse(bytes, what, have, remedy);
  const auto more = static_cast<std::size_t>(bytes) - bytes_;
  bytes_ += more, own_claims += more, claims().all += more;
}

MemoryClaim::~MemoryClaim() {
  const std::lock_guard lock(claims().mutex);
  own_claims -= bytes_, claims().all -= bytes_;
}

}  // namespace warpspy
