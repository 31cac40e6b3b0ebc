// Small types that the whole program shares: sizes, precision, provenance, and the one exception for expected failures.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace warpspy {

// Rows, columns and entry counts. 64 bits: real graphs pass 2^31 entries.
using index_t = std::int64_t;

enum class Precision : std::uint8_t { f32, f64 };
constexpr const char* name_of(Precision p) { return p == Precision::f32 ? "f32" : "f64"; }
constexpr int bytes_of(Precision p) { return p == Precision::f32 ? 4 : 8; }

// Tells where a number comes from. This provenance stays with the number everywhere: in records, JSON, CSV, tables and
// figures.
enum class Provenance : std::uint8_t {
  measured,  // a timer or a hardware counter
  derived,   // computed from measured numbers
  modelled,  // the emulator, a formula or a data sheet
};
constexpr const char* name_of(Provenance p) {
  constexpr const char* names[] = {"measured", "derived", "modelled"};
  return names[static_cast<int>(p)];
}

// A real number made of a complex entry, so that real kernels can run on complex matrices.
enum class RealView : std::uint8_t { real_part, modulus };
constexpr const char* name_of(RealView v) { return v == RealView::real_part ? "real" : "modulus"; }

// An expected failure: what happened, where (file:line or the name of the input), and what the user can do.
// Caught at the job boundary and shown once.
class Error : public std::runtime_error {
 public:
  Error(std::string what, std::string place = {}, std::string fix = {})
      : std::runtime_error(one_line(what, place, fix)),
        reason(std::move(what)),
        where(std::move(place)),
        remedy(std::move(fix)) {}

  std::string reason;
  std::string where;   // "file.mtx:12", or empty
  std::string remedy;  // a whole phrase, or empty

 private:
  static std::string one_line(const std::string& what, const std::string& place, const std::string& fix) {
    return (place.empty() ? "" : place + ": ") + what + (fix.empty() ? "" : "; " + fix);
  }
};

}  // namespace warpspy
