// SPDX-License-Identifier: MIT
// kernel_packets.h: writes the packets of kernels, of which a trace has millions. What all kernels
// of a launch have in common is encoded once and copied.
//
// Threads    one
// Memory     kLaunches descriptions; if there are more, descriptions are encoded again
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
  // `more`: encoded annotations of this kernel only, at most kMaxMoreBytes.
  Status OnKernel(TrackId track, const KernelSlice& kernel, std::string_view more = {});

  static constexpr size_t kMaxMoreBytes = 8192;

 private:
  static constexpr size_t kLaunches = 4096;
  static constexpr size_t kMaxConstantBytes = 512;

  struct Launch {
    int64_t id = 0;
    uint64_t epoch = 0;  // epoch of the sequence to which its names were introduced
    uint64_t grid = 0;   // these are interning ids
    uint64_t workgroup = 0;
    uint32_t size = 0;
    char bytes[kMaxConstantBytes];
  };

  Launch& LaunchOf(const KernelSlice& kernel);
  void Encode(const KernelSlice& kernel, Launch* launch);
  Status Introduce(const KernelSlice& kernel, Launch* launch, Sequence* sequence);

  PftraceStream* const stream_;
  OutputFile* const out_;
  // indexed by id, modulo kLaunches
  std::vector<Launch> launches_ = std::vector<Launch>(kLaunches);
};

}  // namespace rtl::exporting
