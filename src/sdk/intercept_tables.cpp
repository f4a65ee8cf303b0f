// SPDX-License-Identifier: MIT
#include "sdk/intercept_tables.h"

#include <string.h>

namespace rtl::sdk {
namespace {

struct InterceptTable {
  uint32_t bit;
  const char* name;
  const char* library;
  uint64_t index;  // among the tables of one library
};

constexpr InterceptTable kInterceptTables[] = {
    {ROCPROFILER_HSA_TABLE, "HSA", "hsa", 0},
    {ROCPROFILER_HIP_RUNTIME_TABLE, "HIP (runtime)", "hip", 0},
    {ROCPROFILER_HIP_COMPILER_TABLE, "HIP (compiler)", "hip_compiler", 0},
    {ROCPROFILER_MARKER_CORE_TABLE, "MARKER (ROCTx)", "roctx", 0},
    {ROCPROFILER_MARKER_CONTROL_TABLE, "MARKER (ROCTx Control)", "roctx", 1},
    {ROCPROFILER_MARKER_NAME_TABLE, "MARKER (ROCTx Name)", "roctx", 2},
    {ROCPROFILER_RCCL_TABLE, "RCCL", "rccl", 0},
    {ROCPROFILER_ROCDECODE_TABLE, "rocDecode", "rocdecode", 0},
    {ROCPROFILER_ROCJPEG_TABLE, "rocJPEG", "rocjpeg", 0},
};

}  // namespace

const char* InterceptTables::NameOf(uint32_t table) {
  for (const InterceptTable& each : kInterceptTables) {
    if (each.bit == table) return each.name;
  }
  return nullptr;
}

uint32_t InterceptTables::TableOf(const char* library, uint64_t index) {
  for (const InterceptTable& each : kInterceptTables) {
    if (each.index == index && strcmp(each.library, library) == 0) return each.bit;
  }
  return 0;
}

bool InterceptTables::Add(rocprofiler_intercept_library_cb_t callback, uint32_t tables,
                          void* data) {
  const MutexLock lock(mutex_);
  if (count_ == kMost) return false;
  listeners_[count_++] = {callback, tables == 0 ? UINT32_MAX : tables, data};
  return true;
}

void InterceptTables::Tell(const char* name, uint64_t version, uint64_t instance, void** tables,
                           uint64_t count) {
  Listener listeners[kMost];
  uint32_t listening = 0;
  {
    const MutexLock lock(mutex_);
    listening = count_;
    memcpy(listeners, listeners_, count_ * sizeof(Listener));
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t table = TableOf(name, i);
    if (table == 0 || tables[i] == nullptr) continue;
    for (uint32_t j = 0; j < listening; ++j) {
      if ((listeners[j].tables & table) == 0) continue;
      void* one[] = {tables[i]};
      listeners[j].callback(static_cast<rocprofiler_intercept_table_t>(table), version, instance,
                            one, 1, listeners[j].data);
    }
  }
}

}  // namespace rtl::sdk
