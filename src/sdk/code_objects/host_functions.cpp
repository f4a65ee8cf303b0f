// SPDX-License-Identifier: MIT
#include "sdk/code_objects/host_functions.h"

#include <stdlib.h>
#include <string.h>

#include "capture/hip/hip_tables.h"

namespace rtl::sdk {

// The code objects of one source file.
struct HostFunctions::Module {
  Module* next;
  uint64_t modules;
  uint64_t begin;
  uint64_t bytes;  // zero: the file is compressed, or of an unknown form
};

struct HostFunctions::Name {
  Name* next;
  char text[];
};

struct HostFunctions::Function {
  Function* next;
  Module module;
  Data data;
};

namespace {

// Indexes of the used entries in "hip_compiler".
enum Entry { kRegisterFatBinary = 2, kRegisterFunction = 3, kUnregisterFatBinary = 8 };

struct Xyz {
  uint32_t x, y, z;
};

using RegisterFatBinary = void** (*)(const void* file);
using RegisterFunction = void (*)(void** modules, const void* function, char* device_function,
                                  const char* kernel, unsigned thread_limit, const Xyz* thread_ids,
                                  const Xyz* block_ids, const Xyz* block_dims, const Xyz* grid_dims,
                                  const int* workgroup_size);
using UnregisterFatBinary = void (*)(void** modules);

constinit HostFunctions* listener = nullptr;  // set before the entries are wrapped
constinit RegisterFatBinary register_fat_binary = nullptr;
constinit RegisterFunction register_function = nullptr;
constinit UnregisterFatBinary unregister_fat_binary = nullptr;

rocprofiler_dim3_t DimOf(const Xyz* from) {
  return from == nullptr ? rocprofiler_dim3_t{} : rocprofiler_dim3_t{from->x, from->y, from->z};
}

void** OnRegisterFatBinary(const void* file) {
  void** const modules = register_fat_binary(file);
  listener->AddModule(modules, file);
  return modules;
}

void OnRegisterFunction(void** modules, const void* function, char* device_function,
                        const char* kernel, unsigned thread_limit, const Xyz* thread_ids,
                        const Xyz* block_ids, const Xyz* block_dims, const Xyz* grid_dims,
                        const int* workgroup_size) {
  HostFunctions::Data data = {};
  data.size = sizeof data;
  data.host_function.value = reinterpret_cast<uint64_t>(function);
  data.modules.value = reinterpret_cast<uint64_t>(modules);
  data.device_function = kernel;
  data.thread_limit = thread_limit;
  data.thread_ids = DimOf(thread_ids);
  data.block_ids = DimOf(block_ids);
  data.block_dims = DimOf(block_dims);
  data.grid_dims = DimOf(grid_dims);
  if (workgroup_size != nullptr) data.workgroup_size = static_cast<uint64_t>(*workgroup_size);
  if (kernel != nullptr) listener->AddFunction(data);
  register_function(modules, function, device_function, kernel, thread_limit, thread_ids, block_ids,
                    block_dims, grid_dims, workgroup_size);
}

void OnUnregisterFatBinary(void** modules) {
  unregister_fat_binary(modules);
  listener->RemoveModule(modules);
}

template <typename F>
void Replace(void** entry, F* original, F ours) {
  *original = reinterpret_cast<F>(*entry);
  // A release store, because HIP reads the entry with an undocumented memory order.
  __atomic_store_n(entry, reinterpret_cast<void*>(ours), __ATOMIC_RELEASE);
}

// Takes the nodes for which `is_gone` returns true out of the list, and frees them.
template <typename Node, typename IsGone>
void FreeIf(Node** link, const IsGone& is_gone) {
  while (Node* const node = *link) {
    if (!is_gone(*node)) {
      link = &node->next;
      continue;
    }
    *link = node->next;
    free(node);
  }
}

size_t HashOf(const char* name, size_t bytes) {
  uint32_t hash = 2166136261;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<uint8_t>(name[i])) * 16777619;
  return hash;
}

uint64_t ReadWord(const char* from) {
  uint64_t value;
  memcpy(&value, from, sizeof value);
  return value;
}

// Returns the size of an uncompressed bundle. Its layout: the magic, the number of code objects,
// and for each its offset, its size, the length of a name, and the name.
uint64_t BundleBytes(const char* bundle) {
  constexpr char kMagic[] = "__CLANG_OFFLOAD_BUNDLE__";
  constexpr size_t kMagicBytes = sizeof kMagic - 1;
  constexpr uint64_t kMostObjects = 1024;
  if (memcmp(bundle, kMagic, kMagicBytes) != 0) return 0;
  const char* at = bundle + kMagicBytes;
  const uint64_t count = ReadWord(at);
  if (count > kMostObjects) return 0;
  at += 8;
  uint64_t end = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t object_end = ReadWord(at) + ReadWord(at + 8);
    if (object_end > end) end = object_end;
    at += 24 + ReadWord(at + 16);
  }
  return end;
}

}  // namespace

