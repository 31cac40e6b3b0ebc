// formats, convert and layout from the command line: names of the JSON, the memory budget, the pictures.
#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"
#include "core/formats/budget.hpp"
#include "program.hpp"

namespace warpspy::testing {
namespace {

using nlohmann::json;

json formats_json(const std::string& args) {
  const Ran r = warpspy("formats " + args + " --json");
  EXPECT_EQ(r.code, 0) << r.err;
  return r.code == 0 ? json::parse(r.out) : json::array();
}

json row_of(const json& list, const std::string& id) {
  for (const json& row : list)
    if (row.at("format") == id) return row;
  ADD_FAILURE() << "no row " << id;
  return {};
}

// Every row has the same names, whatever the matrix; a size that there is none of is null, with the reason.
TEST(FormatsCommand, EveryRowHasTheNames) {
  for (const char* matrix : {"'gen:laplace5?nx=20&ny=20'", "'gen:random?rows=30&cols=20&per_row=3'",
                             "'gen:fem_quad?nx=4&ny=3'", "'gen:random?rows=5&cols=5&per_row=0'"}) {
    const json list = formats_json(matrix);
    EXPECT_EQ(list.size(), formats().size());
    for (const json& row : list) {
      SCOPED_TRACE(std::string(matrix) + " " + row.at("format").get<std::string>());
      EXPECT_TRUE(row.at("params").is_object());
      EXPECT_TRUE(row.at("fits").is_boolean());
      EXPECT_TRUE(row.at("reason").is_string());
      EXPECT_EQ(row.at("fits").get<bool>(), row.at("reason").get<std::string>().empty());
      const bool possible = !row.at("bytes").is_null();
      for (const char* name :
           {"bytes", "values_bytes", "index_bytes", "pointer_bytes", "padding_entries", "minimum_bytes_per_product"})
        EXPECT_TRUE(possible ? row.at(name).is_number_integer() : row.at(name).is_null()) << name;
      EXPECT_TRUE(possible ? row.at("padding_ratio").is_number() : row.at("padding_ratio").is_null());
      if (!possible) {
        EXPECT_FALSE(row.at("fits").get<bool>());
        continue;
      }
      const auto bytes = [&](const char* name) { return row.at(name).get<std::size_t>(); };
      EXPECT_EQ(bytes("values_bytes") + bytes("index_bytes") + bytes("pointer_bytes"), bytes("bytes"));
      // All of it, but for padding that can be skipped: a value and an index each at most.
      EXPECT_GE(bytes("minimum_bytes_per_product") + 16 * bytes("padding_entries"), bytes("bytes"));
    }
  }
}

// What a GPU would take to make each format.
TEST(FormatsCommand, FormatsAreMadeOnAModelledGpuToo) {
  const json list = formats_json("'gen:laplace5?nx=20&ny=20' --precision f32 --build --device sim:gtx280");
  int made = 0;
  for (const json& row : list) {
    if (!row.contains("made_on")) continue;
    const json& there = row.at("made_on");
    SCOPED_TRACE(row.at("format").get<std::string>());
    EXPECT_EQ(there.at("device"), "sim:gtx280");
    if (there.at("us").is_null()) {
      EXPECT_NE(there.at("reason").get<std::string>(), "");
      continue;
    }
    EXPECT_GT(there.at("us").get<double>(), 0);
    EXPECT_EQ(there.at("provenance"), "modelled");
    EXPECT_FALSE(there.contains("as_on_host")) << "the emulator is held by a test of its own";
    ++made;
  }
  EXPECT_GE(made, 8);
  EXPECT_NE(row_of(list, "csc").at("made_on").at("reason").get<std::string>().find("not emulated"), std::string::npos);
  EXPECT_FALSE(row_of(list, "csr").contains("made_on")) << "it is there already";
  const Ran alone = warpspy("formats 'gen:laplace5?nx=20&ny=20' --device sim:h200");
  EXPECT_NE(alone.code, 0);
  EXPECT_NE(alone.err.find("add --build"), std::string::npos) << alone.err;
}

TEST(FormatsCommand, HybridsTellTheirShares) {
  const json list = formats_json("'gen:powerlaw?rows=20000' --param stop_rows=16 --param depth=3");
  const json hyb = row_of(list, "hyb"), hyb_r = row_of(list, "hyb_r"), evc = row_of(list, "evc_hyb");
  EXPECT_NEAR(hyb.at("ell_share").get<double>() + hyb.at("coo_share").get<double>(), 1, 1e-12);
  EXPECT_TRUE(hyb.at("k").is_number_integer());
  double sum = hyb_r.at("coo_share").get<double>();
  const int parts = hyb_r.at("depth").get<int>();
  EXPECT_GE(parts, 2);
  for (int k = 1; k <= parts; ++k) sum += hyb_r.at("ell" + std::to_string(k) + "_share").get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  const Ran info = warpspy("info 'gen:powerlaw?rows=20000' --json");
  const auto nnz = json::parse(info.out).at("nnz").get<std::int64_t>();
  const auto whole = [&](const char* name) {
    EXPECT_TRUE(evc.at(name).is_number_integer()) << name;
    return evc.at(name).get<std::int64_t>();
  };
  EXPECT_EQ(whole("nnz_ell") + whole("nnz_csr"), nnz + whole("nnz_added"));
  EXPECT_EQ(whole("nnz_added"), evc.at("padding_entries").get<std::int64_t>());
  EXPECT_EQ(whole("split_row") % 32, 0);
}

TEST(FormatsCommand, BuildTimesAndVerifiesEveryFormat) {
  for (const char* matrix : {"'gen:laplace5?nx=30&ny=20'", "'gen:fem_quad?nx=9&ny=7&degree=3'"})
    for (const char* precision : {"f32", "f64"})
      for (const json& row : formats_json(std::string(matrix) + " --build --precision " + precision)) {
        SCOPED_TRACE(std::string(matrix) + " " + precision + " " + row.at("format").get<std::string>());
        EXPECT_EQ(row.contains("verified"), row.at("fits").get<bool>());
        if (!row.contains("verified")) continue;
        EXPECT_TRUE(row.at("verified").get<bool>());
        EXPECT_GT(row.at("conversion_ms").get<double>(), 0);
      }
}

// The matrix has 20,000 rows, one of them dense: ELL takes 20,000 x 20,000 slots.
const char* const kDwarf = "'gen:arrow?n=20000'";

TEST(MemoryBudget, RefusalsSayTheSizeTheLimitItsSourceAndWhatFits) {
  for (const auto& [option, whose] : {std::pair{"--host-memory", "the host's"}, {"--device-memory", "the device's"}}) {
    const std::string args = std::string(kDwarf) + " " + option + " 100MB";
    const json list = formats_json(args);
    const json ell = row_of(list, "ell");
    const auto bytes = ell.at("bytes").get<double>();
    ASSERT_GT(bytes, 100e6);
    std::string smallest;
    double least = 1e300;
    for (const json& row : list)
      if (row.at("fits").get<bool>() && !format_row(row.at("format").get<std::string>()).slow_estimate &&
          row.at("bytes").get<double>() < least)
        least = row.at("bytes").get<double>(), smallest = row.at("format").get<std::string>();
    EXPECT_EQ(ell.at("reason").get<std::string>().rfind("needs " + byte_text(bytes) + " and " + whose +
                                                            " limit is 100 MB (memory budget set by you); these fit: " +
                                                            smallest + " (" + byte_text(least) + ")",
                                                        0),
              0u)
        << ell.at("reason");
    EXPECT_TRUE(row_of(list, "csr").at("fits").get<bool>());
    // The same words where the conversion is asked for, and nothing is written.
    const std::string npz = scratch("ell.npz");
    const Ran r = warpspy("convert " + args + " --to ell -o '" + npz + "'");
    EXPECT_EQ(r.code, 1);
    EXPECT_TRUE(has(r.err, "format ell needs " + byte_text(bytes))) << r.err;
    EXPECT_TRUE(has(r.err, std::string(whose) + " limit is 100 MB (memory budget set by you)")) << r.err;
    EXPECT_TRUE(has(r.err, "these fit: " + smallest)) << r.err;
    EXPECT_TRUE(content_of(npz).empty());
    // And where a kernel wants the format.
    const Ran run = warpspy("run " + args + " --kernel ell --device sim:h200");
    EXPECT_EQ(run.code, 1);
    EXPECT_TRUE(has(run.err, "format ell needs")) << run.err;
    EXPECT_TRUE(has(run.err, "set by you")) << run.err;
    EXPECT_TRUE(has(run.err, "these fit: ")) << run.err;
  }
}

TEST(MemoryBudget, WithoutOneTheDevicesMemoryIsTheLimit) {
  const Ran r = warpspy(std::string("run ") + kDwarf + " --kernel ell --device sim:gtx280");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "the device's limit is 1.1 GB (memory of GeForce GTX 280 less ")) << r.err;
  EXPECT_TRUE(has(r.err, "for x and y)")) << r.err;
}

