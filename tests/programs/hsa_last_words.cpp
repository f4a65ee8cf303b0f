// SPDX-License-Identifier: MIT
// Dies after it has seen kernels end (last_words.h).
//
//   LEARN     wait (blocked), poll (loads of the value), handler (the runtime calls one)
//   SIGNALS   own (each kernel its own), shared (one for a round), barrier (only on a barrier
//   packet)
#include "hsa_support.h"
#include "last_words.h"

using namespace programs;

namespace {

class Worker {
 public:
  static constexpr uint64_t kLongRound = 32;

  Worker(const Machine& machine, const uint32_t* code, const Plan& plan)
      : plan_(plan), code_(code), queue_(CreateQueue(machine, 1024)) {
    for (hsa_signal_t& signal : own_) signal = CreateSignal(0);
    shared_ = CreateSignal(0);
  }

  void Launch(const Shape& shape) {
    hsa_kernel_dispatch_packet_t packet =
        Dispatch(code_, shape.grid, static_cast<uint16_t>(shape.workgroup));
    packet.setup = 2 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
    packet.grid_size_y = shape.y;
    if (plan_.signals == "own") {
      packet.completion_signal = own_[launched_];
      hsa_signal_store_relaxed(packet.completion_signal, 1);
    } else if (plan_.signals == "shared") {
      packet.completion_signal = shared_;
      hsa_signal_add_relaxed(shared_, 1);
    }
    ++launched_;
    Submit(queue_, packet, kDispatchHeader);
  }

  void Learn() {
    if (plan_.signals == "barrier") {
      hsa_barrier_and_packet_t barrier = {};
      barrier.completion_signal = shared_;
      hsa_signal_store_relaxed(shared_, 1);
      Submit(queue_, barrier, kBarrierHeader);
    }
    if (plan_.signals != "own") LearnOf(shared_);
    for (uint32_t i = 0; plan_.signals == "own" && i < launched_; ++i) LearnOf(own_[i]);
    launched_ = 0;
  }

  void EndBy(const std::string&) {}

 private:
  static bool OnEnd(hsa_signal_value_t, void* ended) {
    static_cast<std::atomic<bool>*>(ended)->store(true);
    return false;
  }

  void LearnOf(hsa_signal_t signal) {
    if (plan_.learn == "wait") return WaitForZero(signal);
    if (plan_.learn == "poll") {
      while (hsa_signal_load_relaxed(signal) > 0) sched_yield();
      return;
    }
    ended_ = false;
    HSA_CHECK(hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_LT, 1, OnEnd, &ended_));
    while (!ended_) sched_yield();
  }

  const Plan& plan_;
  const uint32_t* const code_;
  hsa_queue_t* const queue_;
  hsa_signal_t own_[kLongRound];
  hsa_signal_t shared_;
  uint32_t launched_ = 0;  // in this round
  std::atomic<bool> ended_{false};
};

}  // namespace

int main(int argc, char** argv) {
  const Plan plan(argc, argv);
  const Machine machine = StartHsa();
  const uint32_t* const code = EmptyKernel(machine);
  RunRounds<Worker>(plan, [&](int) { return new Worker(machine, code, plan); });
}
