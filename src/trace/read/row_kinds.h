// SPDX-License-Identifier: MIT
// row_kinds.h: the kinds of rows that a trace can have. An export whose format cannot hold a kind
// reports how many rows it leaves out (TraceReader::CountRows).
//
// Threads    any; everything is constant
#pragma once

#include <cstddef>
#include <cstdint>

namespace rtl::query {

// Each row: kind, singular, plural.
#define RTL_ROW_KINDS(X)                                                                  \
  X(kKernel, "kernel", "kernels")                                                         \
  X(kCopy, "copy", "copies")                                                              \
  X(kBarrier, "barrier packet", "barrier packets")                                        \
  X(kCall, "API call", "API calls")                                                       \
  X(kMarker, "range or mark", "ranges and marks")                                         \
  X(kHsaCall, "call of HSA", "calls of HSA")                                              \
  X(kRcclCall, "call of RCCL", "calls of RCCL")                                           \
  X(kAllocation, "allocation or release of memory", "allocations and releases of memory") \
  X(kScratch, "event of scratch memory", "events of scratch memory")                      \
  X(kInit, "initialization of a runtime", "initializations of runtimes")                  \
  X(kCounted, "kernel's hardware counters", "kernels' hardware counters")                 \
  X(kSample, "sample of a program counter", "samples of program counters")                \
  X(kOperator, "operator", "operators")                                                   \
  X(kFunction, "Python function", "Python functions")                                     \
  X(kInFlight, "packet in flight at the end", "packets in flight at the end")             \
  X(kFault, "memory fault", "memory faults")

enum class RowKind : uint8_t {
#define X(kind, ...) kind,
  RTL_ROW_KINDS(X)
#undef X
};
#define X(...) +1
inline constexpr size_t kRowKindCount = 0 RTL_ROW_KINDS(X);
#undef X

// For example "operator" or "operators", depending on `rows`.
const char* TextOf(RowKind kind, uint64_t rows);

class RowSet {
 public:
  template <typename... Kinds>
  static constexpr RowSet Of(Kinds... kinds) {
    return RowSet((Bit(kinds) | ... | 0u));
  }
  template <typename... Kinds>
  static constexpr RowSet AllBut(Kinds... kinds) {
    return RowSet(~(Bit(kinds) | ... | 0u));
  }

  constexpr bool Has(RowKind kind) const { return (bits_ & Bit(kind)) != 0; }

 private:
  constexpr explicit RowSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(RowKind kind) { return uint32_t{1} << static_cast<uint32_t>(kind); }
  uint32_t bits_;
};
static_assert(kRowKindCount <= 32);

}  // namespace rtl::query
