#include "core/lesson/markdown.hpp"

#include <md4c.h>

#include <algorithm>
#include <functional>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

using Kind = MarkdownBlock::Kind;

struct Reader {
  const std::string& source;
  std::vector<MarkdownBlock> blocks = {};
  int quotes = 0;
  bool open = false;

  void begin(Kind kind, int level, std::string info) {
    blocks.push_back({quotes > 0 && kind == Kind::paragraph ? Kind::quote : kind, level, std::move(info), "", 0});
    open = true;
  }
  void add(const char* text, std::size_t size) {
    if (!open) begin(Kind::paragraph, 0, "");  // items of a tight list have no paragraph
    MarkdownBlock& b = blocks.back();
    // Text that md4c itself makes, such as a line end, is not inside the source text.
    const std::less<> before;
    const bool ours = !before(text, source.data()) && before(text, source.data() + source.size());
    // Code may begin with lines that are empty.
    if (b.line == 0 && ours)
      b.line =
          1 + static_cast<int>(std::count(source.data(), text, '\n') - std::count(b.text.begin(), b.text.end(), '\n'));
    b.text.append(text, size);
  }
};

int enter(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& r = *static_cast<Reader*>(user);
  if (type == MD_BLOCK_QUOTE) ++r.quotes;
  if (type == MD_BLOCK_LI) r.open = false;
  if (type == MD_BLOCK_P) r.begin(Kind::paragraph, 0, "");
  if (type == MD_BLOCK_H) r.begin(Kind::heading, static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level), "");
  if (type == MD_BLOCK_CODE) {
    const MD_ATTRIBUTE& info = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info;
    r.begin(Kind::code, 0, info.text ? std::string(info.text, info.size) : "");
  }
  return 0;
}

int leave(MD_BLOCKTYPE type, void*, void* user) {
  auto& r = *static_cast<Reader*>(user);
  if (type == MD_BLOCK_QUOTE) --r.quotes;
  r.open = false;
  return 0;
}

int nothing(MD_SPANTYPE, void*, void*) { return 0; }

int text_of(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& r = *static_cast<Reader*>(user);
  if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
    r.add(" ", 1);
  else
    r.add(text, size);
  return 0;
}

}  // namespace

std::vector<MarkdownBlock> markdown_blocks(const std::string& text) {
  Reader r{text};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML;
  parser.enter_block = enter;
  parser.leave_block = leave;
  parser.enter_span = nothing;
  parser.leave_span = nothing;
  parser.text = text_of;
  if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &r) != 0)
    throw Error("this is no Markdown that can be read");
  return std::move(r.blocks);
}

}  // namespace warpspy