TEST(MemoryBudget, NothingFitsIntoAByte) {
  const json list = formats_json("'gen:laplace5?nx=9&ny=9' --host-memory 1");
  for (const json& row : list) {
    EXPECT_FALSE(row.at("fits").get<bool>());
    if (!row.at("bytes").is_null()) {
      EXPECT_TRUE(has(row.at("reason"), "no format fits: raise the memory budget")) << row.at("reason");
    }
  }
}

TEST(MemoryBudget, SizesThatAreNotUnderstoodAreRefused) {
  for (const char* bad : {"0", "-1GiB", "four", "4 gibs", "1e30", "nan", "GiB", "''"}) {
    const std::string given = std::string("--host-memory=") + bad;
    const Ran r =
        warpspy("formats 'gen:laplace5?nx=9&ny=9' " + (std::string(bad) == "4 gibs" ? "'" + given + "'" : given));
    EXPECT_NE(r.code, 0) << bad;
    if (std::string(bad) != "''") {
      EXPECT_TRUE(has(r.err, "--host-memory")) << r.err;
      EXPECT_TRUE(has(r.err, "4GiB")) << r.err;
    }
  }
}

TEST(LayoutCommand, WritesEveryKindOfPicture) {
  struct Kind {
    const char *ending, *begins;
  };
  for (const Kind& kind : {Kind{"svg", "<?xml"}, {"pdf", "%PDF"}, {"png", "\x89PNG"}})
    for (const char* what : {"", " --padding"}) {
      const std::string out = scratch(std::string("layout.") + kind.ending);
      const Ran r = warpspy("layout 'gen:laplace5?nx=3&ny=3' --format hyb --param k=3 -o '" + out + "'" + what);
      EXPECT_EQ(r.code, 0) << r.err;
      const std::string content = content_of(out);
      EXPECT_EQ(content.rfind(kind.begins, 0), 0u) << kind.ending << what;
      std::remove(out.c_str());
    }
}

