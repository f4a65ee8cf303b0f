// SPDX-License-Identifier: MIT
#include "model/event_kinds.h"

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
#define X(kind, values, fields, ...) constexpr EventField k##values##Fields[] = {fields(RTL_FIELD)};
RTL_SPAN_KINDS(X)
#undef X
#undef RTL_FIELD

constexpr SpanKind kSpanKinds[] = {
#define X(kind, values, fields, view, category, track) \
  {EventKind::kind,   view,                            \
   category,          SpanTrack::track,                \
   k##values##Fields, sizeof k##values##Fields / sizeof(EventField)},
    RTL_SPAN_KINDS(X)
#undef X
};

constexpr const char* kAllocationNames[] = {"allocate", "free", "vmem_allocate", "vmem_free"};
constexpr const char* kScratchNames[] = {"scratch_allocate", "scratch_free", "scratch_reclaim"};
constexpr const char* kInitNames[] = {"HSA", "HIP", "ROCTx", "RCCL", "rocDecode", "rocJPEG"};

template <size_t kCount>
const char* At(const char* const (&names)[kCount], uint32_t operation) {
  return operation < kCount ? names[operation] : nullptr;
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
  switch (kind) {
    case EventKind::kHsaCall: {
      const ApiCall* const call = FindHsaCall(operation);
      return call == nullptr ? nullptr : call->name;
    }
    case EventKind::kAllocation:
      return At(kAllocationNames, operation);
    case EventKind::kScratch:
      return At(kScratchNames, operation);
    case EventKind::kInit:
      return At(kInitNames, operation);
    default:
      return nullptr;
  }
}

}  // namespace rtl
