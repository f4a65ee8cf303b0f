// SPDX-License-Identifier: MIT
#include "store/packed_block.h"

#include <string.h>
#include <zstd.h>

#include <algorithm>

namespace rtl::store {
namespace {

constexpr int kLevel = 1;  // higher levels gain nothing: the rest is noise
constexpr size_t kSizeBytes = 2;
static_assert(kBlockRows < 1 << 16, "a plane's size has 16 bits");

// Of a row.
constexpr uint64_t kNoWaited = 1;
constexpr uint64_t kNoSequence = 2;

enum BlockColumn { kFlags, kLaunch, kStart, kSubmit, kDuration, kSequence, kPacket, kLink };

// Differences wrap: all 64-bit values survive the round trip.
uint64_t Fold(uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
uint64_t Unfold(uint64_t folded) { return folded >> 1 ^ ((folded & 1) != 0 ? ~uint64_t{0} : 0); }

uint64_t Bits(int64_t number) { return static_cast<uint64_t>(number); }
int64_t Number(uint64_t bits) { return static_cast<int64_t>(bits); }

Status Broken(const char* what) {
  return Status::Error("a block of packed rows is broken: %s", what);
}

struct Counts {
  uint64_t duration = 0, sequence = 0, packet = 0;
};

// Differences to numbers: the opposite of FillDifferences.
Status AddUp(UnpackedBlock* block) {
  std::vector<Counts> of_launch(block->launches.size());
  uint64_t start = 0, submit = 0, link = 0;
  const auto add = [](uint64_t* number, uint64_t* before) { *number = *before += Unfold(*number); };
  for (size_t i = 0; i < block->size(); ++i) {
    if (block->launch[i] >= of_launch.size()) return Broken("a launch that it does not have");
    Counts& last = of_launch[block->launch[i]];
    add(&block->start[i], &start);
    add(&block->submit[i], &submit);
    add(&block->duration[i], &last.duration);
    add(&block->sequence[i], &last.sequence);
    add(&block->packet[i], &last.packet);
    add(&block->link[i], &link);
  }
  return Status::Ok();
}

}  // namespace

NarrowOp UnpackedBlock::Row(size_t i) const {
  NarrowOp row;
  row.launch = launches[launch[i]];
  row.start = Number(start[i]);
  row.duration = Number(duration[i]);
  row.waited = has_submit(i) ? Number(start[i] - submit[i]) : NarrowOp::kNull;
  row.sequence = (flags[i] & kNoSequence) == 0 ? Number(sequence[i]) : NarrowOp::kNull;
  row.packet = Number(packet[i]);
  row.link = Number(link[i]);
  return row;
}

bool UnpackedBlock::has_submit(size_t i) const { return (flags[i] & kNoWaited) == 0; }

BlockPacker::BlockPacker() : context_(ZSTD_createCCtx()) {}
BlockPacker::~BlockPacker() { ZSTD_freeCCtx(context_); }
BlockUnpacker::BlockUnpacker() : context_(ZSTD_createDCtx()) {}
BlockUnpacker::~BlockUnpacker() { ZSTD_freeDCtx(context_); }

// A time is stored relative to the previous row; a queue's or a kernel's count relative to the
// previous row of the same launch.
void BlockPacker::FillDifferences(std::span<const NarrowOp> rows) {
  std::vector<Counts> of_launch;
  places_.clear();
  launches_.clear();
  for (auto& column : columns_) column.resize(rows.size());
  uint64_t start = 0, submit = 0, link = 0, last_launch = 0;
  const auto set = [&](BlockColumn column, size_t row, uint64_t number, uint64_t* before) {
    columns_[column][row] = Fold(number - *before);
    *before = number;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const NarrowOp& row = rows[i];
    const auto [place, is_new] = places_.try_emplace(row.launch, launches_.size());
    if (is_new) {
      launches_.push_back(Fold(Bits(row.launch) - last_launch));
      last_launch = Bits(row.launch);
      of_launch.emplace_back();
    }
    Counts& last = of_launch[place->second];
    const bool no_waited = row.waited == NarrowOp::kNull;
    const bool no_sequence = row.sequence == NarrowOp::kNull;
    columns_[kFlags][i] = kNoWaited * no_waited + kNoSequence * no_sequence;
    columns_[kLaunch][i] = place->second;
    set(kStart, i, Bits(row.start), &start);
    set(kSubmit, i, no_waited ? submit : Bits(row.start) - Bits(row.waited), &submit);
    set(kDuration, i, Bits(row.duration), &last.duration);
    set(kSequence, i, no_sequence ? last.sequence : Bits(row.sequence), &last.sequence);
    set(kPacket, i, Bits(row.packet), &last.packet);
    set(kLink, i, Bits(row.link), &link);
  }
}

// Writes plane_ as its size and its bytes: as one byte where all are alike, uncompressed where
// compression gains nothing.
Status BlockPacker::AddPlane(std::string* out) {
  const size_t count = plane_.size();
  const auto append = [&](const void* bytes, size_t size) {
    const unsigned char prefix[kSizeBytes] = {static_cast<unsigned char>(size & 0xff),
                                              static_cast<unsigned char>(size >> 8)};
    out->append(reinterpret_cast<const char*>(prefix), sizeof prefix);
    out->append(static_cast<const char*>(bytes), size);
  };
  if (std::all_of(plane_.begin(), plane_.end(), [&](auto byte) { return byte == plane_[0]; })) {
    append(plane_.data(), 1);
    return Status::Ok();
  }
  compressed_.resize(ZSTD_compressBound(count));
  const size_t size = ZSTD_compressCCtx(context_, compressed_.data(), compressed_.size(),
                                        plane_.data(), count, kLevel);
  if (ZSTD_isError(size) != 0) return Status::Error("packing rows: %s", ZSTD_getErrorName(size));
  if (size > 1 && size < count) {
    append(compressed_.data(), size);
  } else {
    append(plane_.data(), count);
  }
  return Status::Ok();
}

Status BlockPacker::AddColumn(const std::vector<uint64_t>& numbers, std::string* out) {
  uint64_t all = 0;
  for (const uint64_t number : numbers) all |= number;
  int planes = 0;
  for (; all != 0; all >>= 8) ++planes;
  out->push_back(static_cast<char>(planes));
  plane_.resize(numbers.size());
  for (int plane = 0; plane < planes; ++plane) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      plane_[i] = static_cast<unsigned char>(numbers[i] >> (8 * plane));
    }
    RTL_TRY(AddPlane(out));
  }
  return Status::Ok();
}

