// SPDX-License-Identifier: MIT
// memory_manager.h: the memory objects of a process and the GPUs they are mapped on.
//
// An object is what the kernel driver's handle names. The memory behind it is a buffer. A buffer
// lives as long as something refers to it: the object, further objects that were imported from it,
// and the handles that render nodes gave out (GEM handles; here they are the buffers' numbers).
//
// Threads    any; one lock
// Errors     0 or -errno, as the kernel driver answers
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "vgpu/config/config.h"
#include "vgpu/mem/arena.h"

namespace vgpu {

enum class MemoryKind : uint8_t {
  kVram,
  kGtt,        // host memory of the driver
  kUserPages,  // host memory of the application
  kDoorbell,   // the doorbell page, at the address at which the host mapped it
  kRegisters,  // the page of remapped registers; writes to it have no effect
  kForeign,    // memory of another process, which shared it with this one
};

struct AllocationRequest {
  int gpu = 0;
  uint64_t va = 0;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kVram;
  uint64_t user_address = 0;  // kUserPages only
  bool mapped_twice = false;  // the GPU sees bytes / 2 bytes, twice in a row
};

struct Allocation {
  uint64_t handle = 0;
  uint64_t mmap_offset = 0;  // kVram, kGtt and kForeign: where a render node maps it
};

// Notes that the users of a buffer store with it, for each other.
struct BufferNotes {
  uint64_t flags = 0;
  uint64_t tiling = 0;
  uint32_t size = 0;  // bytes of data
  uint32_t data[64] = {};
};

// The description of a buffer for a process that imports it, this one or another.
struct SharedBuffer {
  int pid = 0;      // of the owner
  uint32_t id = 0;  // the owner's number for the buffer
  int file = -1;    // the owner's descriptor of the file with the bytes
  uint64_t offset = 0;
  uint64_t bytes = 0;
  int gpu = 0;
  bool vram = false;
  BufferNotes notes;
};

struct MemoryCounts {
  uint64_t objects = 0;
  uint64_t objects_created = 0;
  uint64_t mappings = 0;  // (object, GPU) pairs
  uint64_t mappings_created = 0;
};

class MemoryManager {
 public:
  // To be called before anything else.
  [[nodiscard]] int Open(uint64_t vram_bytes_per_gpu, int num_gpus);

  [[nodiscard]] int Allocate(const AllocationRequest& request, Allocation* out);
  [[nodiscard]] int Free(uint64_t handle);
  // Maps the object on, or unmaps it from, the given GPUs in order; *done counts the successes. An
  // object that is mapped already, or not mapped, is no error.
  [[nodiscard]] int Map(uint64_t handle, std::span<const int> gpus, uint32_t* done);
  [[nodiscard]] int Unmap(uint64_t handle, std::span<const int> gpus, uint32_t* done);

  // Describes an object's memory. -EINVAL for memory of the application, doorbells and registers,
  // which cannot be shared.
  [[nodiscard]] int Describe(uint64_t handle, SharedBuffer* out) const;
  [[nodiscard]] int DescribeBuffer(uint32_t buffer, SharedBuffer* out) const;
  // Another object with the same memory, at another address.
  [[nodiscard]] int Import(const SharedBuffer& shared, int gpu, uint64_t va, Allocation* out);

  // Opens the buffer on the render node of `gpu`; *buffer is its number, which is the GEM handle.
  // One CloseBuffer closes it, however often it was opened.
  [[nodiscard]] int OpenBuffer(const SharedBuffer& shared, int gpu, uint32_t* buffer);
  // Closes the buffer on the render node, and unmaps the buffer's ranges on that GPU.
  [[nodiscard]] int CloseBuffer(uint32_t buffer, int gpu);
  [[nodiscard]] int MapBuffer(uint32_t buffer, int gpu, uint64_t offset, uint64_t bytes,
                              uint64_t va);
  [[nodiscard]] int UnmapBuffer(uint32_t buffer, int gpu, uint64_t bytes, uint64_t va);
  [[nodiscard]] int SetNotes(uint32_t buffer, const BufferNotes& notes);
  // The offset at which a render node maps the buffer; FileAt returns the file behind that offset.
  [[nodiscard]] int MmapOffsetOf(uint32_t buffer, uint64_t* offset) const;
  // The file behind an offset of a render node; *offset becomes the offset in the file.
  int FileAt(uint64_t* offset) const;

  // The device's own view of an object's first `bytes` bytes; nullptr when it has fewer.
  uint8_t* HostAddressOf(uint64_t handle, uint64_t bytes) const;
  uint64_t FreeVram(int gpu) const;
  uint64_t UsedGtt() const;
  MemoryCounts Counts() const;
  void CloseFile() { arena_.CloseFile(); }

 private:
  struct Buffer {
    MemoryKind kind = MemoryKind::kVram;
    int gpu = 0;
    uint64_t bytes = 0;   // whole pages
    uint64_t offset = 0;  // in the arena, or in the owner's file
    uint8_t* host = nullptr;
    uint32_t references = 0;
    bool open[kMaxGpus] = {};  // has a handle of this GPU's render node
    BufferNotes notes;
    // kForeign only.
    SharedBuffer origin;
    int file = -1;  // this process's descriptor of the owner's file

    bool InArena() const {
      return kind == MemoryKind::kVram || kind == MemoryKind::kGtt ||
             kind == MemoryKind::kRegisters;
    }
  };
  using Buffers = std::map<uint32_t, Buffer>;

  struct Object {
    AllocationRequest request;
    uint32_t buffer = 0;
    bool mapped[kMaxGpus] = {};
  };

  // A range that a render node mapped.
  struct BufferRange {
    uint32_t buffer = 0;
    uint64_t bytes = 0;
  };

  [[nodiscard]] int FindBacking(const AllocationRequest& request, Buffer* buffer);
  [[nodiscard]] static int MapOn(const Object& object, const Buffer& buffer, int gpu);
  void Release(Buffers::iterator buffer);
  uint64_t AddObject(const AllocationRequest& request, uint32_t buffer);
  // The buffer that `shared` describes. A buffer of another process is created.
  [[nodiscard]] int Find(const SharedBuffer& shared, Buffers::iterator* out);
  [[nodiscard]] int MapForeign(const SharedBuffer& shared, Buffers::iterator* out);
  static uint64_t MmapOffset(uint32_t id, const Buffer& buffer);
  SharedBuffer DescriptionOf(uint32_t id, const Buffer& buffer) const;
  void ForgetRange(std::map<std::pair<int, uint64_t>, BufferRange>::iterator range);

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  Arena arena_;
  uint64_t vram_bytes_ = 0;
  uint64_t vram_used_[kMaxGpus] = {};
  std::map<uint64_t, Object> objects_;                      // by handle
  Buffers buffers_;                                         // by number
  std::map<std::pair<int, uint64_t>, BufferRange> ranges_;  // by GPU and address
  uint64_t next_handle_ = 1;
  uint32_t next_buffer_ = 1;
  MemoryCounts counts_;
};

}  // namespace vgpu
