// SPDX-License-Identifier: MIT
// event_times: checks hipEventElapsedTime for kernels of a known duration. Run it on a virtual GPU
// with --dispatch-ns DURATION_NS; each kernel then takes at least that long on the GPU's clock.
//
//   event_times DURATION_NS
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

void Check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "event_times: %s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

constexpr double kToleranceNs =
    200;  // two 40 ns ticks of the GPU clock, and a float of milliseconds
constexpr double kAbsurdNs = 10e9;

__global__ void nothing() {}

// One kernel between two events. HIP takes their times from the packets around the kernel, so the
// span is at least the kernel's time. A careless tracer leaves a time of zero, or one from another
// clock.
template <typename Launch>
int CountWrongSpans(const char* how, double expected_ns, int kernels, Launch launch) {
  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  int wrong = 0;
  for (int i = 0; i < kernels; i++) {
    launch(start, stop);
    CHECK(hipEventSynchronize(stop));
    float ms = 0;
    CHECK(hipEventElapsedTime(&ms, start, stop));
    const double ns = ms * 1e6;
    if (ns >= expected_ns - kToleranceNs && ns < kAbsurdNs) continue;
    std::printf("event_times: %s: %.0f ns around a kernel of %.0f ns\n", how, ns, expected_ns);
    wrong++;
  }
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  return wrong;
}

void LaunchWithEvents(hipEvent_t start, hipEvent_t stop) {
  hipExtLaunchKernelGGL(nothing, dim3(1), dim3(64), 0, 0, start, stop, 0);
}

void RecordAround(hipEvent_t start, hipEvent_t stop) {
  CHECK(hipEventRecord(start));
  nothing<<<1, 64>>>();
  CHECK(hipEventRecord(stop));
}

}  // namespace

int main(int argc, char** argv) {
  const double expected_ns = argc > 1 ? std::atof(argv[1]) : 1e6;
  constexpr int kKernels = 20;
  int wrong = CountWrongSpans("events of the launch", expected_ns, kKernels, LaunchWithEvents);
  wrong += CountWrongSpans("recorded events", expected_ns, kKernels, RecordAround);
  std::printf("event_times: %d of %d measurements wrong\n", wrong, 2 * kKernels);
  return wrong == 0 ? 0 : 1;
}
