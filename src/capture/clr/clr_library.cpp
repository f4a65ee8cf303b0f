// SPDX-License-Identifier: MIT
#include "capture/clr/clr_library.h"

#include <dlfcn.h>
#include <string.h>

#include <initializer_list>

#include "base/loaded_objects.h"
#include "base/text.h"
#include "capture/clr/self_read.h"

namespace rtl::capture {
namespace {

constexpr char kEnable[] = "hipProfilerEnableExt";
constexpr char kFlatEnable[] = "hipClrProfilerEnable";

}  // namespace

Status ClrLibrary::TakeForm(void* handle) {
  const bool flat = dlsym(handle, kEnable) == nullptr;
  const bool streams = !flat && dlsym(handle, "hipProfilerRegisterChunkCallbackExt") != nullptr;
  reset_ = dlsym(handle, flat ? "hipClrProfilerReset" : "hipProfilerResetExt");
  form_ = flat                ? ClrForm::kFlat
          : streams           ? ClrForm::kStreaming
          : reset_ != nullptr ? ClrForm::kChunks
                              : ClrForm::kList;
  const char* const disable = flat ? "hipClrProfilerDisable" : "hipProfilerDisableExt";
  const char* const get = flat ? "hipClrProfilerGetRecords" : "hipProfilerGetRecordsExt";
  disable_ = dlsym(handle, disable);
  get_ = dlsym(handle, get);
  const char* missing = nullptr;
  if (disable_ == nullptr) missing = disable;
  if (get_ == nullptr) missing = get;
  if (flat && reset_ == nullptr) missing = "hipClrProfilerReset";
  if (missing != nullptr) return Status::Error("HIP's built-in profiler has no %s", missing);
  harmless_ = reinterpret_cast<int32_t (*)()>(dlsym(handle, "hipPeekAtLastError"));
  if (!flat) return Status::Ok();
  // Data: an array and its length. Either may be missing.
  const void* const count = dlsym(handle, "kHipClrApiNamesCount");
  names_ = static_cast<const char* const*>(dlsym(handle, "kHipClrApiNames"));
  uint32_t names = 0;
  if (count != nullptr) memcpy(&names, count, sizeof names);
  names_count_ = names_ == nullptr ? 0 : names;
  return Status::Ok();
}

Status ClrLibrary::Find() {
  if (found()) return Status::Ok();
  Status taken = Status::Error(
      "the HIP that is loaded has no built-in profiler (neither %s nor %s)", kEnable, kFlatEnable);
  (void)ForEachObject([&](void* handle, const SharedObject& object) {
    void* enable = OwnSymbol(handle, object.base, kEnable);
    if (enable == nullptr) enable = OwnSymbol(handle, object.base, kFlatEnable);
    if (enable == nullptr) return false;
    taken = TakeForm(handle);
    if (taken.ok()) enable_ = enable;
    (void)CopyText(path_, sizeof path_, object.path);  // a path that is too long is not shown
    return true;                                       // stays open: its functions may be running
  });
  return taken;
}

// The forms without an argument find one in a register, and ignore it.
int32_t ClrLibrary::Enable(uint64_t* first) const {
  return reinterpret_cast<int32_t (*)(uint64_t*, uint64_t)>(enable_)(first, 0);
}

int32_t ClrLibrary::Disable(uint64_t* behind) const {
  return reinterpret_cast<int32_t (*)(uint64_t*)>(disable_)(behind);
}

int32_t ClrLibrary::Reset() const { return reinterpret_cast<int32_t (*)()>(reset_)(); }

int32_t ClrLibrary::GetFlat(const void** records, size_t* count) const {
  return reinterpret_cast<int32_t (*)(const void**, size_t*)>(get_)(records, count);
}

int32_t ClrLibrary::GetChunks(const void* const** chunks, size_t* chunk_count, size_t* chunk_size,
                              size_t* total) const {
  using Get = int32_t (*)(const void* const**, size_t*, size_t*, size_t*);
  return reinterpret_cast<Get>(get_)(chunks, chunk_count, chunk_size, total);
}

uint64_t ClrLibrary::NameOf(uint32_t api) const {
  if (api >= names_count_) return 0;
  uint64_t name = 0;
  const auto place = reinterpret_cast<uint64_t>(names_ + api);
  return SelfRead(place, &name, sizeof name) == sizeof name ? name : 0;
}

bool ClrLibrary::OtherTool(char* path, size_t capacity) {
  bool is_there = false;
  (void)ForEachObject([&](void* handle, const SharedObject& object) {
    // Librtl_hip.so of this project.
    if (OwnSymbol(handle, object.base, "rtl_hip_hooks") != nullptr) return false;
    for (const char* mark : {"rocprofiler_configure", "roctracer_enable_callback"}) {
      if (OwnSymbol(handle, object.base, mark) == nullptr) continue;
      is_there = true;
      (void)CopyText(path, capacity, object.path);  // truncated: it is for people
      (void)dlclose(handle);
      return true;
    }
    return false;
  });
  return is_there;
}

}  // namespace rtl::capture
