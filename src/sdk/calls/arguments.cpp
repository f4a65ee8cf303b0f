// SPDX-License-Identifier: MIT
#include "sdk/calls/arguments.h"

#include <stdio.h>
namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

template <typename T>
T Read(const void* at) {
  T value;
  memcpy(&value, at, sizeof value);
  return value;
}

// Writes as much of the text as fits. Returns the number of bytes that the whole text needs, as
// snprintf does.
int Write(char* text, size_t room, Format format, const void* value, uint32_t bytes) {
  uint64_t raw = 0;
  memcpy(&raw, value, bytes < sizeof raw ? bytes : sizeof raw);
  const uint32_t unused = bytes < 8 ? 64 - 8 * bytes : 0;
  switch (format) {
    case Format::kUnsigned:
      return snprintf(text, room, "%llu", static_cast<unsigned long long>(raw));
    case Format::kSigned:  // the value was sign-extended to eight bytes
      return snprintf(text, room, "%lld",
                      static_cast<long long>(static_cast<int64_t>(raw << unused) >> unused));
    case Format::kFloat:
      return snprintf(text, room, "%g", static_cast<double>(Read<float>(value)));
    case Format::kBool:
      return snprintf(text, room, "%s", raw != 0 ? "true" : "false");
    case Format::kHandle:
      return snprintf(text, room, "{handle=%llu}", static_cast<unsigned long long>(raw));
    case Format::kPointer:
      return raw == 0 ? snprintf(text, room, "(null)")
                      : snprintf(text, room, "0x%llx", static_cast<unsigned long long>(raw));
    case Format::kText:
      return snprintf(text, room, "%s", raw == 0 ? "(null)" : reinterpret_cast<const char*>(raw));
    case Format::kDim3: {
      const auto size = Read<rocprofiler_dim3_t>(value);
      return snprintf(text, room, "{x=%u, y=%u, z=%u}", size.x, size.y, size.z);
    }
    default:
      return snprintf(text, room, "{...}");
  }
}

}  // namespace

LibraryFunctions FunctionsOfKind(const LibraryFunction* all, uint32_t count, uint32_t kind) {
  LibraryFunctions found = {};
  for (uint32_t i = 0; i < count; ++i) {
    if (all[i].api.callback_kind != kind) continue;
    if (found.count++ == 0) found.first = &all[i];
  }
  return found;
}

uint32_t OffsetOfArgument(const ApiArguments& arguments, uint32_t index) {
  uint32_t offset = 0;
  for (uint32_t i = 0;; ++i) {
    offset = AlignArgument(arguments.first[i], offset);
    if (i == index) return offset;
    offset += arguments.first[i].bytes;
  }
}

int32_t WriteArgument(const ApiArgument& argument, const void* value, bool follow, char* text,
                      size_t room) {
  const void* target = nullptr;
  if (argument.format == Format::kPointer) memcpy(&target, value, sizeof target);
  if (follow && target != nullptr && argument.inner != Format::kOpaque) {
    // a long text is truncated
    (void)Write(text, room, argument.inner, target, argument.inner_bytes);
    return 1;
  }
  (void)Write(text, room, argument.format, value, argument.bytes);
  return 0;
}

}  // namespace rtl::sdk
