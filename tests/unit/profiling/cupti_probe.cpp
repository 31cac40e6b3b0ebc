// Every obstacle on the way to hardware counters, from conditions that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "profiling/cupti/failure.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/probe.hpp"

namespace warpspy {
namespace {

// A machine where counters can be read.
Conditions open() {
  Conditions c;
  c.cupti_cuda = c.driver_cuda = 13000;
  c.admin_only = false;
  c.compute_capability = 90;
  c.chip = "GH100";
  c.architecture = c.vgpu = c.confidential = c.mining = c.sli = c.wsl_support = Support::yes;
  return c;
}

struct Case {
  const char* name;
  void (*make)(Conditions&);
  const char* id;      // "": no obstacle
  const char* says;    // in the message
  const char* remedy;  // in the remedy
};
const Case cases[] = {
    {"everything in order", [](Conditions&) {}, "", "", ""},
    {"no library",
     [](Conditions& c) { c.cupti_found = c.cupti_usable = false, c.cupti_reason = "not found: libcupti.so.13"; },
     "cupti_missing", "libcupti.so.13", "apt install cuda-cupti-12-6"},
    {"built without it",
     [](Conditions& c) { c.cupti_found = c.cupti_usable = false, c.cupti_remedy = "build it again"; }, "cupti_missing",
     "not here", "build it again"},
    {"library of CUDA 12.4",
     [](Conditions& c) {
       c.cupti_usable = false, c.cupti_reason = "/x/libcupti.so.12 has no cuptiRangeProfilerEnable";
     },
     "cupti_too_old", "12.6 and later", "apt install cuda-cupti-12-6"},
    {"driver of CUDA 12", [](Conditions& c) { c.driver_cuda = 12080; }, "driver_too_old", "CUDA 12.8",
     "cuda-cupti-12-9"},
    {"older minor version, which works", [](Conditions& c) { c.cupti_cuda = 12090, c.driver_cuda = 12060; }, "", "",
     ""},
    {"Pascal", [](Conditions& c) { c.compute_capability = 61; }, "unsupported_chip", "6.1", "simulated"},
    {"newer than the library", [](Conditions& c) { c.chip = "GX100", c.chip_known = false; }, "unsupported_chip",
     "GX100", "newer CUDA toolkit"},
    {"mining processor", [](Conditions& c) { c.mining = Support::no; }, "unsupported_chip", "mining", "another GPU"},
    {"under Nsight", [](Conditions& c) { c.injected = "libcuda-injection.so"; }, "another_profiler",
     "libcuda-injection.so", "unset CUDA_INJECTION64_PATH"},
    {"MIG", [](Conditions& c) { c.mig = true; }, "mig", "MIG", "nvidia-smi -mig 0"},
    {"vGPU, switched off", [](Conditions& c) { c.vgpu = Support::disabled; }, "vgpu", "virtual", "enable_profiling=1"},
    {"vGPU, never", [](Conditions& c) { c.vgpu = Support::no; }, "vgpu", "virtual", "passthrough"},
    {"confidential", [](Conditions& c) { c.confidential = Support::no; }, "confidential", "confidential",
     "conf-compute"},
    {"SLI", [](Conditions& c) { c.sli = Support::no; }, "sli", "SLI", "SLI"},
    {"WSL, driver too old", [](Conditions& c) { c.wsl = true, c.wsl_support = Support::no; }, "wsl", "WSL2",
     "Developer Settings"},
    {"WSL, admin only", [](Conditions& c) { c.wsl = true, c.admin_only = true; }, "wsl", "WSL2", "Developer Settings"},
    {"WSL, open", [](Conditions& c) { c.wsl = true; }, "", "", ""},
    {"container without the capability", [](Conditions& c) { c.in_container = true, c.admin_only = true; }, "container",
     "SYS_ADMIN", "--cap-add=SYS_ADMIN"},
    {"container with it", [](Conditions& c) { c.in_container = c.administrator = true, c.admin_only = true; }, "", "",
     ""},
    {"container of an open driver", [](Conditions& c) { c.in_container = true; }, "", "", ""},
    {"admin only", [](Conditions& c) { c.admin_only = true; }, "admin_only", "RmProfilingAdminOnly",
     "NVreg_RestrictProfilingToAdminUsers=0"},
    {"admin only, as root", [](Conditions& c) { c.admin_only = c.administrator = true; }, "", "", ""},
    {"not known whether admin only", [](Conditions& c) { c.admin_only = std::nullopt; }, "", "", ""},
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CuptiProbe, EachConditionHasItsObstacleAndRemedy) {
  for (const Case& k : cases) {
    Conditions c = open();
    k.make(c);
    const auto obstacle = find_obstacle(c);
    ASSERT_EQ(obstacle ? obstacle->id : "", std::string(k.id)) << k.name;
    if (!obstacle) continue;
    EXPECT_TRUE(has(obstacle->message, k.says)) << k.name << ": " << obstacle->message;
    EXPECT_TRUE(has(obstacle->remedy, k.remedy)) << k.name << ": " << obstacle->remedy;
    EXPECT_FALSE(has(obstacle->message + obstacle->remedy, "\n")) << k.name;
  }
}

TEST(CuptiProbe, EveryObstacleIsTried) {
  for (const std::string& id : obstacle_ids())
    EXPECT_TRUE(std::any_of(std::begin(cases), std::end(cases), [&](const Case& k) { return id == k.id; })) << id;
}

TEST(CuptiProbe, ReadsTheDriversParameters) {
  EXPECT_EQ(admin_only_of("ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nEnableMSI: 1\n"), true);
  EXPECT_EQ(admin_only_of("RmProfilingAdminOnly: 0\n"), false);
  EXPECT_EQ(admin_only_of("EnableMSI: 1\n"), std::nullopt);
  EXPECT_EQ(admin_only_of("RmProfilingAdminOnly:"), std::nullopt);
  EXPECT_EQ(admin_only_of(""), std::nullopt);
}

TEST(CuptiProbe, ReadsCapabilities) {
  EXPECT_TRUE(capable("Name:\twarpspy\nCapEff:\t000001ffffffffff\n"));
  EXPECT_TRUE(capable("CapEff:\t0000000000200000\n"));   // SYS_ADMIN
  EXPECT_TRUE(capable("CapEff:\t0000004000000000\n"));   // PERFMON
  EXPECT_FALSE(capable("CapEff:\t00000000a80425fb\n"));  // Docker's usual set
  EXPECT_FALSE(capable(""));
}

TEST(CuptiProbe, TheLibraryOfTheDriversVersionComesFirst) {
  EXPECT_EQ(cupti_names(13000).front(), "libcupti.so.13");
  EXPECT_EQ(cupti_names(12060).front(), "libcupti.so.12");
  EXPECT_EQ(cupti_names(0).size(), 2u);
}

TEST(CuptiProbe, KnowsWhichToolkitALibraryIsOf) {
  const std::map<unsigned, int> known = {{24, 12060},     {26, 12080},     {28, 12090}, {130000, 13000},
                                         {130001, 13000}, {130100, 13010}, {20, 12020}, {3, 0}};
  for (const auto& [cupti, cuda] : known) EXPECT_EQ(cuda_of_cupti(cupti), cuda) << cupti;
}

TEST(CuptiProbe, GathersWithoutADevice) {
  const Conditions c = gather_conditions({}, 0);
  EXPECT_TRUE(cupti_library().available || find_obstacle(c)) << "no CUPTI, and no obstacle";
}

TEST(CuptiFailure, EachCodeSaysWhatItMeans) {
  struct Code {
    int code;
    const char *says, *remedy;
    bool all;
  };
  for (const Code& k :
       {Code{35, "may not read", "RestrictProfilingToAdminUsers", true},
        Code{26, "another profiler", "nvidia-smi", true}, Code{39, "another profiler", "nvidia-smi", true},
        Code{43, "MIG", "-mig 0", true}, Code{45, "WSL", "Developer Settings", true},
        Code{17, "no metric", "smaller set", false}, Code{999, "starting", "smaller set", false}}) {
    const CounterFailure f = counter_failure(k.code, "starting a pass", "CUPTI_ERROR_X");
    EXPECT_TRUE(has(f.reason, k.says)) << f.reason;
    EXPECT_TRUE(has(f.reason, "starting a pass: CUPTI_ERROR_X")) << f.reason;
    EXPECT_TRUE(has(f.remedy, k.remedy)) << f.remedy;
    EXPECT_EQ(f.for_all_sets, k.all) << k.code;
  }
}

}  // namespace
}  // namespace warpspy
