#include "kernels/table/kernel_code.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/table/table.hpp"

namespace warpspy {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

const Files files = {
    {"one.hpp",
     "// One.\n#include \"kernels/spmv/parts.hpp\"\nstruct One {\n  static constexpr bool overlaps = true;\n"
     "  static constexpr int host(int i) { if (i > 0) return 1; return 2; }\n"
     "  static constexpr int unroll = 4;\n  struct Code {\n    static constexpr int threads_at_most = 256;\n"
     "    SIMT_DEVICE void operator()(Thread t) const {\n      // Adds up.\n"
     "      for (int i = 0; i < unroll; ++i) sum_of(t, 1'000, 1e-3F);\n    }\n  };\n"
     "  static KernelInfo info() { return {\"one\", \"One\", \"Helps.\"}; }\n};\n"},
    {"parts.hpp", "SIMT_DEVICE void sum_of(int a) { b = {a}; }\nSIMT_DEVICE void unused() { c = 1; }\n"}};

std::string code_of(Files given, const std::string& file = "", const std::string& what = "",
                    const std::string& by = "") {
  if (!file.empty()) {
    std::string& text = given.at(file);
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
  }
  return device_code("one", [&](std::string_view name) -> std::string_view {
    const auto at = given.find(name);
    return at == given.end() ? std::string_view{} : at->second;
  });
}

TEST(KernelCode, HasWhatAGpuRuns) {
  EXPECT_EQ(code_of(files),
            "SIMT_DEVICE void sum_of ( int a ) { b = { a } ; } static constexpr int unroll = 4 ; "
            "static constexpr int threads_at_most = 256 ; SIMT_DEVICE void operator ( ) ( Thread t ) const { "
            "for ( int i = 0 ; i < unroll ; + + i ) sum_of ( t , 1'000 , 1e-3F ) ; } ");
}

TEST(KernelCode, IsTheSameWhateverIsSaidOfIt) {
  const std::string code = code_of(files);
  EXPECT_EQ(code_of(files, "one.hpp", "// Adds up.", "/* Adds\n up */"), code);
  EXPECT_EQ(code_of(files, "one.hpp", "(int i = 0; i", "(int i=0;\n\ti"), code);
  EXPECT_EQ(code_of(files, "one.hpp", "Helps.", "Helps { more."), code);
  EXPECT_EQ(code_of(files, "one.hpp", "overlaps = true", "overlaps = false"), code);
  EXPECT_EQ(code_of(files, "parts.hpp", "c = 1", "c = 2"), code) << "nobody calls it";
  EXPECT_EQ(code_of(files, "one.hpp", "return 1", "return 3"), code) << "no GPU calls it";
}

TEST(KernelCode, IsAnotherOneWhenTheGpuDoesSomethingElse) {
  const std::string code = code_of(files);
  EXPECT_NE(code_of(files, "one.hpp", "++i", "i += 2"), code);
  EXPECT_NE(code_of(files, "one.hpp", "unroll = 4", "unroll = 8"), code);
  EXPECT_NE(code_of(files, "one.hpp", "most = 256", "most = 512"), code);
  EXPECT_NE(code_of(files, "parts.hpp", "{a}", "{a + 1}"), code);
}

TEST(KernelCode, EveryKernelOfOursHasOne) {
  for (const KernelRow& row : kernels()) EXPECT_EQ(kernel_code(row.info.id).empty(), !row.emulate) << row.info.id;
  EXPECT_EQ(kernel_code("csr_vector").size(), 32u);
  EXPECT_NE(kernel_code("csr_vector"), kernel_code("csr_scalar"));
  EXPECT_EQ(kernel_code("no_such_kernel"), "");
}

}  // namespace
}  // namespace warpspy
