#include "core/run/run_name.hpp"

#include "core/base/csv.hpp"
#include "core/base/hash.hpp"

namespace warpspy {

std::string run_name(const RunRecord& r) {
  const RunRequest& asked = r.request;
  std::string facts = r.started + '\n' + r.matrix_name + '\n' + asked.kernel + '\n' +
                      (r.device.empty() ? asked.device : r.device) + '\n' + name_of(asked.precision) + '\n' +
                      name_of(asked.cache_state);
  for (const ParamSet* set : {&asked.params, &asked.format_params}) {
    facts += '\n';
    for (const auto& [id, value] : *set) facts += id + '=' + csv::number(value) + '&';
  }
  // No letters that look alike. The first character is a letter, so that a name is no number.
  constexpr char letters[] = "abcdefghjkmnpqrstvwxyz0123456789";
  const std::string hash = hash_of_text(facts);
  std::uint64_t rest = std::stoull(hash.substr(0, 16), nullptr, 16);
  std::string name(1, letters[rest % 22]);
  rest /= 22;
  for (int k = 0; k < 6; ++k, rest /= 32) name += letters[rest % 32];
  return name;
}

std::string real_view_of(const RunRecord& r) {
  for (const std::string& note : r.notes)
    if (note.starts_with(kComplexNote)) return note.substr(std::string(kComplexNote).size());
  return {};
}

std::string run_number(const RunRecord& r) { return r.id != 0 && r.id < kUnsaved ? std::to_string(r.id) : run_name(r); }

std::string run_title(const RunRecord& r) {
  return (r.id != 0 && r.id < kUnsaved ? std::to_string(r.id) + " " : "") + run_name(r);
}

}  // namespace warpspy
