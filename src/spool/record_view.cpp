// SPDX-License-Identifier: MIT
#include "spool/record_view.h"

#include <stdint.h>
#include <string.h>

#include "model/records.h"

namespace rtl::spool {
namespace {

// The size of the struct of each type, and the offset of its member `text_bytes` (zero: it has no
// text).
struct Shape {
  size_t bytes;
  size_t text_bytes_at;
};
constexpr Shape kShapes[] = {
    {0, 0},                                                              // kNone
    {sizeof(RecordHeader), 0},                                           // kPad
    {sizeof(AgentRecord), 0},                                            // kAgent
    {sizeof(QueueRecord), 0},                                            // kQueue
    {sizeof(QueueEndRecord), 0},                                         // kQueueEnd
    {sizeof(KernelRecord), offsetof(KernelRecord, text_bytes)},          // kKernel
    {sizeof(DispatchRecord), 0},                                         // kDispatch
    {sizeof(MarkRecord), offsetof(MarkRecord, text_bytes)},              // kMark
    {sizeof(RangeBeginRecord), offsetof(RangeBeginRecord, text_bytes)},  // kRangePush
    {sizeof(RangeEndRecord), 0},                                         // kRangePop
    {sizeof(RangeBeginRecord), offsetof(RangeBeginRecord, text_bytes)},  // kRangeStart
    {sizeof(RangeEndRecord), 0},                                         // kRangeStop
    {sizeof(WarningRecord), offsetof(WarningRecord, text_bytes)},        // kWarning
    {sizeof(ApiCallRecord), offsetof(ApiCallRecord, text_bytes)},        // kApiCall
    {sizeof(ApiNameRecord), offsetof(ApiNameRecord, text_bytes)},        // kApiName
    {sizeof(CopyRecord), 0},                                             // kCopy
    {sizeof(BarrierRecord), 0},                                          // kBarrier
    {sizeof(NameRecord), offsetof(NameRecord, text_bytes)},              // kName
    {sizeof(EventRecord), offsetof(EventRecord, text_bytes)},            // kEvent
    {sizeof(AgentPropertiesRecord),
     offsetof(AgentPropertiesRecord, text_bytes)},                         // kAgentProperties
    {sizeof(CounterRecord), offsetof(CounterRecord, text_bytes)},          // kCounter
    {sizeof(FaultRecord), 0},                                              // kFault
    {sizeof(CounterInfoRecord), offsetof(CounterInfoRecord, text_bytes)},  // kCounterInfo
    {sizeof(CodeObjectRecord), offsetof(CodeObjectRecord, text_bytes)},    // kCodeObject
    {sizeof(CodeBytesRecord), offsetof(CodeBytesRecord, text_bytes)},      // kCodeBytes
    {sizeof(PcSampleRecord), 0},                                           // kPcSample
};
constexpr size_t kShapeCount = sizeof kShapes / sizeof kShapes[0];
static_assert(kShapeCount == static_cast<size_t>(kLastRecordType) + 1);

}  // namespace

bool CheckRecord(const char* at, size_t available, RecordView* out) {
  const auto* head = reinterpret_cast<const RecordHeader*>(at);
  const size_t type = static_cast<size_t>(head->type);
  const size_t bytes = size_t{head->units} * 8;
  if (type == 0 || type >= kShapeCount) return false;
  const Shape& shape = kShapes[type];
  if (bytes < shape.bytes || bytes > available) return false;
  size_t text_bytes = 0;
  if (shape.text_bytes_at != 0) {
    uint32_t stored;
    memcpy(&stored, at + shape.text_bytes_at, sizeof stored);
    text_bytes = stored;
  }
  if (text_bytes > bytes - shape.bytes) return false;
  out->head = head;
  out->bytes = bytes;
  out->text = std::string_view(at + shape.bytes, text_bytes);
  return true;
}

}  // namespace rtl::spool
