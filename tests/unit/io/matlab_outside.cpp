// MATLAB 7.3 files that take their values from elsewhere: HDF5 would read whatever file a stranger names, and hand it
// out as a matrix. Each attack is a line; the next one, too. The program that reads is also closed off from everything
// that it does not need, whether an attack is known or not.
#define H5_USE_110_API
#include <fcntl.h>
#include <hdf5.h>
#include <matio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>

#include "app/readers/confined.hpp"
#include "open_helper.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t kEntries = 3;

hid_t space() { return H5Screate_simple(1, &kEntries, nullptr); }

// /A/data, made anew in some other way.
void make_data(hid_t file, hid_t how) {
  H5Ldelete(file, "A/data", H5P_DEFAULT);
  const hid_t of = space();
  H5Dclose(H5Dcreate2(file, "A/data", H5T_NATIVE_DOUBLE, of, H5P_DEFAULT, how, H5P_DEFAULT));
  H5Sclose(of), H5Pclose(how);
}

void external(hid_t file, const std::string& from) {
  const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(how, from.c_str(), 0, kEntries * sizeof(double));
  make_data(file, how);
}

void virtual_set(hid_t file, const std::string& from) {
  const hid_t how = H5Pcreate(H5P_DATASET_CREATE), all = space();
  H5Pset_virtual(how, all, from.c_str(), "A/data", all);
  H5Sclose(all);
  make_data(file, how);
}

