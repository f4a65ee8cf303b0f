// SPDX-License-Identifier: MIT
// upstream_category.h: the words that rocprofv3 uses in exports. event_kinds.h has the words of
// this project's tables.
#pragma once

#include "model/event_kinds.h"

namespace rtl {

// rocprofv3's category of a span kind; this project's own category if rocprofv3 has none.
inline const char* UpstreamCategory(const SpanKind& kind) {
  switch (kind.kind) {
    case EventKind::kHsaCall:
      return "hsa_api";
    case EventKind::kAllocation:
      return "memory_allocation";
    case EventKind::kScratch:
      return "scratch_memory";
    case EventKind::kRcclCall:
      return "rccl_api";
    default:
      return kind.category;
  }
}

}  // namespace rtl
