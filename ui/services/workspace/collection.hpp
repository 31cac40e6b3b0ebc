// Downloads a matrix of the collection, in the job that opens it.
#pragma once

#include <string>

#include "core/collection/collection.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy::ui {

// Returns a remark on the download for the user. Throws Error and Cancelled.
std::string fetched(const CollectionPlace& place, const std::string& source, Progress& p);

}  // namespace warpspy::ui
