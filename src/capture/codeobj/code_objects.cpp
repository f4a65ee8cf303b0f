// SPDX-License-Identifier: MIT
#include "capture/codeobj/code_objects.h"

#include <hsa/hsa_ven_amd_loader.h>
#include <stdlib.h>
#include <string.h>

#include "base/own_memory.h"
#include "base/text.h"
#include "base/thread_state.h"

namespace rtl::capture {
namespace {

// The object that the hooks call. Hooks are plain functions in the runtime's table and carry no
// data.
std::atomic<CodeObjects*> installed{nullptr};
// The runtime's own functions, for hooks that run after this object is disarmed.
std::atomic<decltype(&::hsa_executable_freeze)> real_freeze{nullptr};
std::atomic<decltype(&::hsa_executable_destroy)> real_destroy{nullptr};

constexpr char kDescriptorSuffix[] = ".kd";
constexpr size_t kDescriptorSuffixBytes = sizeof kDescriptorSuffix - 1;

size_t NameBytes(const char* name, size_t bytes) {
  bytes = strnlen(name, bytes);
  if (bytes > kDescriptorSuffixBytes &&
      memcmp(name + bytes - kDescriptorSuffixBytes, kDescriptorSuffix, kDescriptorSuffixBytes) == 0)
    return bytes - kDescriptorSuffixBytes;
  return bytes;
}

template <typename T>
bool Ask(const HsaApi& hsa, hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t what,
         T* out) {
  return hsa.executable_symbol_get_info(symbol, what, out) == HSA_STATUS_SUCCESS;
}

}  // namespace

// The kernel symbols of one executable, and room for a name. The symbols are collected first and
// queried afterwards, because the runtime may hold locks during the iteration that the queries
// need.
struct CodeObjects::Symbols {
  const HsaApi& hsa;
  hsa_executable_symbol_t* list = nullptr;
  size_t count = 0, room = 0;
  char* name = nullptr;
  size_t name_room = 0;

  explicit Symbols(const HsaApi& api) : hsa(api) {}
  ~Symbols() {
    free(list);
    free(name);
  }

  static hsa_status_t Collect(hsa_executable_t, hsa_executable_symbol_t symbol, void* data) {
    auto* self = static_cast<Symbols*>(data);
    hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_VARIABLE;
    if (!Ask(self->hsa, symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) ||
        kind != HSA_SYMBOL_KIND_KERNEL)
      return HSA_STATUS_SUCCESS;
    if (self->count == self->room) {
      const size_t room = self->room == 0 ? 64 : self->room * 2;
      void* grown = realloc(self->list, room * sizeof *self->list);
      // Out of memory: kernels that are missing here are recorded as unknown when they are
      // dispatched.
      if (grown == nullptr) return HSA_STATUS_SUCCESS;
      self->list = static_cast<hsa_executable_symbol_t*>(grown);
      self->room = room;
    }
    self->list[self->count++] = symbol;
    return HSA_STATUS_SUCCESS;
  }

  // The symbol's name without ".kd"; empty when it is not available.
  size_t ReadName(hsa_executable_symbol_t symbol) {
    uint32_t bytes = 0;
    if (!Ask(hsa, symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &bytes)) return 0;
    if (size_t{bytes} + 1 > name_room) {
      void* grown = realloc(name, size_t{bytes} + 1);
      if (grown == nullptr) return 0;
      name = static_cast<char*>(grown);
      name_room = size_t{bytes} + 1;
    }
    memset(name, 0, size_t{bytes} + 1);
    // The runtime writes exactly `bytes` bytes, without a terminator.
    if (hsa.executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name) !=
        HSA_STATUS_SUCCESS)
      return 0;
    return NameBytes(name, bytes);
  }
};

Status CodeObjects::Install(HsaTables* tables, RecordSink* sink) {
  hsa_ = &tables->api();
  sink_ = sink;
  LearnAgents();
  LearnLoader();
  real_freeze.store(hsa_->executable_freeze, std::memory_order_relaxed);
  real_destroy.store(hsa_->executable_destroy, std::memory_order_relaxed);
  installed.store(this, std::memory_order_release);  // pairs with the hooks' acquire
  armed_.store(true, std::memory_order_release);     // publishes what the hooks read: see OnFreeze
  RTL_TRY(tables->Replace(HsaSlot::executable_freeze, &OnFreeze));
  return tables->Replace(HsaSlot::executable_destroy, &OnDestroy);
}

void CodeObjects::Disarm() { armed_.store(false, std::memory_order_release); }

void CodeObjects::Reset() {
  Disarm();
  {
    const MutexLock lock(mutex_);
    map_.Clear();
  }
  generation_.fetch_add(1, std::memory_order_release);  // pairs with the packet hook's acquire
  for (CodeObjectWatcher* const watcher : watchers_) {
    if (watcher != nullptr) watcher->AllGone();
  }
}

