// SPDX-License-Identifier: MIT
#include "capture/clr/clr_format.h"

#include <string.h>

namespace rtl::capture {
namespace {

template <typename T>
T At(const uint8_t* bytes, size_t offset) {
  T value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

constexpr size_t kFlatCallBytes = 96, kFlatOpBytes = 56, kFlatOpAt = 40;
constexpr size_t kWideOpAt = 128;

ClrCall DecodeFlat(const uint8_t* bytes) {
  ClrCall call;
  call.api = At<uint32_t>(bytes, 0);
  call.thread = At<uint64_t>(bytes, 8);
  call.start = At<uint64_t>(bytes, 16);
  call.end = At<uint64_t>(bytes, 24);
  call.ops = At<int32_t>(bytes, 32) != 0 ? 1 : 0;
  call.first = DecodeClrOp(ClrForm::kFlat, bytes + kFlatOpAt);
  return call;
}

ClrCall DecodeFlatWide(const uint8_t* bytes) {
  const auto head = At<uint64_t>(bytes, 0);
  ClrCall call;
  call.api = head & 0xffff;
  call.ops = (head >> 16) & 1;
  call.thread = At<uint64_t>(bytes, 8);
  call.start = At<uint64_t>(bytes, 16);
  call.end = At<uint64_t>(bytes, 24);
  call.first = DecodeClrOp(ClrForm::kFlatWide, bytes + kWideOpAt);
  return call;
}

ClrOp DecodeFlatOp(const uint8_t* bytes) {
  ClrOp op;
  op.kind = At<uint32_t>(bytes, 0);
  op.begin = At<uint64_t>(bytes, 8);
  op.end = At<uint64_t>(bytes, 16);
  op.device = At<uint32_t>(bytes, 24);
  op.queue = At<uint64_t>(bytes, 32);
  op.bytes = At<uint64_t>(bytes, 40);
  op.name = At<uint64_t>(bytes, 48);
  return op;
}

}  // namespace

const char* ClrFormName(ClrForm form) {
  switch (form) {
    case ClrForm::kFlat:
      return "flat";
    case ClrForm::kFlatWide:
      return "flat, wide";
    case ClrForm::kChunks:
      return "chunks";
    case ClrForm::kList:
      return "chunks, kept";
    case ClrForm::kStreaming:
      return "streaming";
  }
  return "?";
}

size_t ClrCallBytes(ClrForm form) {
  return form == ClrForm::kFlat ? kFlatCallBytes : kMaxClrCallBytes;
}

size_t ClrOpBytes(ClrForm form) { return form == ClrForm::kFlat ? kFlatOpBytes : kMaxClrOpBytes; }

ClrOp DecodeClrOp(ClrForm form, const uint8_t* bytes) {
  if (form == ClrForm::kFlat) return DecodeFlatOp(bytes);
  const auto flags = At<uint64_t>(bytes, 0);
  ClrOp op;
  op.kind = flags & 7;
  op.copy_kind = (flags >> 4) & 15;
  op.device = (flags >> 16) & 0xffff;
  if (form == ClrForm::kStreaming && op.device != 0) --op.device;  // HIP 7.14 counts from one
  op.queue = (flags >> 32) & 0xffff;
  op.begin = At<uint64_t>(bytes, 8);
  op.end = At<uint64_t>(bytes, 16);
  op.name = op.bytes = At<uint64_t>(bytes, 24);
  if (form != ClrForm::kList && form != ClrForm::kStreaming) return op;
  op.next = At<uint64_t>(bytes, 40);
  if (op.kind == static_cast<uint32_t>(ClrOpKind::kDispatch)) {
    memcpy(op.grid, bytes + 48, sizeof op.grid);
    memcpy(op.block, bytes + 60, sizeof op.block);
  } else if (op.kind == static_cast<uint32_t>(ClrOpKind::kCopy)) {
    op.src = At<uint64_t>(bytes, 48);
    op.dst = At<uint64_t>(bytes, 56);
  }
  return op;
}

ClrCall DecodeClrCall(ClrForm form, const uint8_t* bytes) {
  if (form == ClrForm::kFlat) return DecodeFlat(bytes);
  if (form == ClrForm::kFlatWide) return DecodeFlatWide(bytes);
  ClrCall call;
  call.name = At<uint64_t>(bytes, 0);
  call.thread = At<uint64_t>(bytes, 16);
  call.start = At<uint64_t>(bytes, 24);
  call.end = At<uint64_t>(bytes, 32);
  call.ops = At<uint32_t>(bytes, kWideOpAt + 32);
  const bool has_op = (At<uint64_t>(bytes, 8) & 1) != 0;
  if (form == ClrForm::kChunks) {
    call.array = call.ops != 0 ? At<uint64_t>(bytes, kWideOpAt + 40) : 0;
    return call;  // only the count shows whether the call has operations
  }
  if (form == ClrForm::kStreaming) call.bytes = At<uint64_t>(bytes, 72);
  if (!has_op) call.ops = 0;
  if (has_op && call.ops == 0) call.ops = 1;
  call.first = DecodeClrOp(form, bytes + kWideOpAt);
  return call;
}

// The first record looks the same in both forms. The second record decides: a wide record has zeros
// where a narrow record has its times. If there is only one record, the two words that say whether
// the record has an operation decide.
ClrForm TellFlatForm(const uint8_t* bytes, size_t readable, size_t count) {
  if (count > 1 && readable >= kFlatCallBytes + 32) {
    return At<uint64_t>(bytes, kFlatCallBytes + 16) != 0 ? ClrForm::kFlat : ClrForm::kFlatWide;
  }
  const bool wide = readable >= kMaxClrCallBytes && (At<uint64_t>(bytes, 0) & 0x10000) != 0;
  return wide ? ClrForm::kFlatWide : ClrForm::kFlat;
}

}  // namespace rtl::capture
