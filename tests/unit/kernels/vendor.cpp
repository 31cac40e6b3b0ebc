// The vendor's rows without a GPU, and without the library.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/formats/format.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/cusparse.hpp"
#include "kernels/vendor/library.hpp"
#if defined(WARPSPY_HAVE_CUDA)
#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"
#endif

namespace warpspy {
namespace {

TEST(Vendor, ALibraryThatIsNotThereIsNamedWithWhereItWasLookedFor) {
  const LoadedLibrary none = load_library({"libwarpspy-none.so.1", "libwarpspy-none.so"}, {"/nowhere/lib64"});
  EXPECT_EQ(none.handle, nullptr);
  EXPECT_EQ(none.looked, (std::vector<std::string>{"libwarpspy-none.so.1", "libwarpspy-none.so"}));
  for (const char* part : {"libwarpspy-none.so.1", "LD_LIBRARY_PATH", "/nowhere/lib64"})
    EXPECT_NE(none.reason.find(part), std::string::npos) << none.reason;
  EXPECT_EQ(none.reason.find('\n'), std::string::npos);
}

TEST(Vendor, ALibraryThatIsThereIsOpenedWithItsPath) {
  const LoadedLibrary libc = load_library({"libwarpspy-none.so.1", "libc.so.6"}, {});
  EXPECT_NE(libc.handle, nullptr);
  EXPECT_NE(libc.path.find("libc.so.6"), std::string::npos) << libc.path;
  EXPECT_TRUE(libc.reason.empty());
}

TEST(Vendor, TheLibraryIsFoundOrTheReasonIsSaid) {
  const VendorLibrary& v = vendor_library();
  EXPECT_EQ(v.name, "cuSPARSE");
  EXPECT_EQ(v.available, v.reason.empty());
  EXPECT_EQ(v.available, v.remedy.empty());
  EXPECT_EQ(v.available, !v.version.empty());
  if (v.available) std::printf("cuSPARSE %s at %s\n", v.version.c_str(), v.path.c_str());
}

TEST(Vendor, RowsComeAfterOursAndAreMarked) {
  bool vendors = false;
  int count = 0;
  for (const KernelRow& row : kernels()) {
    EXPECT_FALSE(vendors && row.info.library.empty()) << row.info.id;
    vendors |= !row.info.library.empty();
    count += !row.info.library.empty();
    if (row.info.library.empty()) continue;
    EXPECT_EQ(row.info.library, "cuSPARSE");
    EXPECT_EQ(row.info.id.rfind("cusparse_", 0), 0u);
  }
  EXPECT_EQ(static_cast<std::size_t>(count), cusparse_rows().size());
  for (const CusparseRow& row : cusparse_rows()) {
    std::size_t choices = 1;
    for (const ParamSpec& spec : row.info.params)
      if (spec.id == "algorithm") choices = spec.choices.size();
    EXPECT_EQ(row.algorithms.size(), choices) << row.info.id;
  }
}

TEST(Vendor, WithoutTheLibraryARunSaysWhatToInstall) {
  if (vendor_library().available) GTEST_SKIP() << "the library is here";
  for (const KernelRow& row : kernels()) {
    if (row.info.library.empty() || !row.on_device) continue;
    try {
      row.on_device({});
      ADD_FAILURE() << row.info.id << " ran";
    } catch (const Error& e) {
      EXPECT_NE(e.reason.find(vendor_library().reason), std::string::npos) << e.reason;
      EXPECT_FALSE(e.remedy.empty());
    }
  }
}

#if defined(WARPSPY_HAVE_CUDA)
TEST(Device, FailuresAfterWhichNothingRunsAreToldApart) {
  EXPECT_NO_THROW(cuda::check(cudaSuccess, "x"));
  for (const cudaError_t lost : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorDevicesUnavailable,
                                 cudaErrorECCUncorrectable, cudaErrorLaunchTimeout})
    EXPECT_THROW(cuda::check(lost, "x"), DeviceLost) << cudaGetErrorName(lost);
  for (const cudaError_t harmless : {cudaErrorMemoryAllocation, cudaErrorInvalidValue, cudaErrorNoDevice}) {
    try {
      cuda::check(harmless, "x");
      ADD_FAILURE() << "accepted";
    } catch (const DeviceLost&) {
      ADD_FAILURE() << cudaGetErrorName(harmless) << " loses no device";
    } catch (const Error&) {
    }
  }
}
#endif

}  // namespace
}  // namespace warpspy
