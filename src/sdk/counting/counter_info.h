// SPDX-License-Identifier: MIT
// counter_info.h: knows the dimensions of a counter, and all positions at which it is read.
//
// Threads    any
// Blocking   the first query of each counter calls AMD's library
// Memory     kept, because tools keep the pointers
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

  // `agent`: must be of a kind for which the counter is defined.
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
