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
  // The unit of `tried` and of the starts of a search. none: the parameter's own unit. per_sm: the number for each SM
  // of the device. of_shared: a share of the shared memory that a block can have, rounded down to 4 KiB (the parameter
  // is in KiB).
  enum class Scale : std::uint8_t { none, per_sm, of_shared } scale = Scale::none;
  // Values that a search tries besides the default; values out of range are left out. tried_as: a search gives this
  // parameter the value of that other parameter, since different values rarely gain anything.
  std::vector<double> tried = {};
  std::string tried_as = {};
  bool searched = true;  // false: it is chosen, and no strategy of a search turns it
};
using ParamSet = std::map<std::string, double>;

// Returns a complete set: the default of every parameter, replaced by `given` values. Throws Error if a parameter is
// unknown, or a value is out of range or not of the needed kind (a power of two, a multiple). The message names
// parameter, range and value.
ParamSet checked_params(const std::vector<ParamSpec>& specs, const ParamSet& given);

// A value as a user writes it: a number, or one of the choices (upper and lower case, '-' and ' ' are the same). Throws
// Error for text that is neither.
double param_value(const ParamSpec& spec, const std::string& text);

const ParamSpec* spec_of(const std::vector<ParamSpec>& specs, const std::string& id);  // nullptr when there is none

// Holds what the values of a search depend on in a device (ParamSpec::scale).
struct DeviceScale {
  int sm_count = 0;         // 0: not known
  double shared_bytes = 0;  // the most shared memory that a block can have; 0: not known
  bool operator==(const DeviceScale&) const = default;
};
// Converts a search's value to the parameter's value on this device. Returns nothing if that is out of range, or the
// device's unit is not known.
std::optional<double> value_on(const ParamSpec& spec, double value, const DeviceScale& device);
// Returns the values of ParamSpec::tried, converted for this device.
std::vector<double> tried_on(const ParamSpec& spec, const DeviceScale& device);

// A set of parameters with which a search begins, besides the defaults. It won for many matrices and differs from the
// defaults in several parameters, so that single steps may not lead there. With ParamSpec::Scale a value is relative to
// the device, as in ParamSpec::tried.
struct Start {
  ParamSet params = {};
  bool first = false;           // used in place of the defaults if the device and the values allow it; of several such
                                // starts the last
  double least_shared_kib = 0;  // shared memory that a block of the device must be able to have
  double only_value_bytes = 0;  // only for values of so many bytes; 0: for any
  bool operator==(const Start&) const = default;
};
// The start's parameters on this device. Returns nothing if they do not fit the device, or the device's unit is not
// known.
std::optional<ParamSet> params_on(const Start& start, const std::vector<ParamSpec>& specs, const DeviceScale& device);

}  // namespace warpspy
