// SPDX-License-Identifier: MIT
// trace_pc_samples.h: records PC samples in the trace, each with its code object. It also records
// the bytes of code objects that exist only in memory, so that instructions and source lines can be
// found later.
//
// Threads    Parse, Open: the session's. Loaded, Unloading: the application's. Sampled: the
//            runtime's
// Blocking   Loaded: as long as it takes to write the code object's bytes. Unloading:
//            PcSampler::Flush
// Memory     some words for each code object, never freed
// Errors     samples outside of known code objects keep their address
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/codeobj/code_object_watcher.h"
#include "capture/codeobj/loaded_objects.h"
#include "capture/pc_sampling/pc_sampler.h"
#include "model/record_sink.h"

namespace rtl::capture {

class TracePcSamples final : public PcSampleUser, public CodeObjectWatcher {
 public:
  static constexpr uint32_t kMostCodeObjects = 16'384;

  TracePcSamples() = default;
  TracePcSamples(const TracePcSamples&) = delete;
  TracePcSamples& operator=(const TracePcSamples&) = delete;
  ~TracePcSamples();

  // `text`: RTL_PC_SAMPLING, such as "100us", "1ms", or a number of microseconds.
  Status Parse(const char* text);
  bool any() const { return interval_us_ != 0; }

  void Open(RecordSink* sink, PcSampler* sampler) {
    sink_ = sink;
    sampler_ = sampler;
  }
  // Samples every GPU. If no GPU can be sampled, returns the first GPU's error.
  Status Begin();
  void End() { sampler_->EndAll(this); }

  void Loaded(const HsaApi& hsa, hsa_executable_t executable, uint64_t code_object) override;
  void Unloading(hsa_executable_t executable) override;
  void AllGone() override;

  void Sampled(const PcSample& sample) override;
  void SamplesLost(uint32_t agent, uint64_t samples) override;

 private:
  struct CodeObject {
    uint64_t executable;
    uint64_t base, bytes;
    uint64_t unloaded;  // when the code object was unloaded; UINT64_MAX: it is still loaded
  };
  struct Query;
  static void Collect(void* query, hsa_loaded_code_object_t loaded);
  uint32_t Add(const CodeObject& added);
  void Find(const PcSample& sample, PcSampleRecord* record);
  bool NewContent(uint64_t content);
  void WriteBytes(uint64_t content, const LoadedObject& object);

  uint64_t interval_us_ = 0;
  RecordSink* sink_ = nullptr;
  PcSampler* sampler_ = nullptr;
  Mutex mutex_{Rank::kLoadedCode};
  CodeObject* objects_ RTL_GUARDED_BY(mutex_) = nullptr;  // indexed by the code object's id - 1
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0, room_ RTL_GUARDED_BY(mutex_) = 0;
  // hashes of the code objects whose bytes are written
  uint64_t* contents_ RTL_GUARDED_BY(mutex_) = nullptr;
  uint32_t content_count_ RTL_GUARDED_BY(mutex_) = 0, content_room_ RTL_GUARDED_BY(mutex_) = 0;
};

}  // namespace rtl::capture
