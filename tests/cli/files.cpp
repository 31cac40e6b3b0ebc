// Files with odd names and contents, from the command line: always an answer, and JSON that can be read.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

std::string written(const std::string& name, const std::string& text) {
  const std::string path = scratch(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

const std::string kComplex = "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 3 4\n2 2 1 0\n";

TEST(Files, NamesThatAreNotUtf8) {
  const std::string good = written("\xff\xfe.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
  const std::string bad = written("\xc3(.mtx", "nonsense \xff\xfe");
  const Ran info = warpspy("info '" + good + "' --json");
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(json::parse(info.out).at("nnz"), 1);
  for (const std::string& args : {"info '" + bad + "' --json", "run '" + bad + "' --json",
                                  "formats '" + bad + "' --json", std::string("info 'no\xffthing.mtx' --json"),
                                  std::string("run 'gen:\xff' --json"), std::string("info --\xff --json")}) {
    const Ran r = warpspy(args);
    EXPECT_TRUE(r.code == 1 || r.code == 2) << r.code << " " << r.err;
    EXPECT_TRUE(json::parse(r.err).contains("error")) << r.err;
  }
  // Kept in the history, and shown again.
  const std::string history = scratch("runs.sqlite");
  const Ran run = warpspy("run '" + good + "' --json", "WARPSPY_RUNS='" + history + "'");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(json::parse(run.out).is_object());
  const Ran runs = warpspy("runs --json", "WARPSPY_RUNS='" + history + "'");
  EXPECT_EQ(runs.code, 0) << runs.err;
  EXPECT_FALSE(json::parse(runs.out).empty());
  for (const std::string& path : {good, bad, history}) std::remove(path.c_str());
}

TEST(Files, WhereNothingMoreCanBeWrittenTheOldFileStays) {
  for (const std::string what : {"generate 'laplace5?nx=200&ny=200'", "spy 'gen:laplace5?nx=60'"}) {
    const std::string path = scratch("full.csv");
    std::ofstream(path) << "old";
    const Ran r = warpspy(what + " -o '" + path + "'", "WARPSPY_RUNS=off; export WARPSPY_RUNS; ulimit -f 1;");
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(has(r.err, path + ": cannot write the file: File too large")) << r.err;
    EXPECT_EQ(content_of(path), "old");
    std::filesystem::remove(path);
  }
}

TEST(Files, ConvertDropsNothingUnasked) {
  const std::string path = written("complex.mtx", kComplex), out = scratch("out.npz");
  const std::string args = "convert '" + path + "' --to csr -o '" + out + "'";
  const Ran refused = warpspy(args);
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "complex") && has(refused.err, "--view")) << refused.err;
  EXPECT_TRUE(content_of(out).empty());
  const Ran real = warpspy(args + " --view real");
  EXPECT_EQ(real.code, 0) << real.err;
  const std::string bytes = content_of(out);
  EXPECT_EQ(warpspy(args + " --view modulus").code, 0);
  EXPECT_NE(content_of(out), bytes) << "|3+4i| is not 3";
  for (const std::string& p : {path, out}) std::remove(p.c_str());
}

TEST(Files, AProductDropsNoImaginaryPartsUnasked) {
  const std::string path = written("complex.mtx", kComplex);
  for (const std::string command : {"run", "tune"}) {
    const std::string args = command + " '" + path + "' --device sim:h200 --json";
    const Ran refused = warpspy(args);
    EXPECT_EQ(refused.code, 1) << command;
    EXPECT_TRUE(has(refused.err, "complex") && has(refused.err, "--view")) << refused.err;
    const Ran real = warpspy(args + " --view modulus");
    EXPECT_EQ(real.code, 0) << real.err;
    EXPECT_EQ(json::parse(real.out).is_object(), true);
  }
  std::remove(path.c_str());
}

// An .xz whose header asks for a dictionary of 4 GiB, for a matrix of one entry.
const char kWideXz[] =
    "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x28\x00\x00\x00\xe6\xa0\x11\xb3\xe0"
    "\x00\x39\x00\x34\x5d\x00\x12\xe1\x30\xc2\x74\x38\x61\xde\x3a\x4b\x4f\x5f\x43\xe3\xfb\x8b\xa8\x9a\x11"
    "\xc8\x87\x49\xad\x30\xf2\x34\xb6\xb2\x4a\xbd\x60\xea\x3e\xc8\xf8\x15\x1e\x52\xd0\xda\xed\x47\x37\x4a"
    "\xdb\x84\x94\x03\x72\x50\x74\x00\x00\x1c\x37\xf7\x9d\x3c\x83\xb0\xf5\x00\x01\x50\x3a\xcd\x31\x31\x5c"
    "\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a";

TEST(Files, ADictionaryIsRefusedThatDoesNotFit) {
  const std::string path = written("wide.mtx.xz", std::string(kWideXz, sizeof kWideXz - 1));
  const Ran refused = warpspy("info '" + path + "'", "WARPSPY_MEMORY=256MiB");
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "4.3 GB") && has(refused.err, "dictionary")) << refused.err;
  const Ran fits = warpspy("info '" + path + "'", "WARPSPY_MEMORY=8GiB");
  EXPECT_EQ(fits.code, 0) << fits.err;
  std::remove(path.c_str());
}

