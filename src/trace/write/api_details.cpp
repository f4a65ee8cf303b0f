// SPDX-License-Identifier: MIT
#include "trace/write/api_details.h"

#include <initializer_list>
#include <string>

namespace rtl::store {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Finds the first of these arguments that the call has.
bool FindFirst(const ApiArguments& arguments, std::initializer_list<std::string_view> names,
               uint64_t* value) {
  for (const std::string_view name : names) {
    const ApiArg* argument = nullptr;
    uint32_t slot = 0;
    if (!arguments.Find(name, &argument, &slot)) continue;
    *value = arguments.Slot(slot);
    return true;
  }
  return false;
}

// Finds one argument with three numbers, or three arguments whose names end in X, Y and Z.
bool FindThree(const ApiArguments& arguments, std::initializer_list<std::string_view> names,
               uint64_t (&out)[3]) {
  for (const std::string_view name : names) {
    const ApiArg* argument = nullptr;
    uint32_t slot = 0;
    for (const char* suffix : {"", "X"}) {
      if (!arguments.Find(std::string(name) + suffix, &argument, &slot)) continue;
      if (argument->form == ArgForm::kDim3) {
        out[0] = static_cast<uint32_t>(arguments.Slot(slot));
        out[1] = arguments.Slot(slot) >> 32;
        out[2] = arguments.Slot(slot + 1);
        return true;
      }
      if (argument->form != ArgForm::kUnsigned) return false;
      for (uint32_t axis = 0; axis < 3; ++axis) out[axis] = arguments.Slot(slot + axis);
      return true;
    }
  }
  return false;
}

// The hipMemcpyKind according to the name of a call that has no argument for it.
int64_t KindOf(std::string_view name) {
  if (Contains(name, "HtoD") || Contains(name, "ToSymbol") || Contains(name, "HtoA")) return 1;
  if (Contains(name, "DtoH") || Contains(name, "FromSymbol") || Contains(name, "AtoH")) return 2;
  if (Contains(name, "DtoD") || Contains(name, "Peer")) return 3;
  return 4;  // hipMemcpyDefault: HIP finds out the direction
}

}  // namespace

std::optional<LaunchDetails> FindLaunch(const ApiArguments& arguments) {
  if (arguments.call() == nullptr) return std::nullopt;
  const std::string_view name = arguments.call()->name;
  if (!Contains(name, "Launch") || !Contains(name, "Kernel")) return std::nullopt;
  LaunchDetails launch;
  if (!FindThree(arguments, {"numBlocks", "gridDim", "globalWorkSize"}, launch.grid) ||
      !FindThree(arguments, {"dimBlocks", "blockDim", "localWorkSize"}, launch.workgroup)) {
    return std::nullopt;
  }
  // if there is none: the null stream
  (void)FindFirst(arguments, {"stream", "hStream"}, &launch.stream);
  // If there is none: zero.
  (void)FindFirst(arguments, {"sharedMemBytes", "sharedMem"}, &launch.shared_bytes);
  return launch;
}

std::optional<CopyDetails> FindCopy(const ApiArguments& arguments) {
  if (arguments.call() == nullptr) return std::nullopt;
  const std::string_view name = arguments.call()->name;
  CopyDetails copy;
  if (Contains(name, "Batch")) return std::nullopt;  // makes many copies
  if (!name.starts_with("hipMemcpy") ||
      !FindFirst(arguments, {"sizeBytes", "ByteCount", "count", "size"}, &copy.bytes)) {
    uint64_t width = 0;
    uint64_t height = 0;
    if (!name.starts_with("hipMemcpy2D") || !FindFirst(arguments, {"width"}, &width) ||
        !FindFirst(arguments, {"height"}, &height)) {
      return std::nullopt;
    }
    copy.bytes = width * height;
  }
  (void)FindFirst(arguments, {"dst", "dstDevice", "dstHost", "dstDeviceId"}, &copy.dst);
  (void)FindFirst(arguments, {"src", "srcDevice", "srcHost"}, &copy.src);
  (void)FindFirst(arguments, {"stream", "hStream"}, &copy.stream);
  uint64_t kind = 0;
  copy.kind = FindFirst(arguments, {"kind"}, &kind) ? static_cast<int64_t>(kind) : KindOf(name);
  copy.sync = !Contains(name, "Async");
  return copy;
}

}  // namespace rtl::store
