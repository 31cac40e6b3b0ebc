// assets/kernels/machine_code.json: that the model finds its code there, and that it is of the kernels of today.
#include "profiling/simulated/machine_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/convert/conversion.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/compiled_code.hpp"
#include "tests/paths.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";
constexpr const char* remedy =
    "make it again, by a build with code for 9.0: warpspy describe machine-code > assets/kernels/machine_code.json";

TEST(MachineCode, NamesAFunctionAsTheEmulatorNamesItsCode) {
  EXPECT_EQ(code_name("_ZN8warpspy212no_kernel_ofEv"), "");
  EXPECT_EQ(code_name("_ZN7warpspy11spmv_kernelINS_6on_gpu6ScaleYIfEEEEvT_b"), "ScaleY<float>");
  const std::string vector =
      "_ZN7warpspy11spmv_kernelINS_6on_gpu9CsrVector4CodeIfiiLi8ENS_6CachesISt17integral_constant"
      "INS_4simt11CachePolicyELS7_0EE";
  EXPECT_EQ(code_name(vector + "S8_S8_S8_EEEEEEvT_b"), "CsrVector::Code<float, int, int, 8, plain>");
  EXPECT_EQ(code_name(vector + "S5_IS7_LS7_2EES9_S9_EEEEEEvT_b"), "") << "it streams its matrix";
  using Vector = CsrVector::Code<float, std::int32_t, std::int32_t, 8, DynamicCaches>;
  EXPECT_EQ(code_name(typeid(Vector)), "CsrVector::Code<float, int, int, 8, plain>");
  EXPECT_EQ(code_name(typeid(ScaleY<float>)), "ScaleY<float>");
}

TEST(MachineCode, ComesBackFromItsFile) {
  const MachineCode code{"13.0.88",
                         {{"csr_vector", "abc"}},
                         {{"ScaleY<float>", 16}},
                         {{"ScaleY<float>", {{30, 2, 0, 0}}}, {"Axpy", {{115, 19, 1, 2}, {38, 12, 0, 0}}}}};
  const MachineCode back = machine_code_from_json(to_json(code), "file");
  EXPECT_EQ(back.toolkit, code.toolkit);
  EXPECT_EQ(back.kernels, code.kernels);
  EXPECT_EQ(back.registers, code.registers);
  EXPECT_EQ(back.parts, code.parts);
  EXPECT_EQ(back.registers_of("ScaleY<float>"), 16);
  EXPECT_EQ(back.registers_of("ScaleY<double>"), 0);
  EXPECT_THROW(machine_code_from_json("{}", "file"), Error);
  const char* cut = R"({"toolkit": "13", "kernels": {}, "registers": {}, "instructions": {"Axpy": "115 19 1"}})";
  EXPECT_THROW(machine_code_from_json(cut, "file"), Error);
  EXPECT_EQ(read_machine_code("no/such/folder").registers.size(), 0u);
}

TEST(MachineCode, OfTheAssetIsOfTheKernelsOfToday) {
  const MachineCode code = read_machine_code(assets);
  EXPECT_EQ(code.toolkit.find('-'), std::string::npos) << code.toolkit << ": not as users compile it. " << remedy;
  for (const KernelRow& row : kernels()) {
    if (!row.emulate) continue;
    ASSERT_TRUE(code.kernels.contains(row.info.id)) << row.info.id << ": " << remedy;
    EXPECT_EQ(code.kernels.at(row.info.id), kernel_code(row.info.id)) << row.info.id << ": " << remedy;
  }
}

TEST(MachineCode, SaysWhatAWarpIssues) {
  EXPECT_EQ(issued_by({{30, 2, 0, 0}}), (IssuedByWarp{0, 15})) << "no loops";
  // 100 in all, 40 for 12 steps and 20 for 3 in loops, 6 in one that has none: 34 outside, where 4 steps are.
  EXPECT_EQ(issued_by({{100, 17, 1, 1}, {40, 12, 0, 0}, {20, 2, 0, 1}, {6, 0, 0, 0}}), (IssuedByWarp{34 - 4 * 4.0, 4}));
  EXPECT_EQ(issued_by({{100, 30, 0, 0}, {90, 10, 0, 0}}).once, 0) << "never less than nothing";
  EXPECT_EQ(issued_by({}), IssuedByWarp{});
  EXPECT_EQ(IssuedByWarp({20, 4}).of(2, 10), 80);
}

