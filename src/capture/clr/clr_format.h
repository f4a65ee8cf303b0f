// SPDX-License-Identifier: MIT
// clr_format.h: the records of HIP's built-in profiler as bytes, in each of the five forms that
// exist under one version number.
//
//   form        call  operation  further operations of a call    delivered
//   kFlat         96         56  none                            as one array
//   kFlatWide    256        128  none                            as one array
//   kChunks      256        128  an array                        chunks, emptied by a reset
//   kList        256        128  a linked list                   chunks, never freed
//   kStreaming   256        128  a linked list                   chunks, by a callback and freed
//
// Threads    pure functions
// Errors     none: the caller must check the values of the fields
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

enum class ClrForm : uint8_t { kFlat, kFlatWide, kChunks, kList, kStreaming };
const char* ClrFormName(ClrForm form);

enum class ClrOpKind : uint8_t { kDispatch = 0, kCopy = 1, kBarrier = 2 };

inline constexpr size_t kMaxClrCallBytes = 256;
inline constexpr size_t kMaxClrOpBytes = 128;
inline constexpr uint32_t kClrFill = 12;  // a value of ClrOp::copy_kind

struct ClrOp {
  uint32_t kind = 0;  // a ClrOpKind, if the value is one of them
  uint32_t copy_kind = 0;
  uint32_t device = 0;
  uint64_t queue = 0;
  uint64_t begin = 0, end = 0;
  uint64_t name = 0;  // address of the kernel's name; dispatches only
  uint64_t bytes = 0;
  uint64_t src = 0, dst = 0;
  uint32_t grid[3] = {};   // in groups
  uint32_t block[3] = {};  // in work-items
  uint64_t next = 0;       // address of the next operation in a linked list
};

struct ClrCall {
  uint64_t name = 0;  // address of the call's name; zero in the forms that number calls
  uint32_t api = 0;   // the call's number, in the forms that number calls
  uint64_t thread = 0;
  uint64_t start = 0, end = 0;
  // bytes that the call copies, allocates or sets, in the forms that record them
  uint64_t bytes = 0;
  uint32_t ops = 0;  // number of operations, as the record states it
  // kChunks: address of the array of all operations; in the other forms only `first` is valid
  uint64_t array = 0;
  ClrOp first;
};

size_t ClrCallBytes(ClrForm form);
size_t ClrOpBytes(ClrForm form);
ClrCall DecodeClrCall(ClrForm form, const uint8_t* bytes);
ClrOp DecodeClrOp(ClrForm form, const uint8_t* bytes);

// Distinguishes kFlat from kFlatWide by the first records of an array of `count` records.
// `readable` bytes at `bytes` can be read.
ClrForm TellFlatForm(const uint8_t* bytes, size_t readable, size_t count);

}  // namespace rtl::capture
