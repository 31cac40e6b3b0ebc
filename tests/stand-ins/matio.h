// matio's header, whichever version is installed, where its log hands over a char* (Debian 12's) and a const char* (Debian
// 13's) at once: scripts/check-sources compiles with it, so that what fits one of them alone is found on either system.
#pragma once
#include_next <matio.h>

inline int log_of_either_matio(const char* program, void (*older)(int, char*), void (*newer)(int, const char*)) {
  return program && older && newer ? 0 : 1;
}
#define Mat_LogInitFunc(program, ...) log_of_either_matio(program, __VA_ARGS__, __VA_ARGS__)
