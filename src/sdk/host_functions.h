// SPDX-License-Identifier: MIT
// host_functions.h: the functions of a program that stand for its kernels. A launch names its kernel
// by one of them; HIP is told of them by what the compiler adds to a program, before main():
//
//   __hipRegisterFatBinary(file) ─► modules            the code objects of one source file
//   __hipRegisterFunction(modules, function, kernel)   one of its kernels
//   __hipUnregisterFatBinary(modules)                  the library with them goes
//
// They are seen in the table "hip_compiler", where HIP registers it.
//
// Threads    any; Take: one at a time
// Blocking   a lock held for a few instructions; the watcher is called without it
// Memory     grows with what is registered; names stay for good, each once: tools keep them
// Errors     without memory a function is not known; HIP is told of each all the same
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mutex.h"
#include "base/status.h"

namespace rtl::sdk {

class HostFunctions {
 public:
  using Data = rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t;
  using LoadData = rocprofiler_callback_tracing_code_object_load_data_t;

  static constexpr char kTable[] = "hip_compiler";

  // Hears of each function before HIP does.
  class Watcher {
   public:
    virtual void OnHostFunction(const char* kernel) = 0;

   protected:
    ~Watcher() = default;
  };

  constexpr explicit HostFunctions(Watcher* watcher) : watcher_(watcher) {}
  HostFunctions(const HostFunctions&) = delete;
  HostFunctions& operator=(const HostFunctions&) = delete;

  // HIP has registered this table. An error leaves it as it is. One per process.
  Status Take(void* table);

  // The function of this kernel (mangled; of its name the part before ".kd") in this code object;
  // without the ids. Several files may have a kernel of one name: where the code object lies tells
  // them apart. False: there is none, or it cannot be said which.
  bool Find(const char* kernel, size_t name_bytes, const LoadData& object, Data* out);

  // What HIP is told, as its table's functions tell it.
  void AddModule(void** modules, const void* file);
  void AddFunction(const Data& function);
  void RemoveModule(void** modules);

 private:
  struct Module;
  struct Function;
  struct Name;
  static constexpr size_t kBuckets = 1024;

  // Null: no memory. The same one for the same text.
  const char* Keep(const char* kernel, Name** bucket) RTL_REQUIRES(mutex_);

  Watcher* const watcher_;
  Mutex mutex_{Rank::kTools};
  Module* modules_ RTL_GUARDED_BY(mutex_) = nullptr;           // newest first
  Function* functions_[kBuckets] RTL_GUARDED_BY(mutex_) = {};  // by name
  Name* names_[kBuckets] RTL_GUARDED_BY(mutex_) = {};          // likewise, for good
};

}  // namespace rtl::sdk