TEST(MachineCode, TakesWhatAGpuCountedOfTheSameCode) {
  MachineCode code;
  code.kernels = {{"csr_scalar", "abc"}, {"csr_vector", "def"}};
  code.parts = {{"Scalar", {{100, 10, 0, 0}, {60, 6, 0, 0}}}};
  const auto kernels = [](const std::string& of) { return R"({"gpu": "a GPU", "kernels": {)" + of + "}}"; };
  take_counted(kernels(R"("csr_scalar": {"code": "abc", "times": 1.5}, "csr_vector": {"code": "old", "times": 2})"),
               "file", code);
  EXPECT_EQ(code.counted, (std::map<std::string, double, std::less<>>{{"csr_scalar", 1.5}}))
      << "the other kernel has changed since";
  EXPECT_EQ(code.issued_by("Scalar", "csr_scalar"), (IssuedByWarp{0, 15}));
  EXPECT_EQ(code.issued_by("Scalar", "csr_vector"), (IssuedByWarp{0, 10}));
  EXPECT_EQ(code.issued_by("Other", "csr_scalar"), IssuedByWarp{});
  EXPECT_THROW(take_counted("{}", "file", code), Error);
  EXPECT_THROW(take_counted(kernels(R"("csr_scalar": {"code": "abc", "times": 0})"), "file", code), Error);
}

// Kernels that have changed since they were counted are left out. If those are more than a quarter of 36, the asset is
// to be made again, which needs a GPU.
TEST(MachineCode, CountsOfTheAssetAreOfTheKernelsOfToday) {
  EXPECT_GE(read_machine_code(assets).counted.size(), 30u) << "count them again: scripts/counted";
}

TEST(MachineCode, TellsRegistersAndInstructionsOfEveryLaunchOfTheEmulator) {
  const MachineCode code = read_machine_code(assets);
  Progress progress;
  const Matrix matrices[] = {generate("fem_quad?nx=6&ny=5&degree=2", progress),
                             generate("laplace5?nx=50&ny=45", progress)};
  std::size_t launches = 0;
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    std::vector<ParamSpec> own;
    for (const ParamSpec& spec : kernel.info.params)
      if (spec.id != "x_cache" && spec.id != "matrix_cache" && spec.id != "overlap") own.push_back(spec);
    for (const Matrix& matrix : matrices)
      for (const Precision precision : {Precision::f32, Precision::f64})
        for (const ParamSet& params : testing::parameter_corners(own)) {
          auto p = testing::product_of(kernel, matrix, precision, params);
          if (!p) continue;
          p->inputs.machine_code = &code;
          const auto product = kernel.emulate(p->inputs);
          for (const LaunchShape& launch : product->launches()) {
            const std::string who = kernel.info.id + " " + name_of(precision);
            EXPECT_GT(launch.registers, 0) << who << ": " << remedy;
            EXPECT_TRUE(code.parts.contains(launch.code)) << who << " " << launch.code << ": " << remedy;
            EXPECT_EQ(launch.issued, code.issued_by(launch.code, kernel.info.id)) << who;
            ++launches;
          }
        }
  }
  EXPECT_GT(launches, 500u);
}

// Where nvcc made this program: the asset is what it made.
TEST(MachineCode, OfTheAssetIsThatOfThisProgram) {
  ASSERT_FALSE(conversions().empty());  // nothing else here links their code
  const MachineCode asset = read_machine_code(assets), here = compiled_machine_code();
  if (here.registers.empty())
    GTEST_SKIP() << "this program has no machine code of 9.0: " << text_of(compiled_gpu_code());
  if (here.toolkit != asset.toolkit)
    GTEST_SKIP() << "the asset was made by nvcc " << asset.toolkit << ", and this program by " << here.toolkit;
  EXPECT_EQ(here.registers, asset.registers) << remedy;
  EXPECT_EQ(here.parts, asset.parts) << remedy;
}

}  // namespace
}  // namespace warpspy
