// SPDX-License-Identifier: MIT
// kernel_packets.h: the packets of kernels, of which a trace has millions. The common part of a
// launch's kernels is encoded once and copied.
//
// Threads    one
// Memory     kLaunches descriptions; more are encoded again
// Errors     the first failure of the trace or the file
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "export/output_file.h"
#include "export/pftrace_names.h"
#include "export/pftrace_stream.h"
#include "export/timeline.h"

namespace rtl::exporting {

class KernelPackets {
 public:
  KernelPackets(PftraceStream* stream, OutputFile* out) : stream_(stream), out_(out) {}

  Status OnSubmit(TrackId track, const Submission& submission);
  // `more`: annotations of this kernel alone, encoded; at most kMaxMoreBytes.
  Status OnKernel(TrackId track, const KernelSlice& kernel, std::string_view more = {});

  static constexpr size_t kMaxMoreBytes = 8192;

 private:
  static constexpr size_t kLaunches = 4096;
  static constexpr size_t kMaxConstantBytes = 512;

  struct Launch {
    int64_t id = 0;
    uint64_t epoch = 0;  // of the sequence that knows its names
    uint64_t grid = 0;   // interning ids
    uint64_t workgroup = 0;
    uint32_t size = 0;
    char bytes[kMaxConstantBytes];
  };

  Launch& LaunchOf(const KernelSlice& kernel);
  void Encode(const KernelSlice& kernel, Launch* launch);
  Status Introduce(const KernelSlice& kernel, Launch* launch, Sequence* sequence);

  PftraceStream* const stream_;
  OutputFile* const out_;
  std::vector<Launch> launches_ = std::vector<Launch>(kLaunches);  // by id, modulo
};

}  // namespace rtl::exporting
