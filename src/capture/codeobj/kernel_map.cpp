// SPDX-License-Identifier: MIT
#include "capture/codeobj/kernel_map.h"

#include <stdlib.h>
#include <string.h>

namespace rtl::capture {
namespace {

constexpr size_t kFirstRoom = 64;

size_t Hash(uint64_t address) {
  // Descriptors are 64-byte aligned; a multiplication spreads the remaining bits.
  return static_cast<size_t>((address >> 6) * 0x9e37'79b9'7f4a'7c15u >> 32);
}

// Makes room for one more element. False when out of memory.
template <typename T>
bool GrowBy1(T** array, uint32_t count, uint32_t* room) {
  if (count < *room) return true;
  const size_t wanted = *room == 0 ? kFirstRoom : size_t{*room} * 2;
  if (wanted >= UINT32_MAX) return false;
  void* grown = realloc(*array, wanted * sizeof(T));
  if (grown == nullptr) return false;
  *array = static_cast<T*>(grown);
  *room = static_cast<uint32_t>(wanted);
  return true;
}

}  // namespace

KernelMap::~KernelMap() {
  free(entries_);
  free(owners_);
  free(table_);
}

// Returns the slot that holds `address`, or null.
uint32_t* KernelMap::Slot(uint64_t address) const {
  if (table_room_ == 0) return nullptr;
  const size_t mask = table_room_ - 1;
  for (size_t i = Hash(address) & mask; table_[i] != kEmpty; i = (i + 1) & mask) {
    if (table_[i] != kRemoved && entries_[table_[i]].address == address) return &table_[i];
  }
  return nullptr;
}

uint32_t KernelMap::Find(uint64_t address) const {
  const uint32_t* slot = Slot(address);
  return slot == nullptr ? 0 : entries_[*slot].kernel;
}

bool KernelMap::GrowTable() {
  size_t room = table_room_ == 0 ? kFirstRoom * 2 : table_room_;
  while (room < (live_ + 1) * 4) room *= 2;
  auto* table = static_cast<uint32_t*>(calloc(room, sizeof(uint32_t)));
  if (table == nullptr) return false;
  const size_t mask = room - 1;
  for (size_t old = 0; old < table_room_; ++old) {
    if (table_[old] == kEmpty || table_[old] == kRemoved) continue;
    size_t i = Hash(entries_[table_[old]].address) & mask;
    while (table[i] != kEmpty) i = (i + 1) & mask;
    table[i] = table_[old];
  }
  free(table_);
  table_ = table;
  table_room_ = room;
  table_used_ = live_;
  return true;
}

// Allocates all that an insertion needs, so that it cannot fail half way.
bool KernelMap::Reserve() {
  if (entry_count_ == 0) entry_count_ = 1;
  if (free_ == 0 && !GrowBy1(&entries_, entry_count_, &entry_room_)) return false;
  if (!GrowBy1(&owners_, owner_count_, &owner_room_)) return false;
  const bool crowded = (table_used_ + 1) * 2 > table_room_;
  return !crowded || GrowTable();
}

uint32_t KernelMap::TakeEntry() {
  if (free_ == 0) return entry_count_++;
  const uint32_t index = free_;
  free_ = entries_[index].next;
  return index;
}

uint32_t* KernelMap::Chain(uint64_t owner) {
  for (uint32_t i = 0; i < owner_count_; ++i) {
    if (owners_[i].owner == owner) return &owners_[i].first;
  }
  owners_[owner_count_] = {owner, 0};
  return &owners_[owner_count_++].first;
}

bool KernelMap::Insert(uint64_t address, uint32_t kernel, uint64_t owner) {
  if (!Reserve()) return false;
  uint32_t* chain = Chain(owner);
  const uint32_t index = TakeEntry();
  entries_[index] = {address, kernel, *chain};
  *chain = index;
  uint32_t* slot = Slot(address);
  if (slot != nullptr) {
    // The older entry stays in the chain of its owner and is ignored from now on.
    *slot = index;
    return true;
  }
  const size_t mask = table_room_ - 1;
  size_t i = Hash(address) & mask;
  while (table_[i] != kEmpty && table_[i] != kRemoved) i = (i + 1) & mask;
  if (table_[i] == kEmpty) ++table_used_;
  table_[i] = index;
  ++live_;
  return true;
}

void KernelMap::Release(uint32_t index) {
  uint32_t* slot = Slot(entries_[index].address);
  if (slot != nullptr && *slot == index) {
    *slot = kRemoved;
    --live_;
  }
  entries_[index].next = free_;
  free_ = index;
}

void KernelMap::RemoveOwner(uint64_t owner) {
  if (owner == 0) return;
  for (uint32_t i = 0; i < owner_count_; ++i) {
    if (owners_[i].owner != owner) continue;
    uint32_t index = owners_[i].first;
    while (index != 0) {
      const uint32_t next = entries_[index].next;
      Release(index);
      index = next;
    }
    owners_[i] = owners_[--owner_count_];
    return;
  }
}

void KernelMap::Clear() {
  if (table_room_ != 0) memset(table_, 0, table_room_ * sizeof *table_);
  table_used_ = 0;
  live_ = 0;
  owner_count_ = 0;
  entry_count_ = 0;
  free_ = 0;
}

}  // namespace rtl::capture
