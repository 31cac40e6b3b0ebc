// A program that reads a stranger's file for another one, once it has what it needs: it opens nothing more.
#pragma once

namespace warpspy {

// From here on this process can open no file, no connection and no program, whoever asks: the number of its descriptors
// is bounded by 0, which every kernel has, and the kernel refuses every call that reading, writing and memory do not
// need. False where it lacks that filter: then what took the process over could lift the bound, a library could not.
bool confine();

}  // namespace warpspy