Status HostFunctions::Take(void* table) {
  capture::HipTables::Entries entries;
  RTL_TRY(capture::HipTables::Check(kTable, table, &entries));
  auto** const first = static_cast<void**>(table) + 1;  // the entries follow the table's size
  static const void* taken = nullptr;
  if (taken == table) return Status::Ok();
  if (taken != nullptr) return Status::Error("a second copy of HIP has registered its table");
  if (first[kRegisterFatBinary] == nullptr || first[kRegisterFunction] == nullptr ||
      first[kUnregisterFatBinary] == nullptr)
    return Status::Error("this HIP has no function that registers kernels");
  taken = table;
  listener = this;
  Replace(first + kRegisterFatBinary, &register_fat_binary, &OnRegisterFatBinary);
  Replace(first + kRegisterFunction, &register_function, &OnRegisterFunction);
  Replace(first + kUnregisterFatBinary, &unregister_fat_binary, &OnUnregisterFatBinary);
  return Status::Ok();
}

void HostFunctions::AddModule(void** modules, const void* file) {
  struct Wrapper {  // the structure that compiled code passes
    uint32_t magic, version;
    const char* bundle;
  };
  constexpr uint32_t kMagic = 0x48495046;  // "HIPF"
  Wrapper wrapper;
  memcpy(&wrapper, file, sizeof wrapper);
  auto* const module = static_cast<Module*>(calloc(1, sizeof(Module)));
  if (module == nullptr) return;
  module->modules = reinterpret_cast<uint64_t>(modules);
  if (wrapper.magic == kMagic) {
    module->begin = reinterpret_cast<uint64_t>(wrapper.bundle);
    module->bytes = BundleBytes(wrapper.bundle);
  }
  const MutexLock lock(mutex_);
  module->next = modules_;
  modules_ = module;
}

const char* HostFunctions::Keep(const char* kernel, Name** bucket) {
  for (const Name* name = *bucket; name != nullptr; name = name->next) {
    if (strcmp(name->text, kernel) == 0) return name->text;
  }
  const size_t bytes = strlen(kernel) + 1;
  auto* const name = static_cast<Name*>(malloc(sizeof(Name) + bytes));
  if (name == nullptr) return nullptr;
  name->next = *bucket;
  memcpy(name->text, kernel, bytes);
  *bucket = name;
  return name->text;
}

void HostFunctions::AddFunction(const Data& data) {
  auto* const function = static_cast<Function*>(calloc(1, sizeof(Function)));
  if (function == nullptr) return;
  const char* const kernel = data.device_function;
  const size_t bucket = HashOf(kernel, strlen(kernel)) % kBuckets;
  function->data = data;
  {
    const MutexLock lock(mutex_);
    function->data.device_function = Keep(kernel, &names_[bucket]);
    if (function->data.device_function == nullptr) {
      free(function);
      return;
    }
    const Module* module = modules_;
    while (module != nullptr && module->modules != data.modules.value) module = module->next;
    if (module != nullptr) function->module = *module;
    function->next = functions_[bucket];
    functions_[bucket] = function;
  }
  watcher_->OnHostFunction(kernel);
}

void HostFunctions::RemoveModule(void** modules) {
  const auto gone = reinterpret_cast<uint64_t>(modules);
  const MutexLock lock(mutex_);
  FreeIf(&modules_, [gone](const Module& module) { return module.modules == gone; });
  for (Function*& bucket : functions_) {
    FreeIf(&bucket,
           [gone](const Function& function) { return function.data.modules.value == gone; });
  }
}

bool HostFunctions::Find(const char* kernel, size_t name_bytes, const LoadData& object, Data* out) {
  const bool in_memory = object.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
  const Function* possible = nullptr;
  bool several = false;
  const MutexLock lock(mutex_);
  for (const Function* function = functions_[HashOf(kernel, name_bytes) % kBuckets];
       function != nullptr; function = function->next) {
    const char* const name = function->data.device_function;
    if (strncmp(name, kernel, name_bytes) != 0 || name[name_bytes] != 0) continue;
    const Module& module = function->module;
    if (in_memory && module.bytes != 0) {
      if (object.memory_base - module.begin >= module.bytes) continue;
      *out = function->data;
      return true;
    }
    several = several || (possible != nullptr &&
                          possible->data.host_function.value != function->data.host_function.value);
    possible = function;
  }
  if (possible == nullptr || several) return false;
  *out = possible->data;
  return true;
}

}  // namespace rtl::sdk
