// Text of others on its way to a terminal, a shell and a page.
#include "core/base/foreign_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace warpspy {
namespace {

TEST(ForeignText, SteersNoTerminal) {
  struct Case {
    const char *text, *shown;
  };
  const Case cases[] = {
      {"plain, \xC2\xB5s, \xE2\x86\x92, \xF0\x9F\x98\x80\tand\nmore",
       "plain, \xC2\xB5s, \xE2\x86\x92, \xF0\x9F\x98\x80\tand\nmore"},
      {"\x1b[2J", "\\u001b[2J"},
      {"\x1b]0;title\x07", "\\u001b]0;title\\u0007"},
      {"over\rwritten", "over\\u000dwritten"},
      {"\x7f\x08", "\\u007f\\u0008"},
      {"\xC2\x9B"
       "31m",
       "\\u009b31m"},
      {"\x9b"
       "31m",
       "\\x9b31m"},
      {"\xE2\x80\xAE"
       "drow",
       "\\u202edrow"},
      {"\xE2\x81\xA6x\xE2\x81\xA9", "\\u2066x\\u2069"},
      {"\xE2\x80\x8F", "\\u200f"},
      {"\xE2\x80\xA8", "\\u2028"},
      {"\xF3\xA0\x81\x81", "\\udb40\\udc41"},
      {"\xC0\x9B", "\\xc0\\x9b"},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
      {"\xE2\x80", "\\xe2\\x80"},
      {"\xFF", "\\xff"},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(harmless(c.text), c.shown);
  EXPECT_EQ(harmless(std::string_view("\0", 1)), "\\u0000");
}

TEST(ForeignText, IsCutBetweenCharacters) {
  EXPECT_EQ(whole_characters("ab"), 2u);
  EXPECT_EQ(whole_characters("a\xC2"), 1u);
  EXPECT_EQ(whole_characters("a\xE2\x80"), 1u);
  EXPECT_EQ(whole_characters("a\xE2\x80\xAE"), 4u);
  EXPECT_EQ(whole_characters("\xF0\x9F\x98"), 0u);
  EXPECT_EQ(whole_characters("\x80\x80\x80\x80"), 4u) << "nothing that could become a character waits";
  EXPECT_EQ(whole_characters(""), 0u);
}

TEST(ForeignText, MeansItselfToAShell) {
  std::string line = "printf '%s\\n.\\n'", words, said;
  for (const char* word :
       {"plain.mtx", "",  "two words", "$(touch x)", "`x`", "a;b", "a#b", "#",     "it's", "a\"b",  "a\\b", "*",
        "?",         "~", "!!",        "a&b",        "a|b", "<>",  "(x)", "{a,b}", "a\nb", "$HOME", "[a]",  "-"}) {
    line += " " + shell_quoted(word);
    words += std::string(word) + "\n.\n";
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(::popen(line.c_str(), "r"), ::pclose);
  for (char c = 0; std::fread(&c, 1, 1, shell.get()) == 1;) said += c;
  EXPECT_EQ(said, words) << line;
  EXPECT_EQ(shell_quoted("gen/a-b_1.mtx"), "gen/a-b_1.mtx") << "no more than has to be";
}

TEST(ForeignText, MarksNothingUp) {
  EXPECT_EQ(markdown_escaped("a_b.mtx"), "a\\_b.mtx");
  EXPECT_EQ(markdown_escaped("[x](http://y)"), "\\[x\\]\\(http\\://y\\)");
  EXPECT_EQ(markdown_escaped("see www.y.z or a@y.z"), "see www\\.y.z or a\\@y.z");
  EXPECT_EQ(markdown_escaped("- 3.5 MB"), "\\- 3.5 MB");
  EXPECT_EQ(markdown_escaped("12. item"), "12\\. item");
  EXPECT_EQ(markdown_escaped("f32, 3.5 MB: fine"), "f32, 3.5 MB: fine");
  EXPECT_EQ(markdown_escaped("<script>"), "\\<script\\>");
  EXPECT_EQ(markdown_escaped("a\n# b"), "a \\# b");
}

}  // namespace
}  // namespace warpspy
