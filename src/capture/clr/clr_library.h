// SPDX-License-Identifier: MIT
// clr_library.h: finds HIP's built-in profiler in this process, and which form its records have.
// The library that defines the profiler's functions may have any name and path. It is searched
// among the loaded libraries and never loaded.
//
// Threads    one at a time
// Blocking   takes the loader's lock
// Errors     reports which function is missing, or that there is no such library
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/clr/clr_format.h"

namespace rtl::capture {

class ClrLibrary {
 public:
  Status Find();
  bool found() const { return enable_ != nullptr; }
  // kFlat stands for both flat forms: TellFlatForm distinguishes them.
  ClrForm form() const { return form_; }
  const char* path() const { return path_; }
  const void* inside() const { return enable_; }

  // Switch the profiler on and off. A nonzero result is a refusal. `first` and `behind` get HIP's
  // counter of records.
  int32_t Enable(uint64_t* first) const;
  int32_t Disable(uint64_t* behind) const;
  bool can_reset() const { return reset_ != nullptr; }
  int32_t Reset() const;
  int32_t GetFlat(const void** records, size_t* count) const;
  int32_t GetChunks(const void* const** chunks, size_t* chunk_count, size_t* chunk_size,
                    size_t* total) const;
  // A call that has no effect; the tracer makes it for its record. Null if HIP has none.
  int32_t (*harmless_call() const)() { return harmless_; }
  // Makes calls that have no effect and cause HIP to fill in and register each of its tables.
  void FillTables() const;
  // Address of the name of a numbered call; zero for an unknown number.
  uint64_t NameOf(uint32_t api) const;

  // True if HIP reports activities to another tool: roctracer, another rocprofiler-sdk, or a tool
  // of a rocprofiler-sdk that is not loaded yet. Libraries and tools of this project do not count.
  static bool OtherTool(char* path, size_t capacity);

 private:
  Status TakeForm(void* handle);

  ClrForm form_ = ClrForm::kFlat;
  char path_[256] = {};
  void* enable_ = nullptr;
  void* disable_ = nullptr;
  void* reset_ = nullptr;
  void* get_ = nullptr;
  const char* const* names_ = nullptr;
  uint64_t names_count_ = 0;
  int32_t (*harmless_)() = nullptr;
  // Parameter of __hipPushCallConfiguration: the shape of a launch.
  struct Size3 {
    uint32_t x, y, z;
  };
  int32_t (*push_)(Size3 grid, Size3 block, size_t shared, void* stream) = nullptr;
  int32_t (*pop_)(Size3* grid, Size3* block, size_t* shared, void** stream) = nullptr;
};

}  // namespace rtl::capture
