// assets/kernels/machine_code.json: that the model finds its code there, and that it is of the kernels of today.
#include "profiling/simulated/machine_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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
  for (const KernelRow& row : kernels()) {
    if (!row.emulate) continue;
    ASSERT_TRUE(code.kernels.contains(row.info.id)) << row.info.id << ": " << remedy;
    EXPECT_EQ(code.kernels.at(row.info.id), kernel_code(row.info.id)) << row.info.id << ": " << remedy;
  }
}

// What a kernel says that a warp issues for each step is what a GPU counted of some matrices, or nobody counted it.
// Each of its codes has so many for each step of a loop that reads memory, and so many when all of it runs once. A
// matrix of short rows, whose loops end at once, takes more; where a branch goes past most of the code, fewer. All that
// were counted lie within this of the fewest and the most; the farthest is CSR packs, 13 where its loops have 6.
constexpr double counted_beside_code = 2.2;

struct Bracket {
  double least = 0, most = 0;
};
Bracket of_loops(const std::vector<CodePart>& parts, int CodePart::* reads) {
  Bracket b{1e9, 0};
  for (const CodePart& p : parts) {
    if (p.*reads == 0) continue;
    const double each = static_cast<double>(p.instructions) / p.steps();
    b = {std::min(b.least, each), std::max(b.most, each)};
  }
  return b;
}

void expect_near_its_code(const LaunchShape& launch, const MachineCode& code, const std::string& who) {
  const auto at = code.parts.find(launch.code);
  ASSERT_NE(at, code.parts.end()) << who << " " << launch.code << ": " << remedy;
  const Bracket all = of_loops(at->second, &CodePart::memory);
  EXPECT_GT(launch.instructions * counted_beside_code, all.least) << who << " " << launch.code;
  EXPECT_LT(launch.instructions, all.most * counted_beside_code) << who << " " << launch.code;
  if (launch.shared_instructions == 0) return;
  const Bracket shared = of_loops(at->second, &CodePart::shared);
  EXPECT_GT(launch.shared_instructions * counted_beside_code, shared.least) << who << " " << launch.code;
  EXPECT_LT(launch.shared_instructions, shared.most * counted_beside_code) << who << " " << launch.code;
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
            expect_near_its_code(launch, code, who);
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
  EXPECT_EQ(here.parts, asset.parts) << remedy;
}

}  // namespace
}  // namespace warpspy
