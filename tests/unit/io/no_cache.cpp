// Tests leave the user's cache alone; those of the cache set a folder of their own.
#include <cstdlib>

namespace {
[[maybe_unused]] const int off = ::setenv("WARPSPY_CACHE", "off", 1);
}
