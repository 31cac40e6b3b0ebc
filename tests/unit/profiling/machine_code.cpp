// assets/kernels/machine_code.json: that the model finds its code there, and that it is of the kernels of today.
#include "profiling/simulated/machine_code.hpp"

#include <gtest/gtest.h>

#include <string>

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
  const MachineCode code{"13.0.88", {{"csr_vector", "abc"}}, {{"ScaleY<float>", 16}}};
  const MachineCode back = machine_code_from_json(to_json(code), "file");
  EXPECT_EQ(back.toolkit, code.toolkit);
  EXPECT_EQ(back.kernels, code.kernels);
  EXPECT_EQ(back.registers, code.registers);
  EXPECT_EQ(back.registers_of("ScaleY<float>"), 16);
  EXPECT_EQ(back.registers_of("ScaleY<double>"), 0);
  EXPECT_THROW(machine_code_from_json("{}", "file"), Error);
  EXPECT_EQ(read_machine_code("no/such/folder").registers.size(), 0u);
}

TEST(MachineCode, OfTheAssetIsOfTheKernelsOfToday) {
  const MachineCode code = read_machine_code(assets);
  for (const KernelRow& row : kernels()) {
    if (!row.emulate) continue;
    ASSERT_TRUE(code.kernels.contains(row.info.id)) << row.info.id << ": " << remedy;
    EXPECT_EQ(code.kernels.at(row.info.id), kernel_code(row.info.id)) << row.info.id << ": " << remedy;
  }
}

TEST(MachineCode, TellsTheRegistersOfEveryLaunchOfTheEmulator) {
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
            EXPECT_GT(launch.registers, 0) << kernel.info.id << " " << name_of(precision) << ": " << remedy;
            ++launches;
          }
        }
  }
  EXPECT_GT(launches, 500u);
}

// Where nvcc made this program: the asset is what it made.
TEST(MachineCode, OfTheAssetIsThatOfThisProgram) {
  const MachineCode asset = read_machine_code(assets), here = compiled_machine_code();
  if (here.registers.empty())
    GTEST_SKIP() << "this program has no machine code of 9.0: " << text_of(compiled_gpu_code());
  if (here.toolkit != asset.toolkit)
    GTEST_SKIP() << "the asset was made by nvcc " << asset.toolkit << ", and this program by " << here.toolkit;
  EXPECT_EQ(here.registers, asset.registers) << remedy;
}

}  // namespace
}  // namespace warpspy
