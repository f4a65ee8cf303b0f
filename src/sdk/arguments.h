// SPDX-License-Identifier: MIT
// arguments.h: the arguments of an API's function: where they lie in a payload, and as text.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>
#include <string.h>

namespace rtl::sdk {

struct ApiArgument {
  // How a value is written: a pointer in base 16, a text as it is, a handle as {handle=N}.
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
  Format inner;  // of what a pointer points to; kOpaque: it is not looked at
  uint16_t inner_bytes;
  uint8_t alignment = 0;  // zero: as that of an integer of its size
};

struct ApiArguments {
  const ApiArgument* first;
  uint32_t count;
};

// Where an argument lies in the payload, when those before it end at `offset`; they follow each
// other as in a structure of C.
inline uint32_t AlignArgument(const ApiArgument& argument, uint32_t offset) {
  const uint32_t natural = argument.bytes < 8 ? argument.bytes : 8;
  const uint32_t alignment = argument.alignment != 0 ? argument.alignment : natural;
  return (offset + alignment - 1) & ~(alignment - 1);
}
uint32_t OffsetOfArgument(const ApiArguments& arguments, uint32_t index);

// Puts a value where the next argument lies in the payload: as a member of a structure of C.
template <typename T>
void PutArgument(char* base, size_t* offset, const T& value) {
  *offset = (*offset + alignof(T) - 1) / alignof(T) * alignof(T);
  memcpy(base + *offset, &value, sizeof(T));
  *offset += sizeof(T);
}

// Calls `tell(number, address, argument, text, dereferences)` for each, until it answers other than
// zero. `base`: of the structure. Pointers are followed at most once.
template <typename Tell>
void TellArguments(const ApiArguments& arguments, const void* base, bool follow, const Tell& tell);

// The text of one argument; how many pointers were followed for it.
int32_t WriteArgument(const ApiArgument& argument, const void* value, bool follow, char* text,
                      size_t room);

template <typename Tell>
void TellArguments(const ApiArguments& arguments, const void* base, bool follow, const Tell& tell) {
  for (uint32_t i = 0; i < arguments.count; ++i) {
    const void* const value = static_cast<const char*>(base) + OffsetOfArgument(arguments, i);
    char text[512];
    const int32_t followed = WriteArgument(arguments.first[i], value, follow, text, sizeof text);
    if (tell(i, value, arguments.first[i], text, followed) != 0) break;
  }
}

}  // namespace rtl::sdk
