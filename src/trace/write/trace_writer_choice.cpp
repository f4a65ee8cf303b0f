// SPDX-License-Identifier: MIT
// The part of the trace writer that leaves out unselected events.
#include "trace/write/trace_writer.h"

namespace rtl::store {

void TraceWriter::LeaveOut(Process& process, EventKind kind) {
  ++process.left_out[static_cast<size_t>(kind)];
}

// True for a record of an unselected process. Its processes and queues are kept.
bool TraceWriter::LeaveOut(Process& process, const spool::RecordView& record) {
  switch (record.head->type) {
    case RecordType::kDispatch: {
      const auto queue = process.queues.find(record.As<DispatchRecord>().queue);
      if (queue != process.queues.end()) ++queue->second.left_out;
      LeaveOut(process, EventKind::kKernel);
      return true;
    }
    case RecordType::kCopy:
      LeaveOut(process, EventKind::kCopy);
      return true;
    case RecordType::kBarrier:
      LeaveOut(process, EventKind::kBarrier);
      return true;
    case RecordType::kMark:
    case RecordType::kRangePush:
    case RecordType::kRangeStart:
      LeaveOut(process, EventKind::kMarker);
      return true;
    case RecordType::kRangePop:
    case RecordType::kRangeStop:
      return true;  // counted at its beginning
    case RecordType::kApiCall: {
      const bool compiler = (record.As<ApiCallRecord>().flags & kApiFlagCompiler) != 0;
      LeaveOut(process, compiler ? EventKind::kCompilerCall : EventKind::kHipCall);
      return true;
    }
    case RecordType::kEvent:
      LeaveOut(process, record.As<EventRecord>().kind);
      return true;
    case RecordType::kCounter:
      if ((record.As<CounterRecord>().flags & kCounterFlagLast) != 0)
        LeaveOut(process, EventKind::kCounter);
      return true;
    case RecordType::kPcSample:
      LeaveOut(process, EventKind::kPcSample);
      return true;
    default:
      return false;
  }
}

}  // namespace rtl::store
