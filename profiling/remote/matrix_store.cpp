#include "profiling/remote/matrix_store.hpp"

#include <algorithm>
#include <utility>

namespace warpspy {

const Matrix* MatrixStore::find(const std::string& key) {
  const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.key == key; });
  if (at == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, at);
  return &kept_.front().matrix;
}

void MatrixStore::put(const std::string& key, Matrix matrix, double bytes) {
  kept_.remove_if([&](const Kept& k) { return k.key == key; });
  kept_.push_front({key, std::move(matrix), bytes});
  while (kept_.size() > 1 && this->bytes() > most_bytes_) kept_.pop_back();
}

double MatrixStore::bytes() const {
  double sum = 0;
  for (const Kept& k : kept_) sum += k.bytes;
  return sum;
}

}  // namespace warpspy
