#include "app/readers/inside.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace warpspy {
namespace {

// Closes what the library handed out.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class Walk {
 public:
  explicit Walk(hid_t file) : file_(file) {
    H5O_info_t root = {};
    if (H5Oget_info_by_name(file, "/", &root, H5P_DEFAULT) >= 0)
      add(root.addr, "");
    else
      damaged("", "its root cannot be read");
  }

  // Objects are identified by their address. So an object with several names, or one that contains itself, is visited
  // once.
  Outside run() {
    while (!left_.empty() && found_.what.empty()) {
      const auto [address, name] = std::move(left_.back());
      left_.pop_back();
      look(address, name);
    }
    return found_;
  }

 private:
  void add(haddr_t address, std::string name) {
    if (seen_.insert(address).second) left_.emplace_back(address, std::move(name));
  }
  void report(const std::string& name, const std::string& what) {
    if (found_.what.empty()) found_.what = what + " (" + (name.empty() ? "/" : name.substr(0, 200)) + ")";
  }
  void damaged(const std::string& name, const std::string& what) {
    if (found_.what.empty()) found_.damaged = true;
    report(name, what);
  }

  void look(haddr_t address, const std::string& name) {
    const Handle object(H5Oopen_by_addr(file_, address), H5Oclose);
    H5O_info_t info = {};
    // An object that cannot be opened cannot be read either.
    if (object < 0 || H5Oget_info(object, &info) < 0) return damaged(name, "an object in it cannot be read");
    if (info.type == H5O_TYPE_GROUP) group(object, name);
    if (info.type == H5O_TYPE_DATASET) dataset(object, name);
  }

  void group(hid_t group, const std::string& name) {
    name_ = name;
    // Visits the links themselves, and follows none.
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, link, this) < 0)
      damaged(name, "a group in it cannot be read");
  }
  static herr_t link(hid_t, const char* name, const H5L_info_t* info, void* self) {
    Walk& walk = *static_cast<Walk*>(self);
    const std::string full = walk.name_ + "/" + name;
    if (info->type == H5L_TYPE_HARD) {
      walk.add(info->u.address, full);
      return 0;
    }
    walk.report(full, info->type == H5L_TYPE_EXTERNAL ? "it links to another file"
                      : info->type == H5L_TYPE_SOFT   ? "it has a soft link, which MATLAB does not write"
                                                      : "it has a link of an unknown kind");
    return 1;
  }

  void dataset(hid_t set, const std::string& name) {
    const Handle how(H5Dget_create_plist(set), H5Pclose);
    const H5D_layout_t layout = how < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(how);
    if (layout == H5D_VIRTUAL) return report(name, "its values come out of other files (a virtual dataset)");
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
      return report(name, "a dataset in it is stored in an unknown way");
    if (H5Pget_external_count(how) != 0) return report(name, "its values lie in another file (external storage)");
    const Handle type(H5Dget_type(set), H5Tclose);
    if (type < 0) return damaged(name, "a dataset in it is of an unknown type");
    if (H5Tdetect_class(type, H5T_REFERENCE) == 0) return;
    // MATLAB uses object references for the elements of cells and structures.
    if (H5Tequal(type, H5T_STD_REF_OBJ) <= 0) return report(name, "it has references that MATLAB does not write");
    references(set, name);
  }

  void references(hid_t set, const std::string& name) {
    constexpr hssize_t kMost = 1 << 24;
    const Handle space(H5Dget_space(set), H5Sclose);
    const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (count < 0 || count > kMost) return damaged(name, "its references cannot be read");
    std::vector<hobj_ref_t> to(static_cast<std::size_t>(count));
    if (count > 0 && H5Dread(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, to.data()) < 0)
      return damaged(name, "its references cannot be read");
    for (const hobj_ref_t address : to)
      if (address != 0 && address != HADDR_UNDEF) add(address, name);
  }

  hid_t file_;
  std::set<haddr_t> seen_;
  std::vector<std::pair<haddr_t, std::string>> left_;
  std::string name_;
  Outside found_;
};

}  // namespace

Outside leads_outside(hid_t file) { return Walk(file).run(); }

}  // namespace warpspy
