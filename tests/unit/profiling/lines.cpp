// Counts per instruction put to source lines: the line information of a cubin, sums per line, and what is said when
// there are none. tests/data/cubin/lines.cubin is what nvcc made of lines.cu beside it.
#include "profiling/cupti/lines.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "kernels/device/architectures.hpp"
#include "profiling/cupti/elf.hpp"
#include "profiling/cupti/host.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/line_table.hpp"
#include "profiling/cupti/machine_code.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

std::vector<std::uint8_t> cubin() {
  std::ifstream in(WARPSPY_SOURCE_DIR "/tests/data/cubin/lines.cubin", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Bytes from the function's start of its loads from and stores to global memory: Hopper's opcodes LDG and STG.
std::vector<std::uint64_t> accesses(const std::vector<std::uint8_t>& file, const std::string& function) {
  std::vector<std::uint64_t> list;
  const auto sections = elf_sections(file);
  const ElfSection* code = section_of(sections, ".text." + function);
  for (std::size_t pc = 0; code && pc < code->bytes.size(); pc += 16) {
    std::uint16_t word = 0;
    std::memcpy(&word, code->bytes.data() + pc, sizeof word);
    if ((word & 0xFFF) == 0x981 || (word & 0xFFF) == 0x986) list.push_back(pc);
  }
  return list;
}

TEST(LineTable, TellsWhereAnInstructionWasInlinedFrom) {
  const auto file = cubin();
  const auto table = LineTable::of(file, "derive");
  ASSERT_TRUE(table);
  const auto pcs = accesses(file, "derive");
  ASSERT_EQ(pcs.size(), 3u);
  const auto frames = table->frames(pcs[0]);  // the toolkit's __ldg, ld, difference, derive
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[0].file, "sm_32_intrinsics.hpp");
  EXPECT_EQ(frames[1].file + ":" + std::to_string(frames[1].line), "lines.cu:3");
  EXPECT_EQ(frames[1].function, "_Z2ldPKfi5Where");
  EXPECT_EQ(frames[3].line, 14);
  EXPECT_EQ(frames[3].function, "");
}

TEST(LineTable, AnAccessorStandsForTheLineThatCallsIt) {
  const auto file = cubin();
  const auto sites = [&](const std::string& function) {
    std::multiset<std::string> found;
    for (const std::uint64_t pc : accesses(file, function))
      found.insert(site_of(LineTable::of(file, function)->frames(pc)));
    return found;
  };
  // store_twice hands its place on to st, so that both stand for the kernel's line; difference does not.
  EXPECT_EQ(sites("derive"), (std::multiset<std::string>{"lines.cu:10", "lines.cu:14", "lines.cu:9"}));
  EXPECT_EQ(sites("copy"), (std::multiset<std::string>{"lines.cu:17", "lines.cu:17"}));
}

TEST(LineTable, AnUnknownFunctionHasNone) {
  const auto file = cubin();
  EXPECT_FALSE(LineTable::of(file, "unknown"));
  EXPECT_FALSE(LineTable::of(file, ""));
}

TEST(LineTable, ADamagedFileIsRefusedOrHasNoLines) {
  const auto whole = cubin();
  ASSERT_GT(whole.size(), 1000u);
  EXPECT_THROW(LineTable::of({}, "derive"), Error);
  for (std::size_t size = 1; size < whole.size() / 2; size += 61) {  // the sections' headers stand in the last quarter
    const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(LineTable::of(cut, "derive"), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    auto bad = whole;
    bad[at] ^= 0xFF;
    try {
      if (const auto table = LineTable::of(bad, "derive")) {
        EXPECT_LE(table->frames(112).size(), bad.size()) << at;
      }
    } catch (const Error&) {
    }
  }
}

TEST(SiteOf, WithoutAnAccessorTheInnermostLineCounts) {
  EXPECT_EQ(site_of({}), "");
  EXPECT_EQ(site_of({{"a.hpp", 3, "_Z1fv"}, {"b.hpp", 4, ""}}), "a.hpp:3");
  EXPECT_EQ(site_of({{"a.hpp", 3, "_Z2ld5Where"}}), "a.hpp:3") << "nobody calls it";
}

InstructionCounts counts(std::uint32_t pc, double requests, double sectors, double lanes) {
  InstructionCounts c;
  c.pc = pc;
  c.requests = requests;
  c.sectors = sectors;
  c.lanes = lanes;
  return c;
}

TEST(FoldedLines, AddUpTheInstructionsOfALine) {
  auto narrow = counts(16, 10, 40, 320), wide = counts(32, 5, 40, 80), other = counts(48, 2, 64, 64);
  narrow.w4 = 10;
  wide.w8 = 5;
  other.w16 = 2;
  auto unknown = counts(64, 1, 7, 32);
  unknown.function = "_Z1fv";
  const auto idle = counts(80, 0, 0, 0);
  const FoldedLines f = fold_lines({other, narrow, unknown, wide, idle}, [](const InstructionCounts& c) -> std::string {
    EXPECT_NE(c.pc, 80u) << "what touches no memory has no line to ask for";
    return c.pc == 64 ? "" : c.pc == 48 ? "k.hpp:9" : "k.hpp:10";
  });
  ASSERT_EQ(f.lines.size(), 2u);
  EXPECT_EQ(f.lines[0].name, "k.hpp:9") << "by number, not by letter";
  EXPECT_EQ(f.lines[0].bytes_used, 64 * 16);
  EXPECT_EQ(f.lines[1].name, "k.hpp:10");
  EXPECT_EQ(f.lines[1].requests, 15);
  EXPECT_EQ(f.lines[1].sectors, 80);
  EXPECT_EQ(f.lines[1].bytes_used, 320 * 4 + 80 * 8);
  EXPECT_EQ(f.lines[1].active_lanes, 400.0 / 15);
  for (const Traffic& t : f.lines) EXPECT_EQ(t.provenance, Provenance::measured);
  EXPECT_EQ(f.placed, 144);
  EXPECT_EQ(f.elsewhere, 7);
  EXPECT_EQ(f.stranger, "_Z1fv");
}

std::string reason_of(const FoldedLines& f) {
  try {
    reading_of(f);
  } catch (const CounterFailure& e) {
    return e.reason + " | " + e.remedy;
  }
  return "";
}

TEST(FoldedLines, WhatHasNoLineIsToldAndNothingAtAllIsAFailure) {
  FoldedLines f;
  EXPECT_NE(reason_of(f).find("touch no global memory"), std::string::npos);
  f.elsewhere = 10;
  f.stranger = "_Z1fv";
  EXPECT_NE(reason_of(f).find("kernel _Z1fv"), std::string::npos);
  EXPECT_NE(reason_of(f).find("-lineinfo"), std::string::npos);
  f.placed = 30;
  f.lines.push_back({"k.hpp:9", 1, 30, 0, 0});
  EXPECT_EQ(reason_of(f), "");
  ASSERT_EQ(reading_of(f).notes.size(), 1u);
  EXPECT_EQ(reading_of(f).notes[0].find("25 % of the sectors"), 0u);
  f.elsewhere = 0;
  EXPECT_TRUE(reading_of(f).notes.empty());
}

TEST(InstructionMetrics, AMissingOneIsNamed) {
  std::vector<std::string> names;
  for (const InstructionMetric& m : instruction_metrics()) names.push_back(m.name);
  EXPECT_NO_THROW(require_instruction_metrics("GX1", names));
  const std::string last = names.back();
  names.pop_back();
  try {
    require_instruction_metrics("GX1", names);
    FAIL() << "nothing was missed";
  } catch (const CounterFailure& e) {
    EXPECT_EQ(e.reason, "chip GX1 has no count " + last + " per instruction");
  }
}

TEST(InstructionMetrics, EveryChipFromTuringOnHasThem) {
  if (!cupti_library().available) {
    EXPECT_THROW(instruction_metrics_of("GH100"), CounterFailure);
    GTEST_SKIP() << cupti_library().reason;
  }
  int with = 0;
  for (const std::string& chip : cupti_chips()) try {
      require_instruction_metrics(chip, instruction_metrics_of(chip));
      ++with;
    } catch (const CounterFailure& e) {
      EXPECT_EQ(chip.substr(0, 2), "GV") << chip << ": " << e.reason;  // Volta
      EXPECT_NE(e.reason.find("no single instructions"), std::string::npos) << e.reason;
    }
  EXPECT_GT(with, 10);
}

// As nvcc packs them: files at multiples of 8 bytes, something of its own between them.
std::vector<std::uint8_t> packed(const std::vector<std::uint8_t>& architectures) {
  std::vector<std::uint8_t> all(64, 0xAB);
  for (const std::uint8_t a : architectures) {
    auto file = cubin();
    file[8] = a % 2 ? 7 : 8;    // ABI: before CUDA 13, and from it on
    file[a % 2 ? 48 : 49] = a;  // e_flags
    file.resize((file.size() + 7) / 8 * 8 + 16, 0xAB);
    all.insert(all.end(), file.begin(), file.end());
  }
  return all;
}

TEST(MachineCode, IsTakenAsTheDriverTakesIt) {
  const auto fat = packed({80, 90, 86, 89});
  const auto begin_of = [&](int device) -> std::ptrdiff_t {
    const auto found = cubin_for(fat, device);
    return found ? found->data() - fat.data() : -1;
  };
  const auto step = static_cast<std::ptrdiff_t>((cubin().size() + 7) / 8 * 8 + 16);
  EXPECT_EQ(begin_of(80), 64);
  EXPECT_EQ(begin_of(87), 64 + 2 * step) << "8.6 runs on 8.7, 8.9 does not";
  EXPECT_EQ(begin_of(89), 64 + 3 * step);
  EXPECT_EQ(begin_of(90), 64 + step);
  EXPECT_EQ(begin_of(100), -1) << "compiled by the driver";
  EXPECT_FALSE(cubin_for({}, 90));
  const auto table = LineTable::of(*cubin_for(fat, 90), "derive");
  ASSERT_TRUE(table) << "what follows the file does no harm";
  EXPECT_EQ(table->frames(accesses(cubin(), "derive")[0]).size(), 4u);
}

std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& file) {
  std::vector<std::uint8_t> out(file.size() + 4096);
  std::size_t used = 0;
  archive* a = archive_write_new();
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, "code");
  archive_entry_set_filetype(entry, AE_IFREG);
  const bool fine = archive_write_add_filter_zstd(a) == ARCHIVE_OK && archive_write_set_format_raw(a) == ARCHIVE_OK &&
                    archive_write_set_bytes_per_block(a, 0) == ARCHIVE_OK &&
                    archive_write_open_memory(a, out.data(), out.size(), &used) == ARCHIVE_OK &&
                    archive_write_header(a, entry) == ARCHIVE_OK &&
                    archive_write_data(a, file.data(), file.size()) == static_cast<la_ssize_t>(file.size()) &&
                    archive_write_close(a) == ARCHIVE_OK;
  archive_entry_free(entry);
  archive_write_free(a);
  EXPECT_TRUE(fine);
  out.resize(used);
  return out;
}

