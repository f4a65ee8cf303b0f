// SPDX-License-Identifier: MIT
// Dies after it has seen kernels end (last_words.h).
//
//   LEARN     wait (hipStreamSynchronize), device (hipDeviceSynchronize), poll (hipStreamQuery),
//             event (hipEventQuery), copy (hipMemcpy to the host), callback (hipStreamAddCallback),
//             launch (each launch returns when its kernel has ended: AMD_SERIALIZE_KERNEL=3)
//   SIGNALS   own (a stream for each thread), shared (the null stream)
//   WAY       also fault: a kernel writes to an unmapped address
#include "hip_support.h"
#include "last_words.h"

using namespace programs;

namespace {

__global__ void Nothing() {}
__global__ void Store(int* to) { to[threadIdx.x] = 1; }

class Worker {
 public:
  static constexpr uint64_t kLongRound = 700;  // then HIP waits in launches for memory of its own

  explicit Worker(const Plan& plan) : plan_(plan) {
    if (plan.signals == "own") HIP_CHECK(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&event_));
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&memory_), 4096));
  }

  void Launch(const Shape& shape) {
    LaunchOn(stream_, Nothing, dim3(shape.grid / shape.workgroup, shape.y), dim3(shape.workgroup));
  }

  void Learn() {
    if (plan_.learn == "launch") return;
    if (plan_.learn == "wait") return HIP_CHECK(hipStreamSynchronize(stream_));
    if (plan_.learn == "device") return HIP_CHECK(hipDeviceSynchronize());
    if (plan_.learn == "poll") return Poll([&] { return hipStreamQuery(stream_); });
    if (plan_.learn == "copy") {
      int value = 0;
      HIP_CHECK(hipMemcpyWithStream(&value, memory_, sizeof value, hipMemcpyDeviceToHost, stream_));
      return;
    }
    if (plan_.learn == "callback") {
      ended_ = false;
      HIP_CHECK(hipStreamAddCallback(stream_, OnEnd, &ended_, 0));
      while (!ended_) sched_yield();
      return;
    }
    HIP_CHECK(hipEventRecord(event_, stream_));
    Poll([&] { return hipEventQuery(event_); });
  }

  void EndBy(const std::string& way) {
    if (way != "fault") return;
    LaunchOn(stream_, Store, dim3(1), dim3(64), reinterpret_cast<int*>(0x123456000));
    HIP_CHECK(hipStreamSynchronize(stream_));
  }

 private:
  static void OnEnd(hipStream_t, hipError_t, void* ended) {
    static_cast<std::atomic<bool>*>(ended)->store(true);
  }

  template <typename Query>
  void Poll(Query query) {
    hipError_t status;
    while ((status = query()) == hipErrorNotReady) sched_yield();
    HIP_CHECK(status);
  }

  const Plan& plan_;
  hipStream_t stream_ = nullptr;
  hipEvent_t event_ = nullptr;
  int* memory_ = nullptr;
  std::atomic<bool> ended_{false};
};

}  // namespace

int main(int argc, char** argv) {
  const Plan plan(argc, argv);
  RunRounds<Worker>(plan, [&](int) { return new Worker(plan); });
}
