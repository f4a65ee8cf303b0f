// SPDX-License-Identifier: MIT
#include "capture/session/init_events.h"

#include "base/clock.h"
#include "base/thread_state.h"
#include "model/records.h"

namespace rtl::capture {

void InitEvents::Write(RecordSink* sink, InitOperation runtime, uint64_t version,
                       uint64_t instance) {
  if (sink == nullptr) return;
  InitValues values;
  values.version = version;
  values.instance = instance;
  EventRecord record;
  record.head.type = RecordType::kEvent;
  record.head.thread = ThreadId::Current();
  record.start = record.end = BootTimeNs();
  record.kind = EventKind::kInit;
  record.values = sizeof values / sizeof(uint64_t);
  record.operation = static_cast<uint16_t>(runtime);
  record.text_bytes = sizeof values;
  sink->CountSubmitted(EventKind::kInit, 1);
  if (!sink->Write(&record, sizeof record, reinterpret_cast<const char*>(&values), sizeof values))
    sink->CountLoss(EventKind::kInit, Loss::kSpoolFull, 1);
}

void InitEvents::Note(RecordSink* sink, InitOperation runtime, uint64_t version,
                      uint64_t instance) {
  const uint32_t bit = 1u << static_cast<uint32_t>(runtime);
  if ((noted_ & bit) != 0 && instance == 0) return;
  noted_ |= bit;
  Write(sink, runtime, version, instance);
}

bool InitEvents::Remember(InitOperation runtime, uint64_t version, uint64_t instance) {
  if (count_ == kMostRegistered) return false;
  registered_[count_++] = {runtime, version, instance};
  return true;
}

void InitEvents::NoteRemembered(RecordSink* sink) {
  for (size_t i = 0; i < count_; ++i) {
    const Registered& each = registered_[i];
    Note(sink, each.runtime, each.version, each.instance);
  }
}

}  // namespace rtl::capture
