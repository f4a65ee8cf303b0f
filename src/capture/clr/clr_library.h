// SPDX-License-Identifier: MIT
// clr_library.h: HIP's built-in profiler in this process: the library that defines its functions,
// with any name and path, and its form. It is searched among the loaded libraries and never loaded.
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

  // A nonzero result is a refusal. The counters count records.
  int32_t Enable(uint64_t* first) const;
  int32_t Disable(uint64_t* behind) const;
  bool can_reset() const { return reset_ != nullptr; }
  int32_t Reset() const;
  int32_t GetFlat(const void** records, size_t* count) const;
  int32_t GetChunks(const void* const** chunks, size_t* chunk_count, size_t* chunk_size,
                    size_t* total) const;
  // A call without an effect, made for its record; null where there is none.
  int32_t (*harmless_call() const)() { return harmless_; }
  // Calls without an effect, at which HIP fills in each of its tables, and registers it.
  void FillTables() const;
  // Address of the name of a numbered call; zero for an unknown number.
  uint64_t NameOf(uint32_t api) const;

  // Another tool that HIP reports activities to: roctracer, another rocprofiler-sdk, or a tool of one
  // that is not loaded yet. Libraries of this project do not count, and neither do its tools.
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
  // Of a launch's shape, which a thread keeps until the launch.
  struct Size3 {
    uint32_t x, y, z;
  };
  int32_t (*push_)(Size3 grid, Size3 block, size_t shared, void* stream) = nullptr;
  int32_t (*pop_)(Size3* grid, Size3* block, size_t* shared, void** stream) = nullptr;
};

}  // namespace rtl::capture
