// SPDX-License-Identifier: MIT
// code_objects.h: which kernels the application has loaded, under which names and at which
// addresses. Watches executables being frozen and destroyed, and looks kernels up for the hook that
// sees packets.
//
// Threads    Install and Reset: one at a time; everything else: any thread
// Blocking   KernelFor: a lock held for a hash look-up or one record. Announce: calls the runtime
//            and reads descriptors, on the thread that freezes an executable, without the lock
// Memory     grows with the number of loaded kernels; never freed
// Errors     an unreadable property of a kernel is zero ("unknown"); a kernel without any symbol
//            gets a record with kKernelFlagUnknown
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/codeobj/code_object_watcher.h"
#include "capture/codeobj/kernel_map.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/kernel_lookup.h"
#include "device/kernel_descriptor.h"
#include "model/record_sink.h"

namespace rtl::capture {

class CodeObjects final : public KernelLookup {
 public:
  CodeObjects() = default;
  CodeObjects(const CodeObjects&) = delete;
  CodeObjects& operator=(const CodeObjects&) = delete;

  // Reads the agents and puts the hooks for hsa_executable_freeze and hsa_executable_destroy into
  // `tables` (open). From then on the runtime's functions call into this object. `tables` and
  // `sink` must live as long as the process.
  Status Install(HsaTables* tables, RecordSink* sink);

  // Set the watchers of executables: one for tools, one for PC samples. Null for none. To be set
  // before the first executable is loaded. A watcher must live as long as the process.
  void Watch(CodeObjectWatcher* watcher) { watchers_[0] = watcher; }
  void WatchForSamples(CodeObjectWatcher* watcher) { watchers_[1] = watcher; }

  // From now on the hooks only pass calls through. Called when tracing ends, and in the child of a
  // fork.
  void Disarm();

  // Forgets all kernels: the runtime was unloaded with every executable. Kernel ids are not reused.
  void Reset();

  // Called by the hook after an executable was frozen. Its kernels get new ids, even if their
  // addresses were used by others before.
  void Announce(hsa_executable_t executable);
  // Announces the executables that were loaded before the hooks were installed.
  void AnnounceRunning();
  // Announces all loaded executables once more, with the same kernel ids, to tools that join later.
  void Repeat(RecordSink* sink, CodeObjectWatcher* watcher);
  void Forget(hsa_executable_t executable);

  uint32_t KernelFor(uint64_t kernel_object) override;
  const std::atomic<uint64_t>& generation() const override { return generation_; }

 private:
  static constexpr size_t kMaxAgents = 128;
  struct Agent {
    uint64_t handle;
    uint32_t number;
    bool known_generation;
    GfxVersion gfx;
  };
  struct Symbols;
  struct Executables;

  static hsa_status_t OnFreeze(hsa_executable_t executable, const char* options);
  static hsa_status_t OnDestroy(hsa_executable_t executable);
  void LearnAgents();
  void LearnLoader();
  const Agent* FindAgent(hsa_agent_t agent) const;
  // `again`: null for the first time; otherwise the sink to which the symbol is announced once
  // more.
  void AnnounceSymbol(hsa_executable_symbol_t symbol, hsa_executable_t executable,
                      uint64_t code_object, Symbols* symbols, RecordSink* again);
  void AnnounceSymbols(hsa_executable_t executable, uint64_t code_object, RecordSink* again);
  void ReadResources(const Agent* agent, KernelRecord* record) const;
  bool ReadDescriptor(uint64_t kernel_object, void* out, size_t bytes) const;
  uint32_t Emit(KernelRecord record, uint64_t owner, const char* name, size_t name_bytes)
      RTL_REQUIRES(mutex_);

  const HsaApi* hsa_ = nullptr;
  RecordSink* sink_ = nullptr;
  CodeObjectWatcher* watchers_[2] = {};
  hsa_status_t (*host_address_)(const void* device, const void** host) = nullptr;
  Agent agents_[kMaxAgents] = {};
  size_t agent_count_ = 0;
  std::atomic<bool> armed_{false};
  std::atomic<uint64_t> generation_{0};
  std::atomic<uint64_t> frozen_{0};  // executables frozen so far
  Mutex mutex_{Rank::kCodeObjects};
  KernelMap map_ RTL_GUARDED_BY(mutex_);
  uint32_t next_kernel_ RTL_GUARDED_BY(mutex_) = 1;
};

}  // namespace rtl::capture