hsa_status_t CodeObjects::OnFreeze(hsa_executable_t executable, const char* options) {
  const hsa_status_t status =
      real_freeze.load(std::memory_order_relaxed)(executable, options);  // set before the hook
  CodeObjects* self = installed.load(std::memory_order_acquire);  // pairs with Install's release
  if (status == HSA_STATUS_SUCCESS && self->armed_.load(std::memory_order_acquire)) {
    const ReentryGuard guard;
    self->Announce(executable);
  }
  return status;
}

hsa_status_t CodeObjects::OnDestroy(hsa_executable_t executable) {
  CodeObjects* self = installed.load(std::memory_order_acquire);  // pairs with Install's release
  // Called before the runtime's function, which frees the memory for other kernels.
  if (self->armed_.load(std::memory_order_acquire)) {
    const ReentryGuard guard;
    self->Forget(executable);
  }
  return real_destroy.load(std::memory_order_relaxed)(executable);
}

void CodeObjects::LearnAgents() {
  agent_count_ = 0;
  const auto add = [](hsa_agent_t handle, void* data) {
    auto* self = static_cast<CodeObjects*>(data);
    if (self->agent_count_ == kMaxAgents) return HSA_STATUS_INFO_BREAK;
    Agent& agent = self->agents_[self->agent_count_++];
    agent.handle = handle.handle;
    agent.number = static_cast<uint32_t>(self->agent_count_);
    char name[64] = {};
    agent.known_generation =
        self->hsa_->agent_get_info(handle, HSA_AGENT_INFO_NAME, name) == HSA_STATUS_SUCCESS &&
        ParseGfxName(name, &agent.gfx);
    return HSA_STATUS_SUCCESS;
  };
  // If this fails, the list is incomplete: kernels on missing agents get agent zero, "unknown".
  (void)hsa_->iterate_agents(add, this);
}

void CodeObjects::LearnLoader() {
  hsa_ven_amd_loader_1_00_pfn_t loader = {};
  const hsa_status_t status =
      hsa_->system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader);
  host_address_ =
      status == HSA_STATUS_SUCCESS ? loader.hsa_ven_amd_loader_query_host_address : nullptr;
}

const CodeObjects::Agent* CodeObjects::FindAgent(hsa_agent_t agent) const {
  for (size_t i = 0; i < agent_count_; ++i) {
    if (agents_[i].handle == agent.handle) return &agents_[i];
  }
  return nullptr;
}

void CodeObjects::AnnounceSymbols(hsa_executable_t executable, uint64_t code_object,
                                  RecordSink* again) {
  Symbols symbols(*hsa_);
  // If this fails, the remaining kernels are recorded as unknown.
  (void)hsa_->executable_iterate_symbols(executable, Symbols::Collect, &symbols);
  for (size_t i = 0; i < symbols.count; ++i)
    AnnounceSymbol(symbols.list[i], executable, code_object, &symbols, again);
}

void CodeObjects::Announce(hsa_executable_t executable) {
  const uint64_t code_object = frozen_.fetch_add(1, std::memory_order_relaxed) + 1;
  AnnounceSymbols(executable, code_object, nullptr);
  generation_.fetch_add(1, std::memory_order_release);  // pairs with the packet hook's acquire
  for (CodeObjectWatcher* const watcher : watchers_) {
    if (watcher != nullptr) watcher->Loaded(*hsa_, executable, code_object);
  }
}

void CodeObjects::AnnounceSymbol(hsa_executable_symbol_t symbol, hsa_executable_t executable,
                                 uint64_t code_object, Symbols* symbols, RecordSink* again) {
  KernelRecord record;
  record.code_object = code_object;
  if (!Ask(*hsa_, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &record.kernel_object) ||
      record.kernel_object == 0)
    return;
  hsa_agent_t agent_handle = {};
  const Agent* agent = nullptr;
  if (Ask(*hsa_, symbol, HSA_EXECUTABLE_SYMBOL_INFO_AGENT, &agent_handle))
    agent = FindAgent(agent_handle);
  if (agent != nullptr) record.agent = agent->number;
  ReadResources(agent, &record);
  // The runtime's description of the segments; zero where it has none.
  (void)Ask(*hsa_, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
            &record.group_segment);
  (void)Ask(*hsa_, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
            &record.private_segment);
  (void)Ask(*hsa_, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE,
            &record.kernarg_segment);
  const size_t name_bytes = symbols->ReadName(symbol);
  const MutexLock lock(mutex_);
  const uint32_t known = again == nullptr ? 0 : map_.Find(record.kernel_object);
  if (known == 0) {
    (void)Emit(record, executable.handle, symbols->name, name_bytes);
    return;
  }
  record.kernel = known;
  record.head.type = RecordType::kKernel;
  record.head.thread = ThreadId::Current();
  record.text_bytes = static_cast<uint32_t>(TextPrefix(symbols->name, name_bytes, kMaxTextBytes));
  (void)again->Write(&record, sizeof record, symbols->name, record.text_bytes);  // never fails
}