TEST(MachineCode, IsFoundWhereNvccHasCompressedIt) {
  std::vector<std::uint8_t> fat(64, 0xAB);
  std::vector<std::uint8_t> newer;
  for (const std::uint8_t a : {80, 86, 90}) {
    auto file = cubin();
    file[8] = 8;
    file[49] = a;
    if (a == 86) newer = file;
    const auto frame = compressed(file);
    fat.insert(fat.end(), frame.begin(), frame.end());
    fat.resize((fat.size() + 7) / 8 * 8 + 16, 0xAB);
  }
  EXPECT_FALSE(cubin_for(fat, 89));
  EXPECT_EQ(compressed_cubin_for(fat, 89), newer);
  EXPECT_TRUE(compressed_cubin_for(fat, 100).empty());
  EXPECT_TRUE(compressed_cubin_for(packed({80}), 80).empty());
  // Cut anywhere: nothing, or as far as it goes, but no crash.
  for (std::size_t bytes = 0; bytes < fat.size(); bytes += 97) compressed_cubin_for(std::span(fat).first(bytes), 86);
}

TEST(MachineCode, IsThatOfThisProgram) {
  const auto list = fat_binaries();
#if defined(WARPSPY_HAVE_CUDA)
  EXPECT_GE(list.size(), 4u) << "one for each shard of the kernels";
  // As this program was built: whatever its architecture, most of its kernels' functions have lines.
  int functions = 0, with_lines = 0;
  for (const auto fat_binary : list)
    for (const int device : {75, 80, 86, 89, 90, 100, 103, 120}) {
      auto code = cubin_for(fat_binary, device);
      const auto opened = code ? std::vector<std::uint8_t>() : compressed_cubin_for(fat_binary, device);
      if (!opened.empty()) code = opened;
      if (!code) continue;
      const auto sections = elf_sections(*code);
      for (const ElfSection& s : sections) {
        if (!s.name.starts_with(".text.") || s.name.find("spmv_kernel") == std::string::npos) continue;
        if (++functions % 10 != 1) continue;  // each reads the whole file
        const auto table = LineTable::of(*code, s.name.substr(6));
        ASSERT_TRUE(table) << s.name;
        EXPECT_FALSE(table->frames(0).empty()) << s.name;
        ++with_lines;
      }
    }
  const auto built = compiled_gpu_code();
  const bool machine_code = std::any_of(built.begin(), built.end(), [](const GpuCode& c) { return !c.ptx; });
  EXPECT_EQ(with_lines > 0, machine_code);
#else
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(ProgramLines(90).of("derive"), nullptr);
#endif
}

TEST(Lines, ALibrarysKernelHasNone) {
  class NoSource final : public CounterSource {
   public:
    CounterReading read(int, const std::string&, const CounterRun&, const Progress&) override { return {}; }
    LineReading read_lines(int, const CounterRun&, const Progress&) override {
      ADD_FAILURE() << "there is nothing to launch";
      return {};
    }
    void release() override {}
  } source;
  const LineOutcome o = collect_lines(source, 0, {[] {}, [] {}}, Progress());
  EXPECT_TRUE(o.lines.empty());
  EXPECT_NE(o.reason.find("a library's"), std::string::npos);
}

}  // namespace
}  // namespace warpspy
