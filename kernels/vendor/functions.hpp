// The functions of cuSPARSE, looked up in the library that was found at run time. Only this folder uses them, in builds
// with CUDA.
#pragma once

#include <cusparse.h>

#include <string>

#include "kernels/vendor/library.hpp"

namespace warpspy::cusparse {

// The types come from the header; the library is not linked.
struct Functions {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseGetProperty) get_property = nullptr;
  decltype(&cusparseGetErrorString) error_string = nullptr;
  decltype(&cusparseCreateConstCsr) create_csr = nullptr;
  decltype(&cusparseCreateConstCoo) create_coo = nullptr;
  decltype(&cusparseCreateConstSlicedEll) create_sell = nullptr;
  decltype(&cusparseCreateConstBsr) create_bsr = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseCreateConstDnVec) create_const_vector = nullptr;
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseCreateSpVec) create_sparse_vector = nullptr;
  decltype(&cusparseDestroySpVec) destroy_sparse_vector = nullptr;
  decltype(&cusparseGather) gather = nullptr;
  decltype(&cusparseScatter) scatter = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) spmv = nullptr;
};

// The functions, or nullptr if vendor_library() is not available.
const Functions* functions();

}  // namespace warpspy::cusparse
