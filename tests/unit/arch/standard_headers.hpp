// Which header of the standard library promises which name. THE list: a name that is used and in no row fails the test.
#pragma once

#include <set>
#include <string>

namespace warpspy::arch {

// The headers that promise std::`name`, any of which will do; empty where the list does not know it.
const std::set<std::string>& headers_of(const std::string& name);

// Names that no header can do without.
bool comes_with_every_header(const std::string& name);

// What `header` brings with it because the standard says so, or because its own functions take or return it.
const std::set<std::string>& brought_by(const std::string& header);

}  // namespace warpspy::arch
