// SPDX-License-Identifier: MIT
// counter_info.h: what the interface says of a counter's dimensions: every place where it is read.
//
// Threads    any
// Blocking   the first question of each counter: AMD's library
// Memory     kept: tools keep the pointers
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/counters.h>

#include "base/mutex.h"
#include "counters/arena.h"
#include "sdk/counting/counting.h"

namespace rtl::sdk {

class CounterInfo {
 public:
  struct Places {
    uint32_t dimension_count = 0;
    rocprofiler_counter_record_dimension_info_t* dimensions = nullptr;
    const rocprofiler_counter_record_dimension_info_t** dimension_pointers = nullptr;
    size_t instance_count = 0;
    const rocprofiler_counter_record_dimension_instance_info_t** instances = nullptr;
    rocprofiler_counter_instance_id_t* instance_ids = nullptr;
  };

  explicit CounterInfo(Counting* counting) : counting_(counting) {}
  CounterInfo(const CounterInfo&) = delete;
  CounterInfo& operator=(const CounterInfo&) = delete;

  // `agent`: one whose kind the counter is defined for.
  rocprofiler_status_t PlacesOf(const rocprofiler_agent_t& agent,
                                const counters::Definition& counter, const Places** out);

 private:
  struct Known {
    Known* next;
    uint32_t counter;
    uint64_t agent;
    Places places;
  };
  bool Fill(const counters::Definition& counter,
            const uint32_t (&extents)[capture::kCounterDimensions], Places* out)
      RTL_REQUIRES(mutex_);

  Counting* const counting_;
  Mutex mutex_{Rank::kCounterPlans};
  counters::Arena arena_ RTL_GUARDED_BY(mutex_);
  Known* known_ RTL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace rtl::sdk
