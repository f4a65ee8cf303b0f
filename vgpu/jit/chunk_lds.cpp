// SPDX-License-Identifier: MIT
// Loads from LDS, for a chunk of lanes.
#include <llvm/IR/Intrinsics.h>

#include "vgpu/jit/chunk_emitter.h"
#include "vgpu/jit/lds_read.h"

namespace vgpu::jit {
namespace {

using llvm::Value;

// The shuffle that interleaves two vectors within each 128 bits: single dwords (`width` is 1) or
// pairs of dwords, from the low half or the high half.
std::vector<int> Interleave(uint32_t width, bool high) {
  std::vector<int> mask;
  const uint32_t first = high ? 2 : 0;
  for (uint32_t quad = 0; quad < kChunkLanes; quad += 4) {
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t from_second = width == 1 ? i & 1 : i >> 1;
      const uint32_t dword = first + (width == 1 ? i >> 1 : i & 1);
      mask.push_back(static_cast<int>(quad + dword + from_second * kChunkLanes));
    }
  }
  return mask;
}

std::vector<int> Count(int count) {
  std::vector<int> mask;
  for (int i = 0; i < count; ++i) mask.push_back(i);
  return mask;
}

}  // namespace

// Loads `dwords` dwords for each lane of the chunk; `places` are the addresses of the lanes.
std::vector<Value*> ChunkEmitter::LoadColumns(const std::vector<Value*>& places, uint32_t dwords) {
  auto* type = llvm::FixedVectorType::get(b.getInt32Ty(), dwords);
  const auto lane = [&](uint32_t i) -> Value* {
    Value* loaded = b.CreateAlignedLoad(type, places[i], llvm::Align(1));
    return dwords == 4 ? loaded : b.CreateShuffleVector(loaded, std::vector<int>{0, 1, -1, -1});
  };
  Value* v[4];
  for (uint32_t i = 0; i < 4; ++i) {
    Value* low = b.CreateShuffleVector(lane(i), lane(i + 4), Count(8));
    Value* high = b.CreateShuffleVector(lane(i + 8), lane(i + 12), Count(8));
    v[i] = b.CreateShuffleVector(low, high, Count(16));
  }
  Value* low01 = b.CreateShuffleVector(v[0], v[1], Interleave(1, false));
  Value* low23 = b.CreateShuffleVector(v[2], v[3], Interleave(1, false));
  std::vector<Value*> columns = {b.CreateShuffleVector(low01, low23, Interleave(2, false)),
                                 b.CreateShuffleVector(low01, low23, Interleave(2, true))};
  if (dwords == 4) {
    Value* high01 = b.CreateShuffleVector(v[0], v[1], Interleave(1, true));
    Value* high23 = b.CreateShuffleVector(v[2], v[3], Interleave(1, true));
    columns.push_back(b.CreateShuffleVector(high01, high23, Interleave(2, false)));
    columns.push_back(b.CreateShuffleVector(high01, high23, Interleave(2, true)));
  }
  return columns;
}

std::vector<Value*> ChunkEmitter::LoadDwords(const std::vector<Value*>& places, uint32_t dwords) {
  if (dwords != 1) return LoadColumns(places, dwords);
  Value* row = llvm::UndefValue::get(i32);
  for (uint32_t i = 0; i < kChunkLanes; ++i) {
    Value* loaded = b.CreateAlignedLoad(b.getInt32Ty(), places[i], llvm::Align(1));
    row = b.CreateInsertElement(row, loaded, uint64_t{i});
  }
  return {row};
}

// A lane whose address is out of range reads at the last address; the handler then executes it.
void ChunkEmitter::EmitLdsRead(const QueuedOp& queued) {
  const Instruction& in = *queued.in;
  const LdsRead read = *LdsReadOf(in);
  Value* base = queued.scalar[0];
  Value* last = b.CreateVectorSplat(kChunkLanes, queued.scalar[1]);
  Value* address = Register(in.vaddr);
  Avoid(b.CreateOr(b.CreateICmpUGT(address, last),
                   b.CreateVectorSplat(kChunkLanes, queued.scalar[2])));
  Value* safe = Call(llvm::Intrinsic::umin, {address, last});
  std::vector<Value*> offsets;
  for (uint32_t i = 0; i < kChunkLanes; ++i) {
    offsets.push_back(b.CreateZExt(b.CreateExtractElement(safe, uint64_t{i}), b.getInt64Ty()));
  }
  uint32_t number = in.dst;
  std::vector<Value*> loaded;
  for (uint32_t element = 0; element < read.elements; ++element) {
    std::vector<Value*> places;
    for (Value* offset : offsets) {
      Value* place = b.CreateAdd(offset, b.getInt64(read.offset[element]));
      places.push_back(b.CreateGEP(b.getInt8Ty(), base, place));
    }
    const std::vector<Value*> rows = LoadDwords(places, read.dwords);
    loaded.insert(loaded.end(), rows.begin(), rows.end());
  }
  for (Value* row : loaded) {
    SetRegister(number, row);
    number = RegisterAfter(number, 1);
  }
}

}  // namespace vgpu::jit
