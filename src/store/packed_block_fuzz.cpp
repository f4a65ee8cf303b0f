// SPDX-License-Identifier: MIT
// A block of packed rows whose every byte the fuzzer chose.
//
//   input     its stated number of rows (2 bytes), the block
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "store/packed_block.h"

namespace rtl::store {
namespace {

void Check(bool good) {
  if (!good) abort();
}

// An unpacked block can be packed and comes back unchanged.
void PackAgain(const UnpackedBlock& block) {
  static BlockPacker packer;
  static BlockUnpacker unpacker;
  std::vector<NarrowOp> rows;
  for (size_t i = 0; i < block.size(); ++i) rows.push_back(block.Row(i));
  std::string packed;
  Check(packer.Pack(rows, &packed).ok());
  UnpackedBlock again;
  Check(unpacker.Unpack(packed, rows.size(), &again).ok());
  for (size_t i = 0; i < rows.size(); ++i) {
    const NarrowOp row = again.Row(i);
    Check(row.launch == rows[i].launch && row.start == rows[i].start &&
          row.waited == rows[i].waited && row.duration == rows[i].duration &&
          row.sequence == rows[i].sequence && row.packet == rows[i].packet &&
          row.link == rows[i].link);
  }
}

void Unpack(const uint8_t* data, size_t size) {
  static BlockUnpacker unpacker;
  static UnpackedBlock block;
  if (size < 2) return;
  const uint64_t rows = data[0] | uint64_t{data[1]} << 8;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (!unpacker.Unpack(bytes, rows, &block).ok()) return;
  Check(block.size() == rows);
  PackAgain(block);
}

}  // namespace
}  // namespace rtl::store

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rtl::store::Unpack(data, size);
  return 0;
}
