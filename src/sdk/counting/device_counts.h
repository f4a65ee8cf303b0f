// SPDX-License-Identifier: MIT
// device_counts.h: reads hardware counters of whole GPUs for contexts. From the start of the
// context on, everything that runs on the GPU is counted.
//
//   start ──► the tool's callback chooses a configuration for each agent ──► counting
//   sample ──► the values since the start: to the caller, and into the buffer if there is one
//
// Threads    Configure: while tools are initialised. RuntimeReady, RuntimeGone: the engine's. All
//            other functions: any; samples are taken one after the other
// Blocking   Start, Stop, Sample without ASYNC: until the GPU answers
// Memory     a queue for each GPU that is counted
// Errors     statuses of the interface
#pragma once

#include <rocprofiler-sdk/counter_config.h>
#include <rocprofiler-sdk/device_counting_service.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/counters/device_counter.h"
#include "sdk/contexts/contexts.h"
#include "sdk/counting/counting.h"

namespace rtl::sdk {

// The function that the tool's callback gets; implemented by Library.
rocprofiler_status_t SetDeviceCounts(rocprofiler_context_id_t context,
                                     rocprofiler_counter_config_id_t config);

class DeviceCounts {
 public:
  static constexpr uint32_t kMostAgents = 16;  // most agents of a context

  DeviceCounts(Contexts* contexts, Counting* counting) : contexts_(contexts), counting_(counting) {}
  DeviceCounts(const DeviceCounts&) = delete;
  DeviceCounts& operator=(const DeviceCounts&) = delete;

  bool asked() const { return asked_.load(std::memory_order_acquire); }
  bool Has(const Context& context) { return Of(context).count != 0; }
  // `buffer`: null if only callers of Sample get values.
  rocprofiler_status_t Configure(const Context& context, Buffer* buffer,
                                 const rocprofiler_agent_t& agent,
                                 rocprofiler_device_counting_service_cb_t callback, void* data);

  void RuntimeReady(const capture::HsaApi& api, void* root_table);
  void RuntimeGone();

  // Returns SUCCESS also if the context counts no agent.
  rocprofiler_status_t Start(const Context& context);
  void Stop(const Context& context);
  // Called by the tool's callback.
  rocprofiler_status_t Choose(const Context& context, rocprofiler_counter_config_id_t config);
  // `*count`: the room in `out` before the call, the number of values after it. `out`: null if
  // values go only into the buffer.
  rocprofiler_status_t Sample(const Context& context, rocprofiler_user_data_t user, bool wait,
                              rocprofiler_counter_record_t* out, size_t* count);
  // Starts the thread that takes samples for callers that do not wait. False if it cannot be
  // started.
  bool StartThread();

 private:
  enum class State : uint8_t { kOff, kStarting, kOn };
  struct Agent {
    rocprofiler_agent_id_t id = {};
    uint32_t node = 0;
    Buffer* buffer = nullptr;
    rocprofiler_device_counting_service_cb_t callback = nullptr;
    void* data = nullptr;
    const counters::Plan* plan = nullptr;  // null: nothing is counted on this agent
    capture::DeviceCounter* counter = nullptr;
  };
  struct Service {
    std::atomic<State> state{State::kOff};
    uint32_t count = 0;
    Agent agents[kMostAgents];
  };
  struct Request {
    const Context* context = nullptr;
    rocprofiler_user_data_t user = {};
  };
  static constexpr uint32_t kMostRequests = 256;
  static constexpr uint32_t kMostValues = 16384;

  Service& Of(const Context& context) { return services_[contexts_->NumberOf(context)]; }
  bool Begin(Agent* agent) RTL_REQUIRES(mutex_);
  bool OpenCounter(Agent* agent) RTL_REQUIRES(mutex_);
  rocprofiler_status_t SampleAll(Service* service, rocprofiler_user_data_t user,
                                 rocprofiler_counter_record_t* out, size_t* count)
      RTL_REQUIRES(mutex_);
  static void* Main(void* self);
  void Run();
  // Returns when every pending request has been sampled, or when the time limit is reached.
  void Drain();

  Contexts* const contexts_;
  Counting* const counting_;
  std::atomic<bool> asked_{false};
  Service services_[Contexts::kMost];
  Mutex mutex_{Rank::kDeviceCounts};  // guards the GPU's queues; held while the GPU answers
  const capture::HsaApi* api_ RTL_GUARDED_BY(mutex_) = nullptr;
  void* root_table_ RTL_GUARDED_BY(mutex_) = nullptr;
  counters::AqlProfile library_ RTL_GUARDED_BY(mutex_);
  capture::CounterMemory memory_ RTL_GUARDED_BY(mutex_);
  capture::CounterValue* values_ RTL_GUARDED_BY(mutex_) = nullptr;
  counters::Arena arena_ RTL_GUARDED_BY(mutex_);

  pthread_mutex_t requests_mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t requests_changed_ = PTHREAD_COND_INITIALIZER;
  bool has_thread_ = false;
  pthread_cond_t requests_done_ = PTHREAD_COND_INITIALIZER;
  uint32_t first_ = 0, waiting_ = 0;  // the first request stays in the list until it is done
  Request requests_[kMostRequests];
};

}  // namespace rtl::sdk
