// Data with several owners. An owner that changes the data gets a new copy, and the other owners keep the old data.
#pragma once

#include <memory>
#include <utility>

namespace warpspy {

template <class T>
class Shared {
 public:
  Shared() : Shared(T()) {}
  Shared(T value) : data_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *data_; }
  const T* operator->() const { return data_.get(); }
  const std::shared_ptr<const T>& pointer() const { return data_; }
  // `change` gets a copy.
  template <class Change>
  void edit(Change&& change) {
    T copy = *data_;
    change(copy);
    data_ = std::make_shared<const T>(std::move(copy));
  }
  // Whether both hold the same object.
  bool operator==(const Shared& o) const = default;

 private:
  std::shared_ptr<const T> data_;
};

}  // namespace warpspy
