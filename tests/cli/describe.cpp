// What a system is told of the program when it is installed: man page, MIME types, desktop entry, version.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>

#include "core/formats/format.hpp"
#include "core/gpu/gpu_spec.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "tests/cli/program.hpp"
#include "tests/paths.hpp"

namespace {

using warpspy::testing::content_of;
using warpspy::testing::has;
using warpspy::testing::scratch;
using warpspy::testing::warpspy;

// Whether a tool that checks such a file finds nothing to say; skipped where there is none.
#define EXPECT_CLEAN(tool, command, text, ending)                                                          \
  do {                                                                                                     \
    if (std::system("command -v " tool " >/dev/null") != 0) GTEST_SKIP() << tool " is not installed";      \
    const std::string file = scratch("described") + ending, said = scratch("said");                        \
    std::ofstream(file) << (text);                                                                         \
    const int code = std::system((std::string(command) + " '" + file + "' >'" + said + "' 2>&1").c_str()); \
    EXPECT_EQ(code, 0) << content_of(said);                                                                \
    EXPECT_EQ(content_of(said), "");                                                                       \
    std::remove(file.c_str());                                                                             \
    std::remove(said.c_str());                                                                             \
  } while (false)

TEST(Describe, TheManPageHasEveryCommandAndEveryOptionOfItsHelp) {
  const std::string page = std::regex_replace(warpspy("describe man").out, std::regex(R"(\\)"), "");
  const std::string help = warpspy("--help").out;
  const std::regex command_line(R"(\n  warpspy ([a-z]+) )"), option(R"((?:^|[\s,])(--[a-z-]+))");
  int commands = 0, options = 0;
  for (std::sregex_iterator at(help.begin(), help.end(), command_line), end; at != end; ++at, ++commands) {
    const std::string name = (*at)[1];
    const auto start = page.find(".SS warpspy " + name + "\n");
    ASSERT_NE(start, std::string::npos) << name;
    // Up to the next command; those below this one belong to it.
    auto stop = page.find("\n.SS warpspy ", start + 1);
    while (stop != std::string::npos && page.compare(stop + 13, name.size() + 1, name + " ") == 0)
      stop = page.find("\n.SS warpspy ", stop + 1);
    const std::string section = page.substr(start, stop - start), told = warpspy(name + " --help").out;
    for (std::sregex_iterator o(told.begin(), told.end(), option); o != end; ++o) {
      if ((*o)[1] == "--help") continue;
      EXPECT_TRUE(has(section, (*o)[1])) << name << " " << (*o)[1];
      ++options;
    }
  }
  EXPECT_GT(commands, 10);
  EXPECT_GT(options, 50);
}

// So that no page has a list of its own.
TEST(Describe, TheManPageListsEveryFormatKernelAndSimulatedGpu) {
  const std::string page = std::regex_replace(warpspy("describe man").out, std::regex(R"(\\)"), "");
  for (const auto& format : warpspy::formats())
    EXPECT_TRUE(has(page, "\n.TP\nfB" + format.info.id + "fR\n" + format.info.label + ". ")) << format.info.id;
  std::ifstream list(WARPSPY_SOURCE_DIR "/kernels/table/kernels.list");
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && line[0] != '#') {
      EXPECT_TRUE(has(page, "\n.TP\nfB" + line + "fR\n")) << line;
    }
  for (const auto& gpu : warpspy::read_gpu_specs(WARPSPY_SOURCE_DIR "/assets/gpus"))
    EXPECT_TRUE(has(page, "\n.TP\nfBsim:" + gpu.id + "fR\n" + gpu.name)) << gpu.id;
}

TEST(Describe, GroffTakesTheManPage) {
  EXPECT_CLEAN("groff", "groff -man -Tutf8 -ww -z", warpspy("describe man").out, ".1");
}

TEST(Describe, EveryReaderHasAType) {
  const std::string xml = warpspy("describe mime").out, desktop = warpspy("describe desktop").out;
  const std::regex type("mime-type type=\"([^\"]+)\"");
  int types = 0;
  for (std::sregex_iterator at(xml.begin(), xml.end(), type), end; at != end; ++at, ++types)
    EXPECT_TRUE(has(desktop, (*at)[1].str() + ";")) << (*at)[1];
  EXPECT_GE(types, 4);
  for (const auto& reader : warpspy::matrix_readers())
    if (const auto endings = warpspy::words_of(reader.extensions); !endings.empty() && endings[0] != ".txt") {
      EXPECT_TRUE(has(xml, "<glob pattern=\"*" + std::string(endings[0]) + "\"/>")) << reader.id;
    }
  EXPECT_FALSE(has(xml, "*.txt"));
}

TEST(Describe, XmllintTakesTheTypes) {
  EXPECT_CLEAN("xmllint", "xmllint --noout", warpspy("describe mime").out, ".xml");
}

TEST(Describe, TheDesktopEntryIsValid) {
  EXPECT_CLEAN("desktop-file-validate", "desktop-file-validate", warpspy("describe desktop").out, ".desktop");
}

TEST(Describe, TheVersionTellsWhatAReportNeeds) {
  const auto told = warpspy("--version");
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(std::regex_search(told.out, std::regex(R"(^warpspy [0-9]+\.[0-9]+\.[0-9]+\n)"))) << told.out;
  EXPECT_TRUE(std::regex_search(told.out, std::regex(R"(\ncommit +([0-9a-f]{12}|unknown)\n)"))) << told.out;
  for (const char* line : {"\ncompilers  ", "\nGPU code   ", "\nlibraries  "})
    EXPECT_TRUE(has(told.out, line)) << told.out;
}

}  // namespace
