#include "core/catalog/catalog.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

std::vector<ParamSpec> specs() {
  ParamSpec coop, share;
  coop.id = "coop";
  coop.type = ParamSpec::Type::power_of_two;
  coop.min = 1, coop.max = 32, coop.def = 8;
  share.id = "share";
  share.type = ParamSpec::Type::real;
  share.min = 0, share.max = 1, share.def = 0.5;
  return {coop, share};
}

std::string error_of(const ParamSet& given) {
  try {
    checked_params(specs(), given);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Params, DefaultsFillWhatIsNotGiven) {
  EXPECT_EQ(checked_params(specs(), {}), (ParamSet{{"coop", 8}, {"share", 0.5}}));
  EXPECT_EQ(checked_params(specs(), {{"coop", 32}}), (ParamSet{{"coop", 32}, {"share", 0.5}}));
}

TEST(Params, ErrorsNameParameterValueAndRange) {
  EXPECT_EQ(error_of({{"cop", 1}}), "unknown parameter cop; known: coop, share");
  EXPECT_EQ(error_of({{"coop", 64}}), "parameter coop = 64 is out of range; use 1 to 32");
  EXPECT_EQ(error_of({{"coop", 12}}), "parameter coop = 12 is not a power of two; use 1 to 32");
  EXPECT_EQ(error_of({{"coop", 2.5}}), "parameter coop = 2.5 is not a whole number; use 1 to 32");
  EXPECT_EQ(error_of({{"share", 0.0 / 0.0}}).rfind("parameter share", 0), 0u);
}

TEST(Params, AMultipleIsOfTheSmallestValue) {
  const ParamSpec block{"block_size", "Block size", "", ParamSpec::Type::multiple, 32, 1024, 128};
  for (const double v : {32.0, 96.0, 192.0, 1024.0})
    EXPECT_EQ(checked_params({block}, {{"block_size", v}}).at("block_size"), v);
  try {
    checked_params({block}, {{"block_size", 100}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "parameter block_size = 100 is not a multiple of 32; use 32 to 1024");
  }
}

TEST(Params, AChoiceIsWrittenByItsName) {
  ParamSpec spec;
  spec.id = "x_cache";
  spec.type = ParamSpec::Type::choice;
  spec.max = 2;
  spec.choices = {"plain", "No L1", "read-only"};
  EXPECT_EQ(param_value(spec, "no-l1"), 1);
  EXPECT_EQ(param_value(spec, "Read Only"), 2);
  EXPECT_EQ(param_value(spec, "0"), 0);
  try {
    param_value(spec, "fast");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "parameter x_cache = fast is not a number; use one of plain, no-l1, read-only");
  }
}

TEST(Catalog, FindsById) {
  Catalog c;
  c.devices.resize(2);
  c.devices[1].id = "sim:h200";
  EXPECT_EQ(c.device("sim:h200"), &c.devices[1]);
  EXPECT_EQ(c.device("sim:h300"), nullptr);
  EXPECT_EQ(c.kernel("x"), nullptr);
}

TEST(Catalog, ALibrarysKernelNeedsADeviceAndTheLibrary) {
  Catalog c;
  KernelInfo ours, theirs;
  theirs.library = "cuX";
  DeviceInfo real, simulated;
  simulated.simulated = true;
  EXPECT_EQ(c.why_not(ours, simulated), "");
  EXPECT_EQ(c.why_not(ours, real), "");
  EXPECT_EQ(c.why_not(theirs, simulated), "cuX's code cannot be emulated: it runs on CUDA devices only");
  EXPECT_EQ(c.why_not(theirs, real), "");
  LibraryInfo missing;
  missing.name = "cuX";
  missing.reason = "not found";
  missing.remedy = "install it";
  c.libraries = {missing};
  EXPECT_EQ(c.why_not(theirs, real), "cuX: not found; install it");
}

}  // namespace
}  // namespace warpspy
