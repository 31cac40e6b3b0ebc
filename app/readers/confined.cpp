#include "app/readers/confined.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <vector>

namespace warpspy {
namespace {

#if defined(__x86_64__)
constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kMachine = 0;
#endif

// The only system calls that remain: reading and writing open files, memory, time, and exit. None of them opens
// anything. fcntl could copy a descriptor, but the limit of descriptors prevents that.
constexpr unsigned kAllowed[] = {
    // reading and writing open files
    __NR_read, __NR_readv, __NR_pread64, __NR_preadv, __NR_write, __NR_writev, __NR_lseek, __NR_fstat, __NR_close,
    __NR_fcntl, __NR_flock, __NR_newfstatat,
    // memory
    __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk,
    // time, signals and locks
    __NR_clock_gettime, __NR_clock_nanosleep, __NR_gettimeofday, __NR_getrusage, __NR_getrandom, __NR_getpid,
    __NR_gettid, __NR_tgkill, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_futex,
    __NR_sched_yield, __NR_restart_syscall,
    // the end
    __NR_exit, __NR_exit_group};

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
sock_filter skip_unless(unsigned value) { return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1); }
sock_filter give(unsigned what) { return BPF_STMT(BPF_RET | BPF_K, what); }

bool filter_calls() {
  if (kMachine == 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
  // System calls of the other architecture (32 bits) have other numbers, so they are refused.
  std::vector<sock_filter> program = {load(offsetof(seccomp_data, arch)),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0), give(refuse),
                                      load(offsetof(seccomp_data, nr))};
  for (const unsigned call : kAllowed) {
    program.push_back(skip_unless(call));
    program.push_back(give(SECCOMP_RET_ALLOW));
  }
  program.push_back(give(refuse));
  const sock_fprog whole = {static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0;
}

}  // namespace

bool confine() {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_NOFILE, &none);
  return filter_calls();
}

}  // namespace warpspy
