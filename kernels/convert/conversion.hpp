// Makes formats on a GPU from a CSR that lies there already. The launches of a conversion are written once like those
// of a product, so they run in the emulator too. What they make equals, byte for byte, what core/formats builds on the
// host.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/csr.hpp"
#include "core/formats/facts.hpp"
#include "kernels/device/device.hpp"
#include "kernels/product/product.hpp"

namespace warpspy {

// What a conversion on a device leaves for another matrix with the same entries and other values: the memory of its
// arrays, and the numbers that the host read back. The conversion of the other matrix then needs only the launches that
// read values. It writes into the same memory.
struct KeptConversion {
  std::vector<std::shared_ptr<void>> memory;  // of each array, in the order in which they were asked for
  std::vector<ThereArray> made;
  std::vector<std::vector<index_t>> counted;  // in the order in which they were read
  std::size_t bytes = 0;                      // of all arrays
};

struct ConversionInputs {
  std::shared_ptr<const CsrFormat> csr;  // its values have the precision of the format
  const FormatFacts* facts = nullptr;    // of the same matrix
  ParamSet params = {};                  // the format's
  // Only for the model of a GPU, which tries some blocks of a launch before all earlier launches have run. The arrays
  // then begin with the format that the host has built. nullptr: they begin with invalid values, so that reading too
  // early is found.
  const Format* foreseen = nullptr;
  // On a device: the CSR's arrays there. nullptr: they are copied for this conversion.
  std::shared_ptr<DeviceArrays> csr_there = {};
  // On a device: it runs once more, to tell the time of the launches that read values.
  bool values_apart = false;
  // On a device: it leaves what other values of the same entries need, unless ConversionRow::counts_values.
  bool keep = false;
  // On a device: what the conversion of a matrix with the same entries, parameters and precision has left. nullptr:
  // there is nothing.
  std::shared_ptr<KeptConversion> again = {};
};

// An array of the made format, under the name that it has in Format::arrays().
struct MadeArray {
  std::string name;
  std::vector<std::byte> bytes;
  bool operator==(const MadeArray&) const = default;
};
template <class E, class Memory>
MadeArray made_array(std::string name, const std::vector<E, Memory>& data) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
  return {std::move(name), {bytes, bytes + data.size() * sizeof(E)}};
}

// A conversion in the emulator: an EmulatedProduct without x and y.
class EmulatedConversion : public EmulatedProduct {
 public:
  // Returns all arrays after all launches have run. Throws Error if a size that the launches counted differs from the
  // size that the host computed.
  virtual std::vector<MadeArray> made() const = 0;
  // The numbers of the launches that read values, rising.
  virtual const std::vector<int>& launches_of_values() const = 0;
};

// A conversion that has run on a CUDA device.
struct DeviceConversion {
  std::vector<ThereArray> made;
  double us = 0;                 // time from the CSR on the device to the format there, with allocating its memory
  std::size_t device_bytes = 0;  // of all arrays that stood there at once, without the CSR
  // Of the launches that read values, by the device's clock; nothing: it was not asked for, or there was no memory.
  std::optional<double> values_us = {};
  std::shared_ptr<KeptConversion> kept = {};
};

struct ConversionRow {
  std::string format;  // its id
  // Both throw Error if this format cannot be made on a GPU with these parameters (a sort window that does not fit
  // into a block's shared memory), and if it does not fit into the memory.
  std::unique_ptr<EmulatedConversion> (*emulate)(const ConversionInputs&) = nullptr;
  // nullptr in a build without CUDA. Runs twice, and the time is that of the second run; or once, if most was kept.
  DeviceConversion (*on_device)(const ConversionInputs&) = nullptr;
  // Whether sizes or launches depend on the values, so that other values need the whole conversion.
  bool counts_values = false;
  bool sorts = false;  // whether the CUDA toolkit sorts for it. The emulator cannot run that code, so its time in the
                       // emulator has no meaning
};
// Copies of arrays that lie on the device.
std::vector<MadeArray> downloaded(const std::vector<ThereArray>& arrays);

// The one list of formats that can be made on a GPU, in the order of core/formats.
const std::vector<ConversionRow>& conversions();
// Returns the conversion to a format; nullptr if the format can only be made on the host.
const ConversionRow* conversion_to(const std::string& format);

// A preparation that a kernel does before its first product (kernels/device/prepared.hpp), alone, for tests.
struct PreparationRow {
  ConversionRow made;
  std::vector<ParamSpec> params;
  std::vector<MadeArray> (*on_host)(const ConversionInputs&);
};
const std::vector<PreparationRow>& preparations();

}  // namespace warpspy