// Infinity times anything is beyond any bound: the row cannot be held against the reference, and that is said.
TEST(Files, RowsLeftOutOfTheCheckAreTold) {
  const std::string path =
      written("inf.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 inf\n2 2 1\n3 3 nan\n");
  const Ran as_json = warpspy("run '" + path + "' --device sim:h200 --json"),
            text = warpspy("run '" + path + "' --device sim:h200");
  ASSERT_EQ(as_json.code, 0) << as_json.err;
  const json r = json::parse(as_json.out);
  EXPECT_TRUE(has(r.dump(), "2 rows were not checked")) << r.dump(1);
  EXPECT_TRUE(has(r.dump(), "\"rows_left_out\":2")) << r.dump(1);
  EXPECT_TRUE(has(text.out, "2 rows were not checked")) << text.out;
  std::remove(path.c_str());
}

// One shape, for one kernel and for several.
TEST(Files, RunsAreOneDocument) {
  for (const char* kernels : {"csr_vector", "csr_vector,ell"}) {
    const Ran r = warpspy(std::string("run 'gen:laplace5?nx=8' --device sim:h200 --json --kernel ") + kernels);
    ASSERT_EQ(r.code, 0) << r.err;
    const json j = json::parse(r.out);
    EXPECT_EQ(j.at("schema"), "warpspy-runs-1");
    EXPECT_EQ(j.at("runs").size(), has(kernels, ",") ? 2u : 1u);
    EXPECT_EQ(j.at("runs").at(0).at("request").at("kernel"), "csr_vector");
  }
}

TEST(Files, SeveralAreToldOfAndOneThatIsNoneHidesNoOther) {
  const Ran text = warpspy("info 'gen:laplace5?nx=8&ny=8' gone.mtx 'gen:laplace5?nx=9&ny=9'");
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(has(text.out, "64 x 64") && has(text.out, "81 x 81")) << text.out;
  EXPECT_TRUE(has(text.err, "gone.mtx")) << text.err;
  const Ran both = warpspy("info 'gen:laplace5?nx=8&ny=8' 'gen:laplace5?nx=9&ny=9' --json");
  EXPECT_EQ(both.code, 0) << both.err;
  std::istringstream in(both.out);
  json first, second;
  in >> first >> second;
  EXPECT_EQ(first.at("rows"), 64);
  EXPECT_EQ(second.at("rows"), 81);
}

TEST(Files, StandardInputIsOne) {
  const std::string path = written("in.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  const std::string out = scratch("stdin");
  for (const std::string& args : {std::string("info - --json"), "spy - -o '" + out + ".csv'",
                                  std::string("run - --device sim:h200 --depth quick --json")}) {
    const std::string line = "WARPSPY_CACHE=off WARPSPY_RUNS=off '" + std::string(WARPSPY_PROGRAM) + "' " + args +
                             " <'" + path + "' >'" + out + "' 2>'" + out + ".err'";
    EXPECT_EQ(std::system(line.c_str()), 0) << args << content_of(out + ".err");
    EXPECT_TRUE(has(content_of(out), "\"standard input\"") || args.starts_with("spy")) << args << content_of(out);
  }
  for (const std::string& file : {path, out, out + ".csv", out + ".err"}) std::remove(file.c_str());
}

// Nothing that is kept or told names the file that held it meanwhile.
TEST(Files, StandardInputIsCalledSo) {
  const std::string path = written("in.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  const std::string folder = scratch("stdin_kept"), history = "WARPSPY_RUNS='" + folder + "/runs.sqlite'";
  std::filesystem::create_directories(folder);
  const auto given = [&](const std::string& args, const std::string& file) {
    const std::string line = "WARPSPY_CACHE=off " + history + " '" + WARPSPY_PROGRAM + "' " + args + " <'" + file +
                             "' >'" + folder + "/out' 2>&1";
    const int status = std::system(line.c_str());
    return Ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder + "/out"), ""};
  };
  const std::string figure = "'" + folder + "/a.svg'";
  EXPECT_EQ(given("run - --device sim:h200 --depth quick", path).code, 0);
  EXPECT_EQ(given("spy - -o " + figure, path).code, 0);
  for (const auto& [args, says] :
       {std::pair<std::string, std::string>{"runs show 1", "standard input"},
        {"runs --json", R"("source": "standard input")"},
        {"runs repeat 1", "came on standard input"},
        {"figure " + figure, "warpspy spy -"},
        {"figure " + figure, "matrix      standard input"},
        {"info -", "standard input"},
        {"sweep --matrix - --kernel ell -o '" + folder + "/s'", "write it to a file first"}}) {
    const Ran r = given(args, "/dev/null");
    EXPECT_TRUE(has(r.out, says)) << args << ": " << r.out;
    EXPECT_FALSE(has(r.out, "warpspy-")) << args << ": " << r.out;
  }
  std::filesystem::remove_all(folder);
  std::remove(path.c_str());
}

TEST(Files, OptionsBehindTheNameAreHelpedWith) {
  const Ran help = warpspy("info --help");
  EXPECT_TRUE(has(help.out, "undirected=1")) << help.out;
  const std::string path = written("list.txt", "0 1\n1 2\n");
  const Ran r = warpspy("info '" + path + "?undirected=1' --json");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(json::parse(r.out).at("nnz"), 4);
  EXPECT_EQ(warpspy("info '" + path + "?undirected=3' --json").code, 1);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace warpspy::testing
