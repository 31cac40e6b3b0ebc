// Writes a matrix: all threads turn rows into text, and blocks are written in order.
#include <tbb/blocked_range.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>

#include "core/base/target.hpp"
#include "core/io/io.hpp"

namespace warpspy {
namespace {

template <class T>
char* put(char* at, char* end, T value, char closing) {
  at = std::to_chars(at, end, value).ptr;  // for doubles: the fewest digits that are read back exactly
  *at = closing;
  return at + 1;
}

constexpr std::size_t kMostPerEntry = 2 * 20 + 2 * 26 + 4;
constexpr index_t kEntriesPerBlock = 16384;

struct Block {
  index_t first = 0, last = 0;  // entries
  index_t row = 0;              // of `first`
  std::string text;
};

// The parts of an entry that are written.
struct Kind {
  bool lower = false, values = true, whole = false;
  explicit Kind(const WriteOptions& o)
      : lower(o.symmetry != "general"), values(o.field != "pattern"), whole(o.field == "integer") {}
};

void fill(const Csr& a, const Kind& kind, Block& block) {
  block.text.resize(static_cast<std::size_t>(block.last - block.first) * kMostPerEntry);
  char* const begin = block.text.data();
  char* const end = begin + block.text.size();
  char* at = begin;
  const auto ptr = a.row_ptr();
  index_t row = block.row;
  a.columns().visit([&](auto columns) {
    for (index_t k = block.first; k < block.last; ++k) {
      while (ptr[row + 1] <= k) ++row;
      if (kind.lower && columns[k] > row) continue;
      at = put(at, end, row + 1, ' ');
      at = put(at, end, static_cast<index_t>(columns[k]) + 1, kind.values ? ' ' : '\n');
      if (!kind.values) continue;
      if (kind.whole) {
        at = put(at, end, static_cast<std::int64_t>(a.values()[k]), '\n');
        continue;
      }
      at = put(at, end, a.values()[k], a.is_complex() ? ' ' : '\n');
      if (a.is_complex()) at = put(at, end, a.imag()[k], '\n');
    }
  });
  block.text.resize(static_cast<std::size_t>(at - begin));
}

index_t entries_of(const Csr& a, const Kind& kind) {
  if (!kind.lower) return a.nnz();
  return tbb::parallel_reduce(
      tbb::blocked_range<index_t>(0, a.rows(), 1024), index_t{0},
      [&](const auto& range, index_t n) {
        a.columns().visit([&](auto columns) {
          for (index_t i = range.begin(); i < range.end(); ++i) {
            const auto first = columns.begin() + a.row_ptr()[i], last = columns.begin() + a.row_ptr()[i + 1];
            n += std::upper_bound(first, last, i) - first;
          }
        });
        return n;
      },
      std::plus<>());
}

std::string header_of(const Csr& a, const Kind& kind, const WriteOptions& options) {
  const std::string natural = a.is_complex() ? "complex" : "real";
  std::string text = "%%MatrixMarket matrix coordinate " + (options.field.empty() ? natural : options.field) + " " +
                     options.symmetry + "\n";
  for (std::size_t at = 0; at < options.comment.size();) {
    const std::size_t end = std::min(options.comment.find('\n', at), options.comment.size());
    text += "% " + options.comment.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text + std::to_string(a.rows()) + " " + std::to_string(a.cols()) + " " + std::to_string(entries_of(a, kind)) +
         "\n";
}

}  // namespace

void write_matrix_market(const Csr& a, const std::string& path, const WriteOptions& options, Progress* progress) {
  if (progress) progress->stage("writing " + path);
  Target target(path);
  const Kind kind(options);
  target.write(header_of(a, kind, options));
  const auto tokens = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) * 2 + 1;
  index_t next = 0;
  const auto ptr = a.row_ptr();
  using Part = std::shared_ptr<Block>;
  tbb::parallel_pipeline(
      tokens, tbb::make_filter<void, Part>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& flow) -> Part {
                if (progress) progress->check();
                if (next >= a.nnz()) {
                  flow.stop();
                  return nullptr;
                }
                auto block = std::make_shared<Block>();
                block->first = next;
                block->last = next = std::min(next + kEntriesPerBlock, a.nnz());
                const auto above = std::upper_bound(ptr.begin(), ptr.end(), block->first);
                block->row = above - ptr.begin() - 1;
                return block;
              }) & tbb::make_filter<Part, Part>(tbb::filter_mode::parallel, [&](Part block) {
                fill(a, kind, *block);
                return block;
              }) & tbb::make_filter<Part, void>(tbb::filter_mode::serial_in_order, [&](const Part& block) {
                target.write(block->text);
                if (progress) progress->set(static_cast<double>(block->last) / static_cast<double>(a.nnz()));
              }));
  target.commit();
  if (progress) progress->set(1);
}

}  // namespace warpspy
