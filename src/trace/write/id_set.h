// SPDX-License-Identifier: MIT
// id_set.h: a set of numbers that are mostly without gaps, but are added in any order.
//
// Memory     540 bytes for each block of 4,096 numbers if some are missing, 24 bytes for a full
//            block
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace rtl::store {

class IdSet {
 public:
  // HOT.
  bool Contains(int64_t id) const {
    const Block* const block = FindBlock(id >> kBits);
    return block != nullptr && (block->is_full() || (block->words[Word(id)] & Bit(id)) != 0);
  }
  // HOT.
  void Add(int64_t id) {
    Block* block = FindBlock(id >> kBits);
    if (block == nullptr) block = &Make(id >> kBits);
    if (block->is_full() || (block->words[Word(id)] & Bit(id)) != 0) return;
    block->words[Word(id)] |= Bit(id);
    if (++block->count == kIds) block->words.reset();
  }

 private:
  static constexpr int kBits = 12;
  static constexpr uint32_t kIds = 1u << kBits;  // numbers in a block
  static constexpr size_t kRecent = 16;

  struct Block {
    std::unique_ptr<uint64_t[]> words;
    uint32_t count = 0;
    bool is_full() const { return count == kIds; }
  };
  struct Recent {
    int64_t number = -1;
    Block* block = nullptr;
  };

  static size_t Word(int64_t id) { return static_cast<uint64_t>(id) % kIds / 64; }
  static uint64_t Bit(int64_t id) { return uint64_t{1} << (static_cast<uint64_t>(id) % 64); }

  Block* FindBlock(int64_t number) const {
    Recent& recent = recent_[static_cast<uint64_t>(number) % kRecent];
    if (recent.number == number && recent.block != nullptr) return recent.block;
    const auto found = blocks_.find(number);
    if (found == blocks_.end()) return nullptr;
    recent = {number, found->second.get()};
    return recent.block;
  }
  Block& Make(int64_t number) {
    auto& block = blocks_[number];
    block = std::make_unique<Block>();
    block->words = std::make_unique<uint64_t[]>(kIds / 64);
    return *block;
  }

  std::unordered_map<int64_t, std::unique_ptr<Block>> blocks_;
  mutable Recent recent_[kRecent];  // blocks that were found last
};

}  // namespace rtl::store