// Collects the loaded executables before anything is done with them, because the runtime's loader
// is locked during the iteration.
struct CodeObjects::Executables {
  hsa_executable_t* list = nullptr;
  size_t count = 0, room = 0;

  explicit Executables(const HsaApi& hsa) {
    hsa_ven_amd_loader_1_03_pfn_t loader = {};
    if (hsa.system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader) !=
            HSA_STATUS_SUCCESS ||
        loader.hsa_ven_amd_loader_iterate_executables == nullptr)
      return;
    // If this fails, the list is incomplete: kernels of missing executables have no name.
    (void)loader.hsa_ven_amd_loader_iterate_executables(Collect, this);
  }
  ~Executables() { free(list); }
  Executables(const Executables&) = delete;
  Executables& operator=(const Executables&) = delete;

  static hsa_status_t Collect(hsa_executable_t executable, void* data) {
    auto* const self = static_cast<Executables*>(data);
    if (self->count == self->room) {
      const size_t room = self->room == 0 ? 64 : self->room * 2;
      void* const grown = realloc(self->list, room * sizeof *self->list);
      if (grown == nullptr) return HSA_STATUS_SUCCESS;
      self->list = static_cast<hsa_executable_t*>(grown);
      self->room = room;
    }
    self->list[self->count++] = executable;
    return HSA_STATUS_SUCCESS;
  }
};

void CodeObjects::AnnounceRunning() {
  const Executables executables(*hsa_);
  for (size_t i = 0; i < executables.count; ++i) Announce(executables.list[i]);
}

void CodeObjects::Repeat(RecordSink* sink, CodeObjectWatcher* watcher) {
  const Executables executables(*hsa_);
  for (size_t i = 0; i < executables.count; ++i) {
    const uint64_t code_object = frozen_.fetch_add(1, std::memory_order_relaxed) + 1;
    AnnounceSymbols(executables.list[i], code_object, sink);
    watcher->Loaded(*hsa_, executables.list[i], code_object);
  }
}

void CodeObjects::ReadResources(const Agent* agent, KernelRecord* record) const {
  if (agent == nullptr || !agent->known_generation) return;
  uint8_t bytes[kMaxKernelDescriptorBytes];
  size_t available = sizeof bytes;
  if (!ReadDescriptor(record->kernel_object, bytes, available)) {
    available = kKernelDescriptorBytes;
    if (!ReadDescriptor(record->kernel_object, bytes, available)) return;
  }
  KernelResources resources;
  if (!DecodeKernelDescriptor(bytes, available, agent->gfx, &resources)) return;
  record->vgprs = resources.vgprs;
  record->sgprs = resources.sgprs;
}

// Reads a kernel descriptor from the loader's host copy of the loaded code. `kernel_object` itself
// is a device address, and only some machines let the host read there.
bool CodeObjects::ReadDescriptor(uint64_t kernel_object, void* out, size_t bytes) const {
  const void* host = nullptr;
  if (host_address_ != nullptr &&
      host_address_(reinterpret_cast<const void*>(kernel_object), &host) == HSA_STATUS_SUCCESS &&
      ReadOwnMemory(reinterpret_cast<uint64_t>(host), out, bytes))
    return true;
  return ReadOwnMemory(kernel_object, out, bytes);
}

void CodeObjects::Forget(hsa_executable_t executable) {
  for (CodeObjectWatcher* const watcher : watchers_) {
    if (watcher != nullptr) watcher->Unloading(executable);
  }
  {
    const MutexLock lock(mutex_);
    map_.RemoveOwner(executable.handle);
  }
  generation_.fetch_add(1, std::memory_order_release);  // pairs with the packet hook's acquire
}

// Gives the kernel an id, remembers it and writes its record.
uint32_t CodeObjects::Emit(KernelRecord record, uint64_t owner, const char* name,
                           size_t name_bytes) {
  record.kernel = next_kernel_++;
  record.head.type = RecordType::kKernel;
  record.head.thread = ThreadId::Current();
  const size_t kept = TextPrefix(name, name_bytes, kMaxTextBytes);
  if (kept != name_bytes) record.flags |= kKernelFlagTruncated;
  record.text_bytes = static_cast<uint32_t>(kept);
  // Out of memory: the next dispatch of this address tries again and gets another id.
  (void)map_.Insert(record.kernel_object, record.kernel, owner);
  // If the spool is full, dispatches keep the id, and the reader names the kernel by its address.
  (void)sink_->Write(&record, sizeof record, name, kept);
  return record.kernel;
}

uint32_t CodeObjects::KernelFor(uint64_t kernel_object) {
  const MutexLock lock(mutex_);
  const uint32_t known = map_.Find(kernel_object);
  if (known != 0) return known;
  KernelRecord record;
  record.kernel_object = kernel_object;
  record.flags = kKernelFlagUnknown;
  return Emit(record, 0, nullptr, 0);
}

}  // namespace rtl::capture
