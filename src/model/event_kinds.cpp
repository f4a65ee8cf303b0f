// SPDX-License-Identifier: MIT
#include "model/event_kinds.h"

#include <stdio.h>
#include <string.h>

#include "model/hsa_calls.h"

namespace rtl {
namespace {

struct Words {
  const char* word;
  const char* plural;
  const char* text;
};
constexpr Words kWords[] = {
#define X(name, word, plural, text) {word, plural, text},
    RTL_EVENT_KINDS(X)
#undef X
};

#define RTL_FIELD(name, form) {#name, FieldForm::form},
#define RTL_OPERATION(name, text) text,
#define X(kind, fields, operations, ...)                        \
  constexpr EventField k##kind##Fields[] = {fields(RTL_FIELD)}; \
  constexpr const char* k##kind##Operations[] = {operations(RTL_OPERATION) nullptr};
RTL_SPAN_KINDS(X)
#undef X
#undef RTL_OPERATION
#undef RTL_FIELD

constexpr SpanKind kSpanKinds[] = {
#define X(kind, fields, operations, view, category, track) \
  {EventKind::k##kind,                                     \
   view,                                                   \
   category,                                               \
   SpanTrack::track,                                       \
   k##kind##Fields,                                        \
   sizeof k##kind##Fields / sizeof(EventField),            \
   k##kind##Operations,                                    \
   sizeof k##kind##Operations / sizeof(const char*) - 1},
    RTL_SPAN_KINDS(X)
#undef X
};

// False if there is no such kind.
bool AddWord(const char* word, size_t length, EventSet* set) {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const char* const known = kWords[i].word;
    if (strncmp(known, word, length) != 0 || known[length] != '\0') continue;
    set->Add(static_cast<EventKind>(i));
    return true;
  }
  return false;
}

Status UnknownWord(const char* word, size_t length) {
  char known[160] = {};
  size_t used = 0;
  for (const Words& each : kWords) {
    const int added =
        snprintf(known + used, sizeof known - used, "%s%s", used == 0 ? "" : ", ", each.word);
    if (added < 0 || static_cast<size_t>(added) >= sizeof known - used) break;
    used += static_cast<size_t>(added);
  }
  return Status::Error("\"%.*s\" is not a kind of event (%s)",
                       static_cast<int>(length < 40 ? length : 40), word, known);
}

}  // namespace

const char* EventKindName(EventKind kind) { return kWords[static_cast<size_t>(kind)].plural; }

const char* EventWord(EventKind kind) { return kWords[static_cast<size_t>(kind)].word; }

const char* EventText(EventKind kind) { return kWords[static_cast<size_t>(kind)].text; }

const SpanKind* FindSpanKind(EventKind kind) {
  for (const SpanKind& candidate : kSpanKinds) {
    if (candidate.kind == kind) return &candidate;
  }
  return nullptr;
}

const char* OperationName(EventKind kind, uint32_t operation) {
  if (kind == EventKind::kHsaCall) {
    const ApiCall* const call = FindHsaCall(operation);
    return call == nullptr ? nullptr : call->name;
  }
  const SpanKind* const span = FindSpanKind(kind);
  return span == nullptr || operation >= span->operation_count ? nullptr
                                                               : span->operations[operation];
}

Status ParseEvents(const char* text, EventSet* out) {
  *out = EventSet();
  for (const char* word = text;;) {
    const size_t length = strcspn(word, ",");
    if (length == 0 || !AddWord(word, length, out)) return UnknownWord(word, length);
    if (word[length] == '\0') break;
    word += length + 1;
  }
  // Barriers and kernels are packets of the same queues.
  if (out->Has(EventKind::kBarrier) && !out->Has(EventKind::kKernel))
    return Status::Error("barriers are recorded only with kernels: select kernels as well");
  return Status::Ok();
}

}  // namespace rtl
