// For programs that read a foreign file for another program: once they have opened it, they can open nothing else.
#pragma once

namespace warpspy {

// From now on this process can open no file, connection or program. The limit of its descriptors is 0, which every
// Linux has. A seccomp filter refuses every system call that reading, writing and memory do not need. Returns false if
// the kernel has no such filter. Then a library still cannot open files, but foreign code in the process could raise
// the limit.
bool confine();

}  // namespace warpspy
