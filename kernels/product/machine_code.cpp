#include "kernels/product/machine_code.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace warpspy {
namespace {

std::string demangled(const char* name) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &failed), std::free);
  return failed == 0 && text ? text.get() : "";
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// The end of a template's arguments, which begin at `at`.
std::size_t arguments_end(const std::string& text, std::size_t at) {
  int depth = 1;
  for (; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) break;
  }
  return at;
}

// Names loads without a cache policy "plain", and likewise sets of policies that are all plain. `any`: the name of
// loads whose policy is chosen at run time.
std::string shortened(std::string name, std::string_view any) {
  for (const char* space : {"warpspy::", "on_gpu::", "emulated::", "simt::"}) replace_all(name, space, "");
  replace_all(name, "> >", ">>");
  replace_all(name, "> >", ">>");  // also for three brackets in a row
  replace_all(name, "std::integral_constant<CachePolicy, (CachePolicy)0>", "plain");
  if (!any.empty()) replace_all(name, any, "plain");
  replace_all(name, "Caches<plain, plain, plain, plain>", "plain");
  return name;
}

}  // namespace

IssuedByWarp issued_by(const std::vector<CodePart>& parts) {
  if (parts.empty()) return {};
  CodePart outside = parts.front(), loops;
  for (auto loop = parts.begin() + 1; loop != parts.end(); ++loop) {
    outside.instructions -= loop->instructions, outside.memory -= loop->memory;
    outside.shared -= loop->shared, outside.between -= loop->between;
    if (loop->steps() == 0) continue;
    loops.instructions += loop->instructions, loops.memory += loop->memory;
    loops.shared += loop->shared, loops.between += loop->between;
  }
  const CodePart& told = loops.steps() > 0 ? loops : parts.front();
  const double each = static_cast<double>(told.instructions) / std::max(1, told.steps());
  if (loops.steps() == 0) return {.once = 0, .each_step = each};
  return {.once = std::max(0.0, outside.instructions - each * outside.steps()), .each_step = each};
}

IssuedByWarp MachineCode::issued_by(std::string_view code, std::string_view kernel) const {
  const auto at = parts.find(code);
  if (at == parts.end()) return {};
  const auto factor = counted.find(kernel);
  return warpspy::issued_by(at->second).times(factor == counted.end() ? 1 : factor->second);
}

// The emulator has one version of the code, in which each load has its policy at run time.
std::string code_name(const std::type_info& code) { return shortened(demangled(code.name()), "CachePolicy"); }

std::string code_name(const std::string& function) {
  constexpr std::string_view begins = "spmv_kernel<";
  const std::string text = demangled(function.c_str());
  const std::size_t at = text.find(begins);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begins.size();
  std::string code = text.substr(from, arguments_end(text, from) - from);
  while (code.ends_with(' ')) code.pop_back();
  const std::string name = shortened(std::move(code), "");
  for (const char* asks : {"CachePolicy", "Caches<", "EvictLast"})
    if (name.find(asks) != std::string::npos) return "";
  return name;
}

}  // namespace warpspy