// A dataset with external storage that no link leads to, only a reference out of a cell.
void behind_a_reference(hid_t file, const std::string& from) {
  const hid_t how = H5Pcreate(H5P_DATASET_CREATE), of = space();
  H5Pset_external(how, from.c_str(), 0, kEntries * sizeof(double));
  const hid_t hidden = H5Dcreate2(file, "hidden", H5T_NATIVE_DOUBLE, of, H5P_DEFAULT, how, H5P_DEFAULT);
  hobj_ref_t to[kEntries] = {};
  for (hobj_ref_t& t : to) H5Rcreate(&t, file, "hidden", H5R_OBJECT, -1);
  H5Oincr_refcount(hidden);
  H5Ldelete(file, "hidden", H5P_DEFAULT);
  const hid_t cell = H5Dcreate2(file, "cell", H5T_STD_REF_OBJ, of, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(cell, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  H5Dclose(cell), H5Dclose(hidden), H5Sclose(of), H5Pclose(how);
}

void region(hid_t file, const std::string&) {
  const hid_t of = space();
  H5Dclose(H5Dcreate2(file, "region", H5T_STD_REF_DSETREG, of, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(of);
}

hid_t nowhere(const char*, hid_t, const void*, size_t, hid_t, hid_t) { return -1; }

void user_defined(hid_t file, const std::string&) {
  H5L_class_t kind = {};
  kind.version = H5L_LINK_CLASS_T_VERS;
  kind.id = static_cast<H5L_type_t>(200);
  kind.comment = "a kind of its own";
  kind.trav_func = nowhere;
  H5Lregister(&kind);
  H5Lcreate_ud(file, "other", kind.id, nullptr, 0, H5P_DEFAULT, H5P_DEFAULT);
}

void deep(hid_t file, const std::string& from) {
  const hid_t with = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(with, 1);
  H5Gclose(H5Gcreate2(file, "a/b/c", with, H5P_DEFAULT, H5P_DEFAULT));
  H5Pclose(with);
  H5Lcreate_external(from.c_str(), "/A/data", file, "a/b/c/d", H5P_DEFAULT, H5P_DEFAULT);
}

struct Attack {
  const char* name;
  void (*make)(hid_t file, const std::string& other);
  const char* said;
};
constexpr Attack kAttacks[] = {
    {"external storage of a file", external, "its values lie in another file (external storage) (/A/data)"},
    {"external storage of the environment", [](hid_t f, const std::string&) { external(f, "/proc/self/environ"); },
     "its values lie in another file (external storage) (/A/data)"},
    {"a virtual dataset", virtual_set, "its values come out of other files (a virtual dataset) (/A/data)"},
    {"a virtual dataset of itself", [](hid_t f, const std::string&) { virtual_set(f, "."); }, "a virtual dataset"},
    {"an external link in place of the values",
     [](hid_t f, const std::string& other) {
       H5Ldelete(f, "A/data", H5P_DEFAULT);
       H5Lcreate_external(other.c_str(), "/A/data", f, "A/data", H5P_DEFAULT, H5P_DEFAULT);
     },
     "it links to another file (/A/data)"},
    {"an external link in place of the matrix",
     [](hid_t f, const std::string& other) {
       H5Ldelete(f, "A", H5P_DEFAULT);
       H5Lcreate_external(other.c_str(), "/A", f, "A", H5P_DEFAULT, H5P_DEFAULT);
     },
     "it links to another file (/A)"},
    {"an external link that nothing needs", deep, "it links to another file (/a/b/c/d)"},
    {"a soft link",
     [](hid_t f, const std::string&) {
       H5Lmove(f, "A/data", f, "A/values", H5P_DEFAULT, H5P_DEFAULT);
       H5Lcreate_soft("/A/values", f, "A/data", H5P_DEFAULT, H5P_DEFAULT);
     },
     "it has a soft link, which MATLAB does not write (/A/data)"},
    {"a user-defined link", user_defined, "it has a link of an unknown kind (/other)"},
    {"behind a reference alone", behind_a_reference, "external storage) (/cell)"},
    {"references to regions", region, "it has references that MATLAB does not write (/region)"},
};

class MatlabOutside : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("warpspy_outside_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write(path_ = folder_ / "stranger.mat");
    write(other_ = folder_ / "private.mat");
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A 3 x 3 diagonal.
  static void write(const std::string& path) {
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT73);
    ASSERT_TRUE(file);
    mat_uint32_t rows[] = {0, 1, 2}, pointers[] = {0, 1, 2, 3};
    double values[] = {1.5, 2.5, 3.5};
    mat_sparse_t s = {};
    s.nzmax = s.nir = s.ndata = 3, s.njc = 4;
    s.ir = rows, s.jc = pointers, s.data = values;
    std::size_t dims[] = {3, 3};
    matvar_t* v = Mat_VarCreate("A", MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &s, MAT_F_DONT_COPY_DATA);
    EXPECT_EQ(Mat_VarWrite(file, v, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(v), Mat_Close(file);
  }
  void change(void (*make)(hid_t, const std::string&)) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    make(file, other_);
    H5Fclose(file);
  }
  fs::path folder_;
  std::string path_, other_;
};

TEST_F(MatlabOutside, WhatIsInTheFileIsRead) {
  EXPECT_EQ(test::open(path_).csr->nnz(), 3);
  // Also where a group is in itself, and what is there has two names.
  change([](hid_t f, const std::string&) {
    H5Lcreate_hard(f, "/", f, "A/again", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(f, "/A/data", f, "A/values", H5P_DEFAULT, H5P_DEFAULT);
  });
  const Matrix m = test::open(path_);
  ASSERT_EQ(m.csr->nnz(), 3);
  EXPECT_EQ(m.csr->values()[2], 3.5);
  EXPECT_TRUE(m.source.warnings.empty()) << m.source.warnings.front();
}

TEST_F(MatlabOutside, WhatLeadsOutOfItIsRefused) {
  for (const Attack& attack : kAttacks) {
    SCOPED_TRACE(attack.name);
    fs::remove(path_);
    write(path_);
    change(attack.make);
    try {
      test::open(path_);
      ADD_FAILURE() << "was read";
    } catch (const Error& e) {
      EXPECT_EQ(e.where, path_);
      EXPECT_TRUE(e.reason.starts_with("the MATLAB file leads out of itself: ")) << e.reason;
      EXPECT_NE(e.reason.find(attack.said), std::string::npos) << e.reason;
      EXPECT_NE(e.remedy.find("do not trust it"), std::string::npos) << e.remedy;
    }
  }
}

// What a process that is closed off tries in vain.
struct Attempt {
  const char* name;
  bool (*works)();
  bool anywhere = false;  // also without a filter of calls
};
constexpr Attempt kAttempts[] = {
    {"a file", [] { return ::open("/proc/self/environ", O_RDONLY) >= 0; }, true},
    {"a file of the library's", [] { return std::fopen("/proc/self/environ", "r") != nullptr; }, true},
    {"a new file", [] { return ::open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0; }, true},
    {"a copy of a descriptor", [] { return ::fcntl(0, F_DUPFD, 0) >= 0; }, true},
    {"a connection", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }, true},
    {"another process", [] { return ::syscall(SYS_clone, 17, nullptr, nullptr, nullptr, nullptr) >= 0; }},
    {"another program",
     [] {
       char* const none[] = {nullptr};
       ::execve("/bin/true", none, none);
       return errno != EPERM;
     }},
    {"removing a file", [] { return ::unlink("/nowhere/at/all") == 0 || errno != EPERM; }},
    {"a higher bound",
     [] {
       const rlimit many = {64, 64};
       return ::setrlimit(RLIMIT_NOFILE, &many) == 0 || ::open("/dev/null", O_RDONLY) >= 0;
     }},
};

// In a process of its own: 1 if it works, 0 if not.
int tried(const Attempt& attempt) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(!confine() && !attempt.anywhere ? 0 : attempt.works() ? 1 : 0);
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Confined, OpensNothingMore) {
  for (const Attempt& attempt : kAttempts) EXPECT_EQ(tried(attempt), 0) << attempt.name;
}

}  // namespace
}  // namespace warpspy
