// SPDX-License-Identifier: MIT
#include "capture/counters/trace_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread_state.h"
#include "capture/hsa/queue_identity.h"
#include "model/event_kinds.h"

namespace rtl::capture {
namespace {

bool CopyName(char* out, size_t room, const char* text, size_t length) {
  if (length == 0 || length >= room) return false;
  memcpy(out, text, length);
  out[length] = '\0';
  return true;
}

uint64_t PositionOf(const CounterValue& value) {
  uint64_t position = 0;
  for (uint32_t i = kCounterDimensions - 1; i > 0; --i) {
    position = position << kCounterPositionBits | value.position[i];
  }
  return position;
}

}  // namespace

TraceCounters::Kind* TraceCounters::KindFor(const char* gpu, size_t length) {
  for (uint32_t i = 0; i < kinds_; ++i) {
    if (strlen(kind_[i].gpu) == length && memcmp(kind_[i].gpu, gpu, length) == 0) return &kind_[i];
  }
  if (kinds_ == kMostKinds) return nullptr;
  Kind* const kind = &kind_[kinds_];
  if (length != 0 && !CopyName(kind->gpu, sizeof kind->gpu, gpu, length)) return nullptr;
  ++kinds_;
  return kind;
}

Status TraceCounters::Add(const char* item, size_t length) {
  char text[128];
  if (!CopyName(text, sizeof text, item, length))
    return Status::Error("an item is empty or longer than %zu bytes", sizeof text - 1);
  const char* const slash = strchr(text, '/');
  const char* const name = slash == nullptr ? text : slash + 1;
  const char* const equals = strchr(name, '=');
  const char* const colon = equals == nullptr ? nullptr : strchr(equals, ':');
  char* end = nullptr;
  const unsigned long event = colon == nullptr ? 0 : strtoul(colon + 1, &end, 10);
  if (colon == nullptr || end == colon + 1 || *end != '\0' || event > UINT32_MAX)
    return Status::Error("%s is not NAME=BLOCK:EVENT", text);
  Kind* const kind = KindFor(text, slash == nullptr ? 0 : static_cast<size_t>(slash - text));
  if (kind == nullptr || kind->set.count == CounterSet::kMost)
    return Status::Error("%s is one too many", text);
  CounterEvent* const out = &kind->set.events[kind->set.count];
  if (!CopyName(kind->names[kind->set.count], kNameBytes, name,
                static_cast<size_t>(equals - name)) ||
      !CopyName(out->block, sizeof out->block, equals + 1, static_cast<size_t>(colon - equals - 1)))
    return Status::Error("%s: a name is empty or too long", text);
  out->event = static_cast<uint32_t>(event);
  ++kind->set.count;
  return Status::Ok();
}

Status TraceCounters::Parse(const char* text) {
  kinds_ = 0;
  while (*text != '\0') {
    const size_t length = strcspn(text, ",");
    if (Status added = Add(text, length); !added.ok()) {
      kinds_ = 0;
      return added;
    }
    text += length + (text[length] == ',' ? 1 : 0);
  }
  return Status::Ok();
}

void TraceCounters::Open(RecordSink* sink, const HsaApi* api) {
  sink_ = sink;
  api_ = api;
}

const CounterSet* TraceCounters::Choose(const DispatchRecord&, const QueueIdentity& queue,
                                        uint64_t* token) {
  char name[64] = {};
  const bool known =
      api_->agent_get_info(queue.hsa_agent, HSA_AGENT_INFO_NAME, name) == HSA_STATUS_SUCCESS;
  for (uint32_t i = 0; i < kinds_; ++i) {
    if (kind_[i].gpu[0] != '\0' && !(known && strncmp(kind_[i].gpu, name, sizeof name) == 0))
      continue;
    *token = i;
    return &kind_[i].set;
  }
  return nullptr;
}

void TraceCounters::Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity&,
                            const CounterValue* values, uint32_t count) {
  const Kind& kind = kind_[token];
  CounterRecord record;
  record.head.type = RecordType::kCounter;
  record.head.thread = ThreadId::Current();
  record.dispatch = kernel.dispatch;
  for (uint32_t i = 0; i < count; ++i) {
    const char* const name = kind.names[values[i].event];
    record.value = values[i].value;
    record.position = PositionOf(values[i]);
    record.flags = (i + 1 == count ? kCounterFlagLast : 0) |
                   (values[i].not_modelled ? kCounterFlagNotModelled : 0);
    record.text_bytes = static_cast<uint32_t>(strlen(name));
    if (!sink_->Write(&record, sizeof record, name, record.text_bytes))
      return sink_->CountLoss(EventKind::kCounter, Loss::kSpoolFull, 1);
  }
  sink_->CountRecorded(EventKind::kCounter, 1);
}

}  // namespace rtl::capture
