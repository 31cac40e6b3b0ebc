#include "core/matrix/memory_guard.hpp"

#include <mutex>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

// The reservations of all threads. The machine has one memory, so there is one sum.
struct Reservations {
  std::mutex mutex;
  std::size_t all = 0;
};
Reservations& reservations() {
  static Reservations c;
  return c;
}
thread_local std::size_t own_reservations = 0;

std::size_t available_beside(std::size_t reserved_by_others) {
  const std::size_t bytes = available_memory(memory_state());
  return bytes > reserved_by_others ? bytes - reserved_by_others : 0;
}

[[noreturn]] void refuse(double bytes, const std::string& what, std::size_t have, const std::string& remedy) {
  const std::string more = memory_remedy(memory_state());
  throw Error(what + " needs " + byte_text(bytes) + " of memory, " + free_text(have), {},
              more.empty() ? remedy : remedy + ", " + more);
}

}  // namespace

std::size_t available_memory() {
  const std::lock_guard lock(reservations().mutex);
  return available_beside(reservations().all - own_reservations);
}

std::string free_text(std::size_t bytes) {
  const std::string size = byte_text(static_cast<double>(bytes));
  return user_limits_memory(memory_state()) ? "WARPSPY_MEMORY leaves " + size : size + " are free";
}

void require_memory(double bytes, const std::string& what, const std::string& remedy) {
  const std::size_t have = available_memory();
  if (!(bytes <= static_cast<double>(have))) refuse(bytes, what, have, remedy);
}

void MemoryReservation::raise(double bytes, const std::string& what, const std::string& remedy) {
  if (bytes <= static_cast<double>(bytes_)) return;
  const std::lock_guard lock(reservations().mutex);
  const std::size_t have = available_beside(reservations().all - own_reservations);
  if (!(bytes <= static_cast<double>(have))) refuse(bytes, what, have, remedy);
  const auto more = static_cast<std::size_t>(bytes) - bytes_;
  bytes_ += more, own_reservations += more, reservations().all += more;
}

MemoryReservation::~MemoryReservation() {
  const std::lock_guard lock(reservations().mutex);
  own_reservations -= bytes_, reservations().all -= bytes_;
}

}  // namespace warpspy
