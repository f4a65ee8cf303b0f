// SPDX-License-Identifier: MIT
#include "store/api_details.h"

#include <charconv>
#include <initializer_list>
#include <string>

namespace rtl::store {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The first of these arguments that the call has.
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

// One argument with three numbers, or three arguments whose names end in X, Y and Z.
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

// The hipMemcpyKind in the name of a call that has no argument for it.
int64_t KindOf(std::string_view name) {
  if (Contains(name, "HtoD") || Contains(name, "ToSymbol") || Contains(name, "HtoA")) return 1;
  if (Contains(name, "DtoH") || Contains(name, "FromSymbol") || Contains(name, "AtoH")) return 2;
  if (Contains(name, "DtoD") || Contains(name, "Peer")) return 3;
  return 4;  // hipMemcpyDefault: HIP finds out
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
  (void)FindFirst(arguments, {"stream", "hStream"}, &launch.stream);  // otherwise the null stream
  // Otherwise none
  (void)FindFirst(arguments, {"sharedMemBytes", "sharedMem"}, &launch.shared_bytes);
  return launch;
}

std::optional<CopyDetails> FindCopy(const ApiArguments& arguments) {
  if (arguments.call() == nullptr) return std::nullopt;
  const std::string_view name = arguments.call()->name;
  CopyDetails copy;
  if (Contains(name, "Batch")) return std::nullopt;  // many copies
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

Status ApiDetails::Prepare(const Database& database, int64_t no_kernel, int64_t last_shape) {
  no_kernel_ = no_kernel;
  shapes_.Begin(last_shape);
  RTL_TRY(shape_.Prepare(database,
                         "INSERT INTO rtl_launch_call (id, stream, gridX, gridY, gridZ, workgroupX,"
                         " workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize,"
                         " kernelName_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"));
  RTL_TRY(
      launch_.Prepare(database, "INSERT INTO rtl_kernelapi (api_id, launch_call) VALUES (?, ?)"));
  return copy_.Prepare(database,
                       "INSERT INTO rocpd_copyapi (api_id, stream, size, dst, src, kind, sync)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?)");
}

Status ApiDetails::Write(int64_t api, const LaunchDetails& launch, int64_t name) {
  int64_t id = 0;
  if (shapes_.Add({.launch = launch, .name = name}, &id)) {
    RTL_TRY(shape_.Insert(id, Hex(launch.stream), launch.grid[0], launch.grid[1], launch.grid[2],
                          launch.workgroup[0], launch.workgroup[1], launch.workgroup[2],
                          launch.shared_bytes, name));
  }
  return launch_.Insert(api, id);
}

Status ApiDetails::AddCall(int64_t api, const ApiArguments& arguments) {
  const auto kernel = kernels_.find(api);
  if (const auto launch = FindLaunch(arguments)) {
    if (kernel != kernels_.end()) {
      const int64_t name = kernel->second;
      kernels_.erase(kernel);
      return Write(api, *launch, name);
    }
    if (launches_.size() >= kMaxWaiting) RTL_TRY(Settle());
    launches_.emplace(api, *launch);
    return Status::Ok();
  }
  if (kernel != kernels_.end()) kernels_.erase(kernel);
  const auto copy = FindCopy(arguments);
  if (!copy.has_value()) return Status::Ok();
  return copy_.Insert(api, Hex(copy->stream), copy->bytes, Hex(copy->dst), Hex(copy->src),
                      copy->kind, copy->sync ? 1 : 0);
}

Status ApiDetails::AddKernel(int64_t api, int64_t name) {
  const auto launch = launches_.find(api);
  if (launch != launches_.end()) {
    const LaunchDetails details = launch->second;
    launches_.erase(launch);
    return Write(api, details, name);
  }
  // A call that was read already needs no name: names that are kept too long are dropped.
  if (kernels_.size() >= kMaxWaiting) kernels_.clear();
  kernels_.emplace(api, name);
  return Status::Ok();
}

Status ApiDetails::Settle() {
  for (const auto& [api, launch] : launches_) RTL_TRY(Write(api, launch, no_kernel_));
  launches_.clear();
  return Status::Ok();
}

void ApiDetails::Finalize() {
  shape_.Finalize();
  launch_.Finalize();
  copy_.Finalize();
}

}  // namespace rtl::store
