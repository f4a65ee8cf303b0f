// SPDX-License-Identifier: MIT
// code_objects.h: reports to tools when code objects and kernels are loaded and unloaded.
//
//   LOAD ─► its kernels, each with its host function ─► (dispatches) ─► the same, UNLOAD ─► UNLOAD
//
// Threads    any; the tools' functions run on the thread that loads, without a lock of ours
//            here (capture/codeobj/code_object_watcher.h)
// Memory     grows with loaded code; names are never freed, because tools keep them
// Errors     a value that the runtime does not report is zero
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/pc_sampling_records.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/codeobj/code_object_watcher.h"
#include "capture/pc_sampling/pc_sampler.h"
#include "model/records.h"
#include "sdk/code_objects/host_functions.h"
#include "sdk/contexts/contexts.h"

namespace rtl::sdk {

// Maps the engine's numbers of agents to their ids.
class AgentNumbers {
 public:
  virtual rocprofiler_agent_id_t AgentOf(uint32_t number) const = 0;
  // `node`: the driver's node id.
  virtual rocprofiler_agent_id_t AgentAt(uint32_t node) const = 0;

 protected:
  ~AgentNumbers() = default;
};

class CodeObjectEvents final : public capture::CodeObjectWatcher, public HostFunctions::Watcher {
 public:
  CodeObjectEvents(Contexts* contexts, const AgentNumbers* agents)
      : contexts_(contexts), agents_(agents), host_functions_(this) {}

  // True if some context subscribes to the operation.
  bool Asked(int32_t operation) const;
  HostFunctions& host_functions() { return host_functions_; }

  // Samples in a code object are delivered before the object is unloaded.
  void FlushBeforeUnload(capture::PcSampler* sampler) {
    sampler_.store(sampler, std::memory_order_release);
  }
  // Finds the code object that contains a device address now, or was the last to contain it. Code
  // object zero: none.
  rocprofiler_pc_t PlaceOf(uint64_t address);

  // A kernel was announced; Loaded reports its code object later.
  void Note(const KernelRecord& record, const char* name);

  void Loaded(const capture::HsaApi& hsa, hsa_executable_t executable,
              uint64_t generation) override;
  void Unloading(hsa_executable_t executable) override;
  void AllGone() override;
  void OnHostFunction(const char* kernel) override;

 private:
  using LoadData = rocprofiler_callback_tracing_code_object_load_data_t;
  using KernelData = rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t;
  // For each context: its user_data, and whether the load was reported to it.
  struct Told {
    rocprofiler_user_data_t data[Contexts::kMost];
    bool told[Contexts::kMost];
  };
  struct Host;
  struct Kernel;
  struct Object;
  struct Range;
  struct Query;

  static void Collect(void* query, hsa_loaded_code_object_t loaded);
  Object* Describe(const Query& query, hsa_loaded_code_object_t loaded);
  void KeepRange(const LoadData& object) RTL_REQUIRES(mutex_);
  void TakeKernels(uint64_t generation, Object* objects) RTL_REQUIRES(mutex_);
  void TellLoaded(Object* object);
  void TellUnloaded(Object* objects);
  Host* TellHost(const KernelData& kernel, const LoadData& object);
  void Keep(const KernelData& kernel, Host* host);
  void ForgetHost(Host* host);
  void Tell(int32_t operation, rocprofiler_callback_phase_t phase, void* payload, Told* told);

  Contexts* const contexts_;
  const AgentNumbers* const agents_;
  Mutex mutex_{Rank::kTools};
  Object* objects_ RTL_GUARDED_BY(mutex_) = nullptr;
  Range* ranges_ RTL_GUARDED_BY(mutex_) = nullptr;  // newest first; never freed
  // kernels of objects that are not reported yet, newest first
  Kernel* new_kernels_ RTL_GUARDED_BY(mutex_) = nullptr;
  uint64_t next_id_ RTL_GUARDED_BY(mutex_) = 1;
  std::atomic<uint64_t> next_host_id_{1};
  std::atomic<capture::PcSampler*> sampler_{nullptr};
  HostFunctions host_functions_;
};

}  // namespace rtl::sdk
