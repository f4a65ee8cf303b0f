// SPDX-License-Identifier: MIT
// arguments.h: describes the functions of a library: as operations of the interface, with their
// arguments, the offsets of these in a payload, and how their text is written.
//
// Threads    any; everything is constant
#pragma once

#include <stdint.h>
#include <string.h>

#include "sdk/calls/api_calls.h"

namespace rtl::sdk {

struct ApiArgument {
  // How a value is written. For example a pointer in base 16, a text unchanged, a handle as
  // {handle=N}.
  enum class Format : uint8_t {
    kUnsigned,
    kSigned,
    kFloat,
    kBool,
    kHandle,
    kPointer,
    kText,
    kDim3,
    kOpaque,
  };
  const char* type;
  const char* name;
  Format format;
  uint16_t bytes;
  uint8_t stars;
  Format inner;  // format of the pointer's target; kOpaque: the target is not read
  uint16_t inner_bytes;
  uint8_t alignment = 0;  // zero: the alignment of an integer of the argument's size
};

struct ApiArguments {
  const ApiArgument* first;
  uint32_t count;
};

struct LibraryFunction {
  const char* name;
  ApiFunction api;
  ApiArguments arguments;
};

// The functions of one kind, indexed by operation.
struct LibraryFunctions {
  const LibraryFunction* first;  // null if there is no such kind
  int32_t count;

  // Null if there is no such operation.
  const LibraryFunction* Find(int32_t operation) const {
    return operation < 0 || operation >= count ? nullptr : &first[operation];
  }
};
// The functions of this callback kind among all; they follow each other.
LibraryFunctions FunctionsOfKind(const LibraryFunction* all, uint32_t count, uint32_t kind);

// The offset of an argument in the payload if the arguments before it end at `offset`. Arguments
// follow each other like members of a C structure.
inline uint32_t AlignArgument(const ApiArgument& argument, uint32_t offset) {
  const uint32_t natural = argument.bytes < 8 ? argument.bytes : 8;
  const uint32_t alignment = argument.alignment != 0 ? argument.alignment : natural;
  return (offset + alignment - 1) & ~(alignment - 1);
}
uint32_t OffsetOfArgument(const ApiArguments& arguments, uint32_t index);

// Writes a value as the next argument of the payload, with the alignment of a member of a C
// structure.
template <typename T>
void PutArgument(char* base, size_t* offset, const T& value) {
  *offset = (*offset + alignof(T) - 1) / alignof(T) * alignof(T);
  constexpr size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): of pointers, too
  memcpy(base + *offset, &value, kSize);
  *offset += kSize;
}

// Writes the text of one argument; returns how many pointers it followed.
int32_t WriteArgument(const ApiArgument& argument, const void* value, bool follow, char* text,
                      size_t room);

}  // namespace rtl::sdk
