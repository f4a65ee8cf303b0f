// SPDX-License-Identifier: MIT
#include "sdk/code_objects/code_objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread_state.h"
#include "capture/codeobj/loaded_objects.h"

namespace rtl::sdk {

// The host function of a kernel in the program.
struct CodeObjectEvents::Host {
  HostFunctions::Data data;
  Told told;
};

struct CodeObjectEvents::Kernel {
  Kernel* next;
  uint64_t generation;
  KernelData data;
  rocprofiler_agent_id_t agent;
  Host* host;  // null: not known, or no context subscribes to host functions
  Told told;
};

struct CodeObjectEvents::Object {
  Object* next;
  hsa_executable_t executable;
  LoadData data;
  Kernel* kernels;  // in the order in which they were announced
  Told told;
};

// The current or former address range of an object.
struct CodeObjectEvents::Range {
  Range* next;
  uint64_t base, bytes, id;
};

struct CodeObjectEvents::Query {
  CodeObjectEvents* self;
  const capture::HsaApi* hsa;
  capture::LoadedObjects loader;
  hsa_executable_t executable;
  Object* first;
};

bool CodeObjectEvents::Asked(int32_t operation) const {
  for (const Context& context : *contexts_) {
    if (context.callbacks[ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT].Asks(operation)) return true;
  }
  return false;
}

namespace {

constexpr char kSuffix[] = ".kd";

}  // namespace

void CodeObjectEvents::Note(const KernelRecord& record, const char* name) {
  if (record.code_object == 0) return;  // only a dispatch has revealed this kernel
  auto* const kernel = static_cast<Kernel*>(calloc(1, sizeof(Kernel)));
  char* const text = static_cast<char*>(malloc(size_t{record.text_bytes} + sizeof kSuffix));
  if (kernel == nullptr || text == nullptr) {
    free(kernel);
    free(text);
    return;
  }
  memcpy(text, name, record.text_bytes);
  memcpy(text + record.text_bytes, kSuffix, sizeof kSuffix);
  kernel->generation = record.code_object;
  kernel->agent = agents_->AgentOf(record.agent);
  KernelData& data = kernel->data;
  data.size = sizeof data;
  data.kernel_id = record.kernel;
  data.kernel_name = text;
  data.kernel_object = record.kernel_object;
  data.kernarg_segment_size = record.kernarg_segment;
  data.group_segment_size = record.group_segment;
  data.private_segment_size = record.private_segment;
  data.sgpr_count = record.sgprs;
  data.arch_vgpr_count = record.vgprs;
  const MutexLock lock(mutex_);
  kernel->next = new_kernels_;
  new_kernels_ = kernel;
}

CodeObjectEvents::Object* CodeObjectEvents::Describe(const Query& query,
                                                     hsa_loaded_code_object_t loaded) {
  auto* const object = static_cast<Object*>(calloc(1, sizeof(Object)));
  if (object == nullptr) return nullptr;
  object->executable = query.executable;
  const capture::LoadedObject described = query.loader.Describe(loaded);
  LoadData& data = object->data;
  data.size = sizeof data;
  data.hsa_agent = described.agent;
  uint32_t node = 0;
  // The engine numbers agents in the runtime's order, so the agent is found by the driver's node
  // id.
  if (query.hsa->agent_get_info(data.hsa_agent, HSA_AGENT_INFO_NODE, &node) == HSA_STATUS_SUCCESS)
    data.agent_id = agents_->AgentAt(node);
  data.load_base = described.base;
  data.load_size = described.bytes;
  data.load_delta = described.delta;
  data.storage_type = static_cast<rocprofiler_code_object_storage_type_t>(described.storage);
  if (described.storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY) {
    data.memory_base = described.memory;
    data.memory_size = described.memory_bytes;
  } else if (described.storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE) {
    data.storage_file = described.file;
  }
  const char* const uri = query.loader.Uri(loaded);  // never freed, because tools keep it
  data.uri = uri == nullptr ? "" : uri;
  return object;
}

void CodeObjectEvents::Collect(void* data, hsa_loaded_code_object_t loaded) {
  auto* const query = static_cast<Query*>(data);
  // Without memory the code object is not reported; dispatches still have the ids of its kernels.
  if (Object* const object = query->self->Describe(*query, loaded); object != nullptr) {
    object->next = query->first;
    query->first = object;
  }
}

// Gives each object the kernels of its generation and agent.
void CodeObjectEvents::TakeKernels(uint64_t generation, Object* objects) {
  Kernel** link = &new_kernels_;
  while (Kernel* const kernel = *link) {
    if (kernel->generation != generation) {
      link = &kernel->next;
      continue;
    }
    *link = kernel->next;
    Object* owner = objects;
    while (owner != nullptr && owner->data.agent_id.handle != kernel->agent.handle)
      owner = owner->next;
    if (owner == nullptr) {
      free(kernel);  // the kernel's code object could not be described
      continue;
    }
    kernel->data.code_object_id = owner->data.code_object_id;
    kernel->next = owner->kernels;
    owner->kernels = kernel;
  }
}

void CodeObjectEvents::Loaded(const capture::HsaApi& hsa, hsa_executable_t executable,
                              uint64_t generation) {
  Query query = {this, &hsa, {}, executable, nullptr};
  if (query.loader.Open(hsa)) query.loader.ForEach(executable, Collect, &query);
  {
    const MutexLock lock(mutex_);
    for (Object* object = query.first; object != nullptr; object = object->next) {
      object->data.code_object_id = next_id_++;
      KeepRange(object->data);
    }
    TakeKernels(generation, query.first);
  }
  while (Object* const object = query.first) {
    query.first = object->next;
    TellLoaded(object);
    const MutexLock lock(mutex_);
    object->next = objects_;
    objects_ = object;
  }
}

rocprofiler_pc_t CodeObjectEvents::PlaceOf(uint64_t address) {
  const MutexLock lock(mutex_);
  for (const Range* range = ranges_; range != nullptr; range = range->next) {
    if (address - range->base < range->bytes) return {range->id, address - range->base};
  }
  return {0, address};
}

// Keeps the address range. If there is no memory, samples in it keep their addresses.
void CodeObjectEvents::KeepRange(const LoadData& object) {
  auto* const range = static_cast<Range*>(malloc(sizeof(Range)));
  if (range == nullptr) return;
  *range = {ranges_, object.load_base, object.load_size, object.code_object_id};
  ranges_ = range;
}

void CodeObjectEvents::Unloading(hsa_executable_t executable) {
  if (capture::PcSampler* const sampler = sampler_.load(std::memory_order_acquire);
      sampler != nullptr)
    sampler->Flush();
  Object* gone = nullptr;
  {
    const MutexLock lock(mutex_);
    Object** link = &objects_;
    while (Object* const object = *link) {
      if (object->executable.handle != executable.handle) {
        link = &object->next;
        continue;
      }
      *link = object->next;
      object->next = gone;
      gone = object;
    }
  }
  TellUnloaded(gone);
}

void CodeObjectEvents::AllGone() {
  Object* gone;
  {
    const MutexLock lock(mutex_);
    gone = objects_;
    objects_ = nullptr;
  }
  TellUnloaded(gone);
}

void CodeObjectEvents::TellLoaded(Object* object) {
  Tell(ROCPROFILER_CODE_OBJECT_LOAD, ROCPROFILER_CALLBACK_PHASE_LOAD, &object->data, &object->told);
  for (Kernel* kernel = object->kernels; kernel != nullptr; kernel = kernel->next) {
    Tell(ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, ROCPROFILER_CALLBACK_PHASE_LOAD,
         &kernel->data, &kernel->told);
    kernel->host = TellHost(kernel->data, object->data);
  }
}

// Reports the host function of a kernel. Null if it is not known, or if no context subscribes.
CodeObjectEvents::Host* CodeObjectEvents::TellHost(const KernelData& kernel,
                                                   const LoadData& object) {
  if (!Asked(ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER)) return nullptr;
  HostFunctions::Data data;
  const size_t bytes = strlen(kernel.kernel_name) - (sizeof kSuffix - 1);
  if (!host_functions_.Find(kernel.kernel_name, bytes, object, &data)) return nullptr;
  auto* const host = static_cast<Host*>(calloc(1, sizeof(Host)));
  if (host == nullptr) return nullptr;
  host->data = data;
  host->data.host_function_id = next_host_id_.fetch_add(1, std::memory_order_relaxed);
  host->data.kernel_id = kernel.kernel_id;
  host->data.code_object_id = kernel.code_object_id;
  Tell(ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER, ROCPROFILER_CALLBACK_PHASE_LOAD,
       &host->data, &host->told);
  return host;
}

void CodeObjectEvents::ForgetHost(Host* host) {
  if (host == nullptr) return;
  Tell(ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER, ROCPROFILER_CALLBACK_PHASE_UNLOAD,
       &host->data, &host->told);
  free(host);
}

// Stores the host function in the kernel, unless its code object was unloaded meanwhile.
void CodeObjectEvents::Keep(const KernelData& of, Host* host) {
  {
    const MutexLock lock(mutex_);
    for (Object* object = objects_; object != nullptr; object = object->next) {
      if (object->data.code_object_id != of.code_object_id) continue;
      Kernel* kernel = object->kernels;
      while (kernel != nullptr && kernel->data.kernel_id != of.kernel_id) kernel = kernel->next;
      if (kernel == nullptr || kernel->host != nullptr) break;
      kernel->host = host;
      return;
    }
  }
  ForgetHost(host);
}

// Reports a host function that is registered after its kernel was loaded.
void CodeObjectEvents::OnHostFunction(const char* name) {
  struct Waiting {
    Waiting* next;
    KernelData kernel;
    LoadData object;
  };
  Waiting* first = nullptr;
  const size_t bytes = strlen(name);
  {
    const MutexLock lock(mutex_);
    for (const Object* object = objects_; object != nullptr; object = object->next) {
      for (const Kernel* kernel = object->kernels; kernel != nullptr; kernel = kernel->next) {
        const char* const loaded = kernel->data.kernel_name;
        if (kernel->host != nullptr || strncmp(loaded, name, bytes) != 0 ||
            strcmp(loaded + bytes, kSuffix) != 0)
          continue;
        auto* const waiting = static_cast<Waiting*>(malloc(sizeof(Waiting)));
        if (waiting == nullptr) break;  // this function is not reported
        *waiting = {first, kernel->data, object->data};
        first = waiting;
      }
    }
  }
  while (Waiting* const waiting = first) {
    first = waiting->next;
    if (Host* const host = TellHost(waiting->kernel, waiting->object); host != nullptr)
      Keep(waiting->kernel, host);
    free(waiting);
  }
}

// Reports the unloading of a list of objects to the contexts that got the load. Frees everything
// except the texts.
void CodeObjectEvents::TellUnloaded(Object* objects) {
  while (Object* const object = objects) {
    objects = object->next;
    while (Kernel* const kernel = object->kernels) {
      object->kernels = kernel->next;
      ForgetHost(kernel->host);
      Tell(ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, ROCPROFILER_CALLBACK_PHASE_UNLOAD,
           &kernel->data, &kernel->told);
      free(kernel);
    }
    Tell(ROCPROFILER_CODE_OBJECT_LOAD, ROCPROFILER_CALLBACK_PHASE_UNLOAD, &object->data,
         &object->told);
    free(object);
  }
}

void CodeObjectEvents::Tell(int32_t operation, rocprofiler_callback_phase_t phase, void* payload,
                            Told* told) {
  const uint32_t count = contexts_->count();
  for (uint32_t i = 0; i < count; ++i) {
    Context& context = contexts_->at(i);
    const CallbackService& service = context.callbacks[ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT];
    if (context.closed() || !service.Asks(operation)) continue;
    if (phase == ROCPROFILER_CALLBACK_PHASE_LOAD ? !context.active() : !told->told[i]) continue;
    told->told[i] = phase == ROCPROFILER_CALLBACK_PHASE_LOAD;
    rocprofiler_callback_tracing_record_t record = {};
    record.thread_id = ThreadId::Current();
    record.kind = ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT;
    record.operation = operation;
    record.phase = phase;
    record.payload = payload;
    context.Tell(&record, &told->data[i]);
  }
}

}  // namespace rtl::sdk
