// SPDX-License-Identifier: MIT
// sync_objects.h: the synchronisation objects (syncobj) of the render nodes.
//
// An object holds a fence, or none. No work is submitted through a render node, so every fence has
// signalled when it is created, and the state of an object is only how far its timeline has come.
// That number is a word in a file of its own, which processes share and wait for.
//
// Threads    any; one lock, which no wait holds
// Errors     0 or -errno, as the kernel driver answers
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace vgpu {

class SyncObject {
 public:
  // Takes over the file of an object; nullptr when it cannot be mapped.
  static std::shared_ptr<SyncObject> Open(int fd);
  ~SyncObject();
  SyncObject(const SyncObject&) = delete;
  SyncObject& operator=(const SyncObject&) = delete;

  int fd() const { return fd_; }
  bool HasFence() const { return Reached() != 0; }
  bool HasReached(uint64_t point) const { return Reached() > point; }
  uint64_t Point() const { return HasFence() ? Reached() - 1 : 0; }

  void Reset() { Set(0); }
  void Signal() { Set(1); }  // a fence without a timeline: its point is 0
  void SignalPoint(uint64_t point);
  // Gives the object the fence of this point of its timeline; 0: a fence without a timeline.
  void SignalAt(uint64_t point) { point == 0 ? Signal() : SignalPoint(point); }
  void WaitFor(uint64_t point) const;

  // For futex_waitv: a word that every change changes.
  uint32_t changes() const { return state_->changes.load(std::memory_order_acquire); }
  const void* word() const { return &state_->changes; }

 private:
  struct State {
    std::atomic<uint64_t> reached;  // 0: no fence; otherwise the point plus 1
    std::atomic<uint32_t> changes;
  };
  SyncObject(int fd, State* state) : fd_(fd), state_(state) {}
  uint64_t Reached() const { return state_->reached.load(std::memory_order_acquire); }
  void Set(uint64_t reached);
  void Announce();

  int fd_;
  State* state_;
};

struct SyncWait {
  std::span<const uint32_t> handles;
  const uint64_t* points = nullptr;  // one for each handle; nullptr: any fence of each
  int64_t deadline_ns = 0;           // of CLOCK_MONOTONIC; 0: do not wait
  uint32_t flags = 0;                // DRM_SYNCOBJ_WAIT_FLAGS_*
};

class SyncObjects {
 public:
  [[nodiscard]] int Create(bool signalled, uint32_t* handle);
  [[nodiscard]] int Destroy(uint32_t handle);
  std::shared_ptr<SyncObject> Find(uint32_t handle) const;

  // A descriptor of the object, for this process or another.
  [[nodiscard]] int Export(uint32_t handle) const;
  [[nodiscard]] int Import(int fd, uint32_t* handle);
  // A descriptor (sync file) of the object's fence.
  [[nodiscard]] int ExportFence(uint32_t handle) const;
  // Gives the sync file's fence to the object `handle`, at this point of its timeline; 0: in place
  // of the object's fence.
  [[nodiscard]] int ImportFence(int fd, uint32_t handle, uint64_t point);

  // *first becomes the index of the first handle whose fence has signalled.
  [[nodiscard]] int Wait(const SyncWait& wait, uint32_t* first) const;

  // To be called in a forked child, instead of any other function.
  void CloseFiles();

 private:
  uint32_t Add(std::shared_ptr<SyncObject> object);

  mutable std::mutex mutex_;
  std::map<uint32_t, std::shared_ptr<SyncObject>> objects_;  // by handle
  uint32_t next_ = 1;
};

// The calls of a render node about these objects.
bool IsSyncCall(unsigned number);
// `argument` is large enough for the call with all its fields.
[[nodiscard]] int SyncCall(SyncObjects& objects, unsigned number, void* argument);

}  // namespace vgpu
