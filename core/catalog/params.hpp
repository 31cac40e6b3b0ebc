// Parameters of formats and kernels as plain data, and where a search for good values begins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpspy {

// One tunable. Values are doubles everywhere (integers up to 2^53 are exact); choices are indices into `choices`.
struct ParamSpec {
  std::string id;     // "coop"
  std::string label;  // "Threads per row"
  std::string help;   // one or two sentences for the tooltip
  // multiple: of the smallest value.
  enum class Type : std::uint8_t { integer, power_of_two, multiple, real, choice } type = Type::integer;
  double min = 0, max = 0, def = 0;
  std::vector<std::string> choices = {};  // only for Type::choice
  // What `tried` and the starts of a search count in: as the value itself; in so many for each SM of the device; in
  // shares of the shared memory that a block of it can have, rounded down to 4 KiB (the value itself is KiB).
  enum class Scale : std::uint8_t { none, per_sm, of_shared } scale = Scale::none;
  // Values that a search tries, beside the default; those out of range are left out. tried_as: it has the value of this
  // other parameter there, since the two are rarely worth more apart.
  std::vector<double> tried = {};
  std::string tried_as = {};
  bool searched = true;  // false: it is chosen, and no strategy of a search turns it
};
using ParamSet = std::map<std::string, double>;

// Defaults for every spec, overridden by `given`. Throws Error naming the parameter, its range and the value when one
// is unknown, out of range, or not a power of two or a multiple where one is needed.
ParamSet checked_params(const std::vector<ParamSpec>& specs, const ParamSet& given);

// A value as a user writes it: a number, or one of the choices (upper and lower case, '-' and ' ' are the same). Throws
// Error for text that is neither.
double param_value(const ParamSpec& spec, const std::string& text);

const ParamSpec* spec_of(const std::vector<ParamSpec>& specs, const std::string& id);  // nullptr when there is none

// What is to be known of a device to tell values of a search (ParamSpec::scale).
struct DeviceScale {
  int sm_count = 0;         // 0: not known
  double shared_bytes = 0;  // that a block can have; 0: not known
  bool operator==(const DeviceScale&) const = default;
};
// A value of a search as one of the parameter on this device; nothing where it is out of range there, or
// what it counts in is not known.
std::optional<double> value_on(const ParamSpec& spec, double value, const DeviceScale& device);
// ParamSpec::tried on this device.
std::vector<double> tried_on(const ParamSpec& spec, const DeviceScale& device);

// Where a search begins beside the defaults: parameters that won for many matrices and differ from the defaults in
// several, so that single steps may not lead there. Values count in the scale of their parameter.
struct Start {
  ParamSet params = {};
  bool first = false;           // in place of defaults, where device and values allow it; the last that they allow
  double least_shared_kib = 0;  // that a block of the device must be able to have
  double only_value_bytes = 0;  // with values of so many bytes; 0: of any
  bool operator==(const Start&) const = default;
};
// Its parameters on this device; nothing where they do not fit there, or what they count in is not known.
std::optional<ParamSet> params_on(const Start& start, const std::vector<ParamSpec>& specs, const DeviceScale& device);

}  // namespace warpspy
