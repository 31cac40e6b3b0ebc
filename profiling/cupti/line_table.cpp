// Reads DWARF's line programs (DWARF 2, section 6.2) with two extensions of NVIDIA: one says that the following code
// was inlined, what it was, and where. CUPTI's own cuptiGetSassToSourceCorrelation() only gives the innermost line. For
// every load of every kernel that is the accessor's line.
#include "profiling/cupti/line_table.hpp"

#include <elf.h>

#include <algorithm>

#include "profiling/cupti/elf.hpp"
#include "profiling/cupti/machine_code.hpp"

namespace warpspy {
namespace {

// Extended instructions.
constexpr int end_sequence = 1, set_address = 2, inlined_call = 0x90;
// Standard ones.
[[maybe_unused]] constexpr int copy = 1, advance_pc = 2, advance_line = 3, set_file = 4, set_column = 5,
                               negate_stmt = 6, set_basic_block = 7, const_add_pc = 8, fixed_advance_pc = 9;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Where .debug_line has the address of `function`; nothing if no sequence begins there.
std::optional<std::size_t> address_of(const std::vector<ElfSection>& sections, const std::string& function) {
  const ElfSection* rela = section_of(sections, ".rela.debug_line");
  const ElfSection* rel = section_of(sections, ".rel.debug_line");
  const ElfSection* table = section_of(sections, ".symtab");
  const ElfSection* names = section_of(sections, ".strtab");
  if ((!rela && !rel) || !table || !names) return std::nullopt;
  ByteReader in(rela ? rela->bytes : rel->bytes);
  while (!in.done()) {
    const auto entry = in.get<Elf64_Rel>();
    if (rela) in.get<std::int64_t>();
    const auto symbol = ByteReader(table->bytes, ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym)).get<Elf64_Sym>();
    std::string name = ByteReader(names->bytes, symbol.st_name).text();
    if (name.empty() && symbol.st_shndx < sections.size()) name = sections[symbol.st_shndx].name;  // a section's symbol
    if (name == function || name == ".text." + function) return entry.r_offset;
  }
  return std::nullopt;
}

struct Unit {
  std::size_t program = 0, end = 0;  // bytes of .debug_line
  int min_instruction = 1, line_base = 0, line_range = 1, opcode_base = 10;
  std::vector<std::uint8_t> operands;  // numbers of operands of the standard instructions
  std::vector<std::string> files;      // base names; file 1 comes first
};

Unit read_unit(ByteReader& in) {
  Unit u;
  const auto length = in.get<std::uint32_t>();
  u.end = in.at() + length;
  const auto version = in.get<std::uint16_t>();
  if (length >= 0xFFFFFFF0u || version < 2 || version > 4)
    throw Error("the line information has version " + std::to_string(version) + ", and 2 to 4 are understood");
  const auto header = in.get<std::uint32_t>();
  u.program = in.at() + header;
  u.min_instruction = in.get<std::uint8_t>();
  if (version >= 4) in.get<std::uint8_t>();  // operations of an instruction word
  in.get<std::uint8_t>();                    // whether lines are statements
  u.line_base = in.get<std::int8_t>();
  u.line_range = std::max<int>(1, in.get<std::uint8_t>());
  u.opcode_base = in.get<std::uint8_t>();
  for (int i = 1; i < u.opcode_base; ++i) u.operands.push_back(in.get<std::uint8_t>());
  while (!in.text().empty()) {
  }  // folders
  for (std::string name = in.text(); !name.empty(); name = in.text()) {
    u.files.push_back(base_name(name));
    for (int i = 0; i < 3; ++i) in.uleb();  // folder, time, size
  }
  in.skip_to(u.program);
  return u;
}

// The state of a line program, and the rows of the current sequence.
class LineProgram {
 public:
  LineProgram(const Unit& unit, ByteReader& in, std::size_t wanted, const ElfSection* texts)
      : u_(unit), in_(in), wanted_(wanted), texts_(texts) {
    begin();
  }

  // Returns the rows of the sequence whose address is at byte `wanted`; empty if there is none.
  std::vector<LineRow> run() {
    while (in_.at() < u_.end) {
      const int op = in_.get<std::uint8_t>();
      if (op >= u_.opcode_base)
        special(op);
      else if (op > 0)
        standard(op);
      else if (extended())
        return std::move(rows_);
    }
    return {};
  }

 private:
  void begin() {
    rows_.clear();
    now_ = {};
    now_.frame.line = file_ = 1;
    mine_ = false;
  }
  void emit() {
    const auto index = static_cast<std::size_t>(file_) - 1;
    now_.frame.file = index < u_.files.size() ? u_.files[index] : "";
    rows_.push_back(now_);
  }
  void advance(std::uint64_t instructions) { now_.pc += instructions * static_cast<std::uint64_t>(u_.min_instruction); }

