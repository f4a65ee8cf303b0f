// SPDX-License-Identifier: MIT
// packed_block.h: up to kBlockRows rows of rtl_op as one value, some 5 to 10 bytes per row
// (docs/formats/database.md#packed-traces).
//
// Each column becomes differences from the usual predecessor. The differences are cut into bytes,
// and each byte plane is compressed by itself, so that similar bytes lie together.
//
// Threads    none of its own; one object per thread
// Memory     some 100 bytes per row of a block
// Errors     a block is not trusted: Unpack names the error in one
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace rtl::store {

// One row of rtl_op without its id; columns as in docs/formats/database.md.
struct NarrowOp {
  static constexpr int64_t kNull = INT64_MIN;
  int64_t launch;
  int64_t start;
  int64_t duration;
  int64_t waited;    // or kNull
  int64_t sequence;  // or kNull
  int64_t packet;
  int64_t link;
};

inline constexpr size_t kBlockRows = 8192;

class BlockPacker {
 public:
  BlockPacker();
  ~BlockPacker();
  BlockPacker(const BlockPacker&) = delete;
  BlockPacker& operator=(const BlockPacker&) = delete;

  // `rows`: 1 to kBlockRows. `out` is replaced.
  Status Pack(std::span<const NarrowOp> rows, std::string* out);

 private:
  Status AddColumn(const std::vector<uint64_t>& numbers, std::string* out);
  Status AddPlane(std::string* out);
  void FillDifferences(std::span<const NarrowOp> rows);

  ZSTD_CCtx_s* context_;
  std::unordered_map<int64_t, uint64_t> places_;  // indices of launches, in the order of appearance
  std::vector<uint64_t> launches_, columns_[8];
  std::vector<unsigned char> plane_;
  std::string compressed_;
};

// The rows of a block, by column. `launch` holds indices into `launches`; `submit` counts from the
// same origin as `start`.
struct UnpackedBlock {
  std::vector<int64_t> launches;
  std::vector<uint64_t> flags, launch, start, submit, duration, sequence, packet, link;

  size_t size() const { return launch.size(); }
  bool has_submit(size_t i) const;  // submit[i] is set
  NarrowOp Row(size_t i) const;
};

class BlockUnpacker {
 public:
  BlockUnpacker();
  ~BlockUnpacker();
  BlockUnpacker(const BlockUnpacker&) = delete;
  BlockUnpacker& operator=(const BlockUnpacker&) = delete;

  // `rows`: the block's number of rows by its table row.
  Status Unpack(std::string_view block, uint64_t rows, UnpackedBlock* out);

 private:
  Status TakeColumn(size_t count, std::string_view* block, std::vector<uint64_t>* out);
  Status TakePlane(std::string_view* block);

  ZSTD_DCtx_s* context_;
  std::vector<unsigned char> plane_;
};

}  // namespace rtl::store
