// SPDX-License-Identifier: MIT
// arena.h: memory for many small things that end together.
//
// Threads    one at a time
// Memory     from malloc, in blocks; Reset keeps the blocks for what comes next
// Errors     null: there is no memory
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>
#include <string_view>

namespace rtl::counters {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (first_ != nullptr) {
      Block* const block = first_;
      first_ = block->next;
      free(block);
    }
  }

  void* Bytes(size_t bytes) {
    bytes = (bytes + kAlign - 1) & ~(kAlign - 1);
    while (current_ != nullptr && current_->size - used_ < bytes) {
      if (current_->next == nullptr) break;
      current_ = current_->next;
      used_ = 0;
    }
    if ((current_ == nullptr || current_->size - used_ < bytes) && !AddBlock(bytes)) return nullptr;
    void* const out = current_->data() + used_;
    used_ += bytes;
    return out;
  }
  // Value-initialised. Null: there is no memory.
  template <typename T>
  T* New(size_t count = 1) {
    constexpr size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): of pointers, too
    if (count > SIZE_MAX / 2 / kSize) return nullptr;
    auto* const out = static_cast<T*>(Bytes(count * kSize));
    for (size_t i = 0; out != nullptr && i < count; ++i) new (out + i) T();
    return out;
  }
  // A zero-terminated copy. If there is no memory, its data is null.
  std::string_view Copy(std::string_view text) {
    auto* const out = static_cast<char*>(Bytes(text.size() + 1));
    if (out == nullptr) return {};
    if (!text.empty()) memcpy(out, text.data(), text.size());
    out[text.size()] = '\0';
    return {out, text.size()};
  }
  // Ends the lifetime of everything that the arena has given out.
  void Reset() {
    current_ = first_;
    used_ = 0;
  }

 private:
  static constexpr size_t kAlign = 16;
  static constexpr size_t kBlockBytes = 64 << 10;
  struct alignas(kAlign) Block {
    Block* next;
    size_t size;
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  bool AddBlock(size_t bytes) {
    const size_t size = bytes > kBlockBytes ? bytes : kBlockBytes;
    auto* const block = static_cast<Block*>(malloc(sizeof(Block) + size));
    if (block == nullptr) return false;
    *block = {nullptr, size};
    (current_ == nullptr ? first_ : current_->next) = block;
    current_ = block;
    used_ = 0;
    return true;
  }

  Block* first_ = nullptr;
  Block* current_ = nullptr;
  size_t used_ = 0;
};

}  // namespace rtl::counters
