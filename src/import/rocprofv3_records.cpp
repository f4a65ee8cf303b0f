// SPDX-License-Identifier: MIT
#include "import/rocprofv3_records.h"

#include <charconv>
#include <string>

namespace rtl::import {
namespace {

Status AddMarker(const Rocprofv3Call& call, ImportedTrace* trace) {
  const std::string_view name = call.message.empty() ? call.name : call.message;
  const bool is_range = call.name.find("Range") != std::string_view::npos;
  if (call.end > call.start && (is_range || !call.name.starts_with("roctxMark"))) {
    return trace->Add(
        ImportedRange{std::string(name), std::string(call.thread), call.start, call.end});
  }
  return trace->Add(ImportedMark{name, call.thread, call.start});
}

}  // namespace

Status AddCall(const Rocprofv3Call& call, ImportedTrace* trace) {
  if (call.domain.starts_with("MARKER")) return AddMarker(call, trace);
  const bool is_hsa = call.domain.starts_with("HSA");
  if (is_hsa || call.domain.starts_with("RCCL")) {
    ImportedSpan span{call};
    span.kind = is_hsa ? EventKind::kHsaCall : EventKind::kRcclCall;
    return trace->Add(span);
  }
  if (!call.domain.starts_with("HIP")) {
    return trace->Skip("a call of the domain " + std::string(call.domain));
  }
  ImportedCall hip = call;
  hip.is_compiler = call.domain.starts_with("HIP_COMPILER");
  return trace->Add(hip);
}

Status AddAllocation(const Rocprofv3Allocation& allocation, ImportedTrace* trace) {
  const auto has = [&](std::string_view word) {
    return allocation.operation.find(word) != std::string_view::npos;
  };
  ImportedSpan span;
  span.thread = allocation.thread;
  span.correlation = allocation.correlation;
  span.start = allocation.start;
  span.end = allocation.end;
  if (allocation.is_scratch) {
    span.kind = EventKind::kScratch;
    span.name = has("RECLAIM") ? "scratch_reclaim"
                : has("FREE")  ? "scratch_free"
                               : "scratch_allocate";
    const uint64_t values[] = {0, allocation.bytes, 0, allocation.flags, 0};
    span.values = values;
    return trace->Add(span);
  }
  const bool is_virtual = has("VMEM");
  span.kind = EventKind::kAllocation;
  span.name = has("FREE") ? (is_virtual ? "vmem_free" : "free")
                          : (is_virtual ? "vmem_allocate" : "allocate");
  const uint64_t values[] = {0, allocation.bytes, allocation.address, 0};
  span.values = values;
  return trace->Add(span);
}

CopyKind CopyKindOf(std::string_view direction) {
  constexpr struct {
    std::string_view word;
    CopyKind kind;
  } kKinds[] = {{"HOST_TO_DEVICE", CopyKind::kHostToDevice},
                {"DEVICE_TO_HOST", CopyKind::kDeviceToHost},
                {"DEVICE_TO_DEVICE", CopyKind::kDeviceToDevice},
                {"HOST_TO_HOST", CopyKind::kHostToHost},
                {"HostToDevice", CopyKind::kHostToDevice},
                {"DeviceToHost", CopyKind::kDeviceToHost},
                {"DeviceToDevice", CopyKind::kDeviceToDevice},
                {"PeerToPeer", CopyKind::kDeviceToDevice},
                {"HostToHost", CopyKind::kHostToHost}};
  for (const auto& [word, kind] : kKinds) {
    if (direction.find(word) != std::string_view::npos) return kind;
  }
  return CopyKind::kUnknown;
}

std::string_view WithoutKd(std::string_view kernel) {
  if (kernel.ends_with(".kd")) kernel.remove_suffix(3);
  return kernel;
}

uint64_t AnyNumber(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  uint64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  return value;
}

}  // namespace rtl::import