  void special(int op) {
    advance(static_cast<std::uint64_t>((op - u_.opcode_base) / u_.line_range));
    now_.frame.line += u_.line_base + (op - u_.opcode_base) % u_.line_range;
    emit();
  }
  void standard(int op) {
    switch (op) {
      case copy:
        return emit();
      case advance_pc:
        return advance(in_.uleb());
      case advance_line:
        now_.frame.line += static_cast<int>(in_.sleb());
        return;
      case set_file:
        file_ = static_cast<int>(in_.uleb());
        return;
      case const_add_pc:
        return advance(static_cast<std::uint64_t>((255 - u_.opcode_base) / u_.line_range));
      case fixed_advance_pc:
        now_.pc += in_.get<std::uint16_t>();
        return;
      default:  // instructions without effect on rows
        for (int i = 0; i < u_.operands[static_cast<std::size_t>(op) - 1]; ++i) in_.uleb();
    }
  }
  // Returns true at the end of the wanted sequence.
  bool extended() {
    const auto length = in_.uleb();
    if (length == 0 || length > in_.size()) throw Error("the line information is damaged");
    const std::size_t next = in_.at() + length;
    const int op = in_.get<std::uint8_t>();
    if (op == end_sequence) {
      if (mine_) return true;
      begin();
    } else if (op == set_address) {
      mine_ = mine_ || in_.at() == wanted_;
      now_.pc = in_.get<std::uint64_t>();
    } else if (op == inlined_call) {
      now_.caller = in_.uleb();
      const auto name = in_.uleb();
      now_.frame.function = now_.caller && texts_ ? ByteReader(texts_->bytes, name).text() : "";
    }
    in_.skip_to(next);
    return false;
  }

  const Unit& u_;
  ByteReader& in_;
  std::size_t wanted_;
  const ElfSection* texts_;
  std::vector<LineRow> rows_;
  LineRow now_;
  bool mine_ = false;
  int file_ = 1;
};

}  // namespace

std::optional<LineTable> LineTable::of(std::span<const std::uint8_t> cubin, const std::string& function) {
  const std::vector<ElfSection> sections = elf_sections(cubin);
  const ElfSection* lines = section_of(sections, ".debug_line");
  const auto wanted = address_of(sections, function);
  if (!lines || !wanted) return std::nullopt;
  ByteReader in(lines->bytes);
  while (!in.done()) {
    const Unit u = read_unit(in);
    if (*wanted < u.end) {
      LineTable table;
      table.rows_ = LineProgram(u, in, *wanted, section_of(sections, ".debug_str")).run();
      if (!table.rows_.empty()) return table;
    }
    in.skip_to(u.end);
  }
  return std::nullopt;
}

std::vector<SourceFrame> LineTable::frames(std::uint64_t pc) const {
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), pc, [](std::uint64_t p, const LineRow& r) { return p < r.pc; });
  std::vector<SourceFrame> list;
  // A call comes before the code that it inlined, so the numbers only decrease.
  for (auto row = static_cast<std::size_t>(after - rows_.begin()); row > 0;) {
    const LineRow& r = rows_[row - 1];
    list.push_back(r.frame);
    row = r.caller < row ? r.caller : 0;
  }
  return list;
}

const LineTable* ProgramLines::of(const std::string& function) {
  const auto at = known_.find(function);
  if (at != known_.end()) return at->second ? &*at->second : nullptr;
  std::optional<LineTable>& table = known_[function];
  if (!unpacked_) {
    unpacked_.emplace();
    for (const auto fat_binary : fat_binaries())
      if (!cubin_for(fat_binary, compute_capability_))
        unpacked_->push_back(compressed_cubin_for(fat_binary, compute_capability_));
  }
  std::vector<std::span<const std::uint8_t>> cubins(unpacked_->begin(), unpacked_->end());
  for (const auto fat_binary : fat_binaries())
    if (const auto cubin = cubin_for(fat_binary, compute_capability_)) cubins.push_back(*cubin);
  for (const auto cubin : cubins) try {
      if (!cubin.empty()) table = LineTable::of(cubin, function);
      if (table) return &*table;
    } catch (const Error&) {
      // Line information of another kind: its functions have no rows.
    }
  return nullptr;
}

std::string site_of(const std::vector<SourceFrame>& frames) {
  const auto text = [](const SourceFrame& f) { return f.file + ":" + std::to_string(f.line); };
  bool access = false;
  for (const SourceFrame& f : frames) {
    const bool speaks_for_caller = f.function.find("5Where") != std::string::npos;  // mangled: takes a simt::Where
    if (access && !speaks_for_caller) return text(f);
    access = access || speaks_for_caller;
  }
  return frames.empty() ? "" : text(access ? frames.back() : frames.front());
}

}  // namespace warpspy
