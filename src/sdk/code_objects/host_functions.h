// SPDX-License-Identifier: MIT
// host_functions.h: knows the host functions that stand for a program's kernels. A launch names its
// kernel by its host function. Code that the compiler adds to the program registers these functions
// with HIP before main():
//
//   __hipRegisterFatBinary(file) ─► modules            the code objects of one source file
//   __hipRegisterFunction(modules, function, kernel)   one of its kernels
//   __hipUnregisterFatBinary(modules)                  the library is unloaded
//
// The tracer sees these calls through the table "hip_compiler", if HIP registers it.
//
// Threads    any; Take: one at a time
// Blocking   a lock held for a few instructions; the watcher is called without it
// Memory     grows with registrations; each name is stored once and never freed, because tools keep
//            it
// Errors     without memory a function is not known; HIP still gets every registration
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stddef.h>

#include "base/mutex.h"
#include "base/status.h"

namespace rtl::sdk {

class HostFunctions {
 public:
  using Data = rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t;
  using LoadData = rocprofiler_callback_tracing_code_object_load_data_t;

  static constexpr char kTable[] = "hip_compiler";

  // Called for each function before HIP registers it.
  class Watcher {
   public:
    virtual void OnHostFunction(const char* kernel) = 0;

   protected:
    ~Watcher() = default;
  };

  constexpr explicit HostFunctions(Watcher* watcher) : watcher_(watcher) {}
  HostFunctions(const HostFunctions&) = delete;
  HostFunctions& operator=(const HostFunctions&) = delete;

  // HIP has registered this table, whose entries are wrapped now. On an error the table is
  // unchanged. Called once per process.
  Status Take(void* table);

  // Returns the function of this kernel in this code object, without the ids. The name is mangled,
  // and only the part before ".kd" counts. Several source files may have a kernel with the same
  // name; the address of the code object then decides. False if no function is found, or if the
  // function is ambiguous.
  bool Find(const char* kernel, size_t name_bytes, const LoadData& object, Data* out);

  // Called by the wrappers in HIP's table.
  void AddModule(void** modules, const void* file);
  void AddFunction(const Data& function);
  void RemoveModule(void** modules);

 private:
  struct Module;
  struct Function;
  struct Name;
  static constexpr size_t kBuckets = 1024;

  // Returns the same pointer for equal texts; null if there is no memory.
  const char* Keep(const char* kernel, Name** bucket) RTL_REQUIRES(mutex_);

  Watcher* const watcher_;
  Mutex mutex_{Rank::kTools};
  Module* modules_ RTL_GUARDED_BY(mutex_) = nullptr;           // newest first
  Function* functions_[kBuckets] RTL_GUARDED_BY(mutex_) = {};  // by the hash of the name
  // by the hash of the name; never freed
  Name* names_[kBuckets] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