TEST(LayoutCommand, PrintsArraysOfSmallMatricesAndPaddingOfLargeOnes) {
  const auto numbers = [](const std::string& args) {
    const std::string out = scratch("layout.csv");
    const Ran r = warpspy("layout " + args + " -o '" + out + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    const std::string content = content_of(out);
    std::remove(out.c_str());
    return content;
  };
  const std::string arrays = numbers("'gen:laplace5?nx=3&ny=3' --format ell");
  EXPECT_EQ(arrays, numbers("'gen:laplace5?nx=3&ny=3' --format ell --arrays"));
  const std::string padding = numbers("'gen:laplace5?nx=3&ny=3' --format ell --padding");
  EXPECT_NE(arrays, padding);
  EXPECT_EQ(padding.rfind("first_row,rows,entries,padding", 0), 0u) << padding;
  EXPECT_EQ(arrays.rfind("array,slot,row,column", 0), 0u) << arrays;
  EXPECT_EQ(numbers("'gen:powerlaw?rows=3000' --format hyb").rfind("first_row,", 0), 0u);
}

TEST(LayoutCommand, RefusesWhatHasNoPicture) {
  struct Case {
    const char *args, *says;
  };
  for (const Case& c : {Case{"'gen:powerlaw?rows=3000' --format hyb --arrays", "at most 64 rows"},
                        {"'gen:laplace5?nx=30&ny=30' --format pkt", "at most 64 rows"},
                        {"'gen:laplace5?nx=3&ny=3' --format pkt --padding", "belongs to no row"},
                        {"'gen:laplace5?nx=3&ny=3' --format lma", "element"},
                        {"'gen:laplace5?nx=3&ny=3' --format hub", "known"},
                        {"'gen:laplace5?nx=3&ny=3' --format hyb --param q=3", "q=3"},
                        {"'gen:laplace5?nx=3&ny=3' --format ell --host-memory 10", "set by you"},
                        {"'gen:laplace5?nx=3&ny=3' --format ell --arrays --padding", "--padding"}}) {
    const std::string out = scratch("no.svg");
    const Ran r = warpspy(std::string("layout ") + c.args + " -o '" + out + "'");
    EXPECT_NE(r.code, 0) << c.args;
    EXPECT_TRUE(has(r.err, c.says)) << c.args << ": " << r.err;
    EXPECT_TRUE(content_of(out).empty()) << c.args;
  }
}

}  // namespace
}  // namespace warpspy::testing