Status BlockPacker::Pack(std::span<const NarrowOp> rows, std::string* out) {
  if (context_ == nullptr) return Status::Error("packing rows: out of memory");
  FillDifferences(rows);
  out->clear();
  const size_t launches = launches_.size();
  out->push_back(static_cast<char>(launches & 0xff));
  out->push_back(static_cast<char>(launches >> 8));
  RTL_TRY(AddColumn(launches_, out));
  for (const auto& column : columns_) RTL_TRY(AddColumn(column, out));
  return Status::Ok();
}

Status BlockUnpacker::TakePlane(std::string_view* block) {
  if (block->size() < kSizeBytes) return Broken("it ends early");
  const size_t size = static_cast<unsigned char>((*block)[0]) |
                      static_cast<size_t>(static_cast<unsigned char>((*block)[1])) << 8;
  block->remove_prefix(kSizeBytes);
  if (size == 0 || size > plane_.size() || size > block->size()) return Broken("a wrong size");
  if (size == plane_.size()) {
    memcpy(plane_.data(), block->data(), size);
  } else if (size == 1) {
    memset(plane_.data(), block->front(), plane_.size());
  } else {
    const size_t got =
        ZSTD_decompressDCtx(context_, plane_.data(), plane_.size(), block->data(), size);
    if (ZSTD_isError(got) != 0) return Broken(ZSTD_getErrorName(got));
    if (got != plane_.size()) return Broken("a column is too short");
  }
  block->remove_prefix(size);
  return Status::Ok();
}

Status BlockUnpacker::TakeColumn(size_t count, std::string_view* block,
                                 std::vector<uint64_t>* out) {
  if (block->empty()) return Broken("it ends early");
  const int planes = block->front();
  block->remove_prefix(1);
  if (planes < 0 || planes > 8) return Broken("a number of more than eight bytes");
  out->assign(count, 0);
  plane_.resize(count);
  for (int plane = 0; plane < planes; ++plane) {
    RTL_TRY(TakePlane(block));
    for (size_t i = 0; i < count; ++i) (*out)[i] |= uint64_t{plane_[i]} << (8 * plane);
  }
  return Status::Ok();
}

Status BlockUnpacker::Unpack(std::string_view block, uint64_t rows, UnpackedBlock* out) {
  if (context_ == nullptr) return Status::Error("unpacking rows: out of memory");
  if (rows == 0 || rows > kBlockRows) return Broken("a wrong number of rows");
  if (block.size() < kSizeBytes) return Broken("it ends early");
  const size_t launches = static_cast<unsigned char>(block[0]) |
                          static_cast<size_t>(static_cast<unsigned char>(block[1])) << 8;
  block.remove_prefix(kSizeBytes);
  if (launches == 0 || launches > rows) return Broken("a wrong number of launches");
  std::vector<uint64_t>& ids = out->flags;  // until its own numbers arrive
  RTL_TRY(TakeColumn(launches, &block, &ids));
  out->launches.resize(launches);
  uint64_t last_launch = 0;
  for (size_t i = 0; i < launches; ++i) {
    last_launch += Unfold(ids[i]);
    out->launches[i] = Number(last_launch);
  }
  for (auto* column : {&out->flags, &out->launch, &out->start, &out->submit, &out->duration,
                       &out->sequence, &out->packet, &out->link}) {
    RTL_TRY(TakeColumn(rows, &block, column));
  }
  if (!block.empty()) return Broken("something follows its rows");
  return AddUp(out);
}

}  // namespace rtl::store
