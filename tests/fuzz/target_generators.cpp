// Generator strings: "laplace5?nx=10&ny=20".
#include "core/generate/generate.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

void run(Bytes text) {
  Progress progress;
  Matrix m;
  {
    const MemoryGuard guard(std::uint64_t{1} << 20);  // small ones are as good, and quick
    m = generate(std::string(text), progress);
  }
  check_matrix(m);
}

Words words() {
  Words all = {"gen:", "?", "&", "="};
  for (const GeneratorInfo& g : generators()) {
    all.push_back(g.id);
    for (const ParamSpec& p : g.params) {
      all.push_back("&" + p.id + "=3");
      all.insert(all.end(), p.choices.begin(), p.choices.end());
    }
  }
  return all;
}

std::string mutate(const std::string& text, Random& r) {
  static const Words all = words();
  return mutate_text(text, all, r);
}

// Each generator with small numbers.
Words seeds() {
  Words all;
  for (const GeneratorInfo& g : generators()) {
    std::string text = "gen:" + g.id, closing = "?";
    for (const ParamSpec& p : g.params) {
      const std::string value = p.type == ParamSpec::Type::choice ? p.choices.front()
                                : p.type == ParamSpec::Type::real ? "2.5"
                                                                  : "4";
      text += closing + p.id + "=" + value;
      closing = "&";
    }
    all.push_back(text);
  }
  return all;
}

}  // namespace

Target generator_target() { return {.name = "generators", .run = run, .mutate = mutate, .seeds = seeds}; }

}  // namespace warpspy::fuzz
