// SPDX-License-Identifier: MIT
#include "sdk/runtime_events.h"

#include <rocprofiler-sdk/buffer_tracing.h>
#include <string.h>

#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/hip/hip_library.h"

namespace rtl::sdk {
namespace {

constexpr uint32_t kCallbackKind = ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION;
constexpr uint32_t kBufferKind = ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION;

constexpr struct {
  const char* name;
  rocprofiler_runtime_initialization_operation_t runtime;
} kRuntimes[] = {
    {"hsa", ROCPROFILER_RUNTIME_INITIALIZATION_HSA},
    {"hip", ROCPROFILER_RUNTIME_INITIALIZATION_HIP},
    {"roctx", ROCPROFILER_RUNTIME_INITIALIZATION_MARKER},
    {"rccl", ROCPROFILER_RUNTIME_INITIALIZATION_RCCL},
    {"rocdecode", ROCPROFILER_RUNTIME_INITIALIZATION_ROCDECODE},
    {"rocjpeg", ROCPROFILER_RUNTIME_INITIALIZATION_ROCJPEG},
};

}  // namespace

void RuntimeEvents::OnTables(const char* name, uint64_t version, uint64_t instance) {
  for (const auto& each : kRuntimes) {
    if (strcmp(each.name, name) != 0) continue;
    const bool hip = each.runtime == ROCPROFILER_RUNTIME_INITIALIZATION_HIP;
    if (hip && hip_told_.exchange(true, std::memory_order_relaxed) && instance == 0) return;
    const bool rccl = each.runtime == ROCPROFILER_RUNTIME_INITIALIZATION_RCCL;
    if (rccl && rccl_told_.exchange(true, std::memory_order_relaxed) && instance == 0) return;
    Tell(each.runtime, version, instance);
  }
}

void RuntimeEvents::OnRcclCall() {
  if (rccl_told_.exchange(true, std::memory_order_relaxed)) return;
  Tell(ROCPROFILER_RUNTIME_INITIALIZATION_RCCL, 0, 0);
}

void RuntimeEvents::OnHipCall() {
  if (hip_told_.exchange(true, std::memory_order_relaxed)) return;
  capture::HipLibrary hip;
  const bool found = hip.Find();
  Tell(ROCPROFILER_RUNTIME_INITIALIZATION_HIP,
       found ? uint64_t{10000} * hip.major() + uint64_t{100} * hip.minor() : 0, 0);
}

// The event belongs to no call, so its correlation ids are zero.
void RuntimeEvents::Tell(rocprofiler_runtime_initialization_operation_t runtime, uint64_t version,
                         uint64_t instance) {
  const uint32_t thread = ThreadId::Current();
  for (const Context& context : *contexts_) {
    if (!context.active()) continue;
    const uint64_t external = context.external.Current(thread);
    if (context.callbacks[kCallbackKind].Asks(runtime)) {
      rocprofiler_callback_tracing_runtime_initialization_data_t payload = {};
      payload.size = sizeof payload;
      payload.version = version;
      payload.instance = instance;
      rocprofiler_callback_tracing_record_t record = {};
      record.thread_id = thread;
      record.correlation_id.external.value = external;
      record.kind = ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION;
      record.operation = runtime;
      record.phase = ROCPROFILER_CALLBACK_PHASE_NONE;
      record.payload = &payload;
      rocprofiler_user_data_t data = {};
      context.Tell(&record, &data);
    }
    const BufferService& recorded = context.buffers[kBufferKind];
    if (recorded.Asks(runtime)) {
      rocprofiler_buffer_tracing_runtime_initialization_record_t record = {};
      record.size = sizeof record;
      record.kind = ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION;
      record.operation = runtime;
      record.correlation_id.external.value = external;
      record.thread_id = thread;
      record.timestamp = process_clock.NowNs();
      record.version = version;
      record.instance = instance;
      recorded.buffer->Append(record);
    }
  }
}

}  // namespace rtl::sdk
