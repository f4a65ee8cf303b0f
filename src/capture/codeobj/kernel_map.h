// SPDX-License-Identifier: MIT
// kernel_map.h: maps an address to its current kernel id, and an executable to its addresses.
//
// Threads    one at a time; CodeObjects holds its lock around every call
// Memory     three arrays that grow by doubling; an insertion fails when an allocation fails
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

class KernelMap {
 public:
  KernelMap() = default;
  ~KernelMap();
  KernelMap(const KernelMap&) = delete;
  KernelMap& operator=(const KernelMap&) = delete;

  // Maps `address` to `kernel` from now on, replacing an earlier mapping, until RemoveOwner(owner).
  // An owner of zero is never removed. False when out of memory: the map is unchanged.
  bool Insert(uint64_t address, uint32_t kernel, uint64_t owner);

  // Zero when the address is not mapped.
  uint32_t Find(uint64_t address) const;

  // Removes the addresses that are now mapped for `owner`.
  void RemoveOwner(uint64_t owner);

  // Removes all mappings; keeps the memory.
  void Clear();

  size_t size() const { return live_; }

 private:
  // Indices into entries_ are 1-based, so that zero means none.
  struct Entry {
    uint64_t address;
    uint32_t kernel;
    uint32_t next;  // next entry of the same owner, or of the free list
  };
  struct Owner {
    uint64_t owner;
    uint32_t first;
  };
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kRemoved = UINT32_MAX;

  bool Reserve();
  bool GrowTable();
  uint32_t* Chain(uint64_t owner);
  uint32_t TakeEntry();
  uint32_t* Slot(uint64_t address) const;
  void Release(uint32_t index);

  Entry* entries_ = nullptr;  // [0] is not used
  uint32_t entry_count_ = 0, entry_room_ = 0, free_ = 0;
  Owner* owners_ = nullptr;
  uint32_t owner_count_ = 0, owner_room_ = 0;
  uint32_t* table_ = nullptr;  // open addressing; the size is a power of two
  size_t table_room_ = 0, table_used_ = 0;
  size_t live_ = 0;
};

}  // namespace rtl::capture
