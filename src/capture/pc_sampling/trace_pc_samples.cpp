// SPDX-License-Identifier: MIT
#include "capture/pc_sampling/trace_pc_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/own_memory.h"
#include "base/thread_state.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

constexpr uint64_t kThere = UINT64_MAX;
constexpr uint64_t kMostIntervalUs = 60'000'000;

// FNV-1a over words instead of bytes. Never zero.
uint64_t ContentOf(const char* bytes, uint64_t size) {
  uint64_t hash = 0xcbf29ce484222325 ^ size;
  uint64_t i = 0;
  for (; i + sizeof hash <= size; i += sizeof hash) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  for (; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
  return hash == 0 ? 1 : hash;
}

// Makes room for one more element. False if there is no memory.
template <typename T>
bool Grow(T** list, uint32_t count, uint32_t* room) {
  if (count < *room) return true;
  const uint32_t wanted = *room == 0 ? 64 : *room * 2;
  auto* const grown = static_cast<T*>(realloc(*list, wanted * sizeof(T)));
  if (grown == nullptr) return false;
  *list = grown;
  *room = wanted;
  return true;
}

}  // namespace

struct TracePcSamples::Query {
  TracePcSamples* self;
  const LoadedObjects* loader;
  uint64_t executable;
  uint64_t generation;
};

TracePcSamples::~TracePcSamples() {
  free(objects_);
  free(contents_);
}

Status TracePcSamples::Parse(const char* text) {
  const Status wrong = Status::Error(
      "RTL_PC_SAMPLING=%.40s is not an interval (100us, 1ms); program counters are not sampled",
      text);
  uint64_t value = 0;
  const char* at = text;
  for (; *at >= '0' && *at <= '9' && value <= kMostIntervalUs; ++at)
    value = value * 10 + static_cast<uint64_t>(*at - '0');
  if (at == text) return wrong;
  if (strcmp(at, "ms") == 0)
    value *= 1000;
  else if (strcmp(at, "s") == 0)
    value *= 1'000'000;
  else if (*at != '\0' && strcmp(at, "us") != 0)
    return wrong;
  if (value == 0 || value > kMostIntervalUs) return wrong;
  interval_us_ = value;
  return Status::Ok();
}

Status TracePcSamples::Begin() {
  if (sampler_->gpu_count() == 0) return Status::Error("the runtime shows no GPU");
  char why[PcSampler::kMostGpus][240] = {};  // the reason for each GPU that is not sampled
  uint32_t sampled = 0;
  for (uint32_t i = 0; i < sampler_->gpu_count(); ++i) {
    const Status begun = sampler_->Begin(this, sampler_->gpu(i), interval_us_);
    if (begun.ok())
      ++sampled;
    else
      snprintf(why[i], sizeof why[i], "%s", begun.message());
  }
  if (sampled == 0) return Status::Error("%s", why[0]);
  for (uint32_t i = 0; i < sampler_->gpu_count(); ++i) {
    if (why[i][0] != '\0') Warn("program counters of GPU %u are not sampled: %s", i, why[i]);
  }
  return Status::Ok();
}

// Returns the number of the added code object; zero if there is no room.
uint32_t TracePcSamples::Add(const CodeObject& added) {
  const MutexLock lock(mutex_);
  if (count_ == kMostCodeObjects || !Grow(&objects_, count_, &room_)) return 0;
  objects_[count_++] = added;
  return count_;
}

bool TracePcSamples::NewContent(uint64_t content) {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < content_count_; ++i) {
    if (contents_[i] == content) return false;
  }
  // If there is no memory to remember the hash, the same bytes may be written again.
  if (!Grow(&contents_, content_count_, &content_room_)) return true;
  contents_[content_count_++] = content;
  return true;
}

void TracePcSamples::WriteBytes(uint64_t content, const LoadedObject& object) {
  const char* const bytes = reinterpret_cast<const char*>(object.memory);
  for (uint64_t at = 0; at < object.memory_bytes; at += kMaxTextBytes) {
    const uint64_t left = object.memory_bytes - at;
    CodeBytesRecord record;
    record.head.type = RecordType::kCodeBytes;
    record.head.thread = ThreadId::Current();
    record.content = content;
    record.offset = at;
    record.text_bytes = static_cast<uint32_t>(left < kMaxTextBytes ? left : kMaxTextBytes);
    if (sink_->Write(&record, sizeof record, bytes + at, record.text_bytes)) continue;
    return Warn("a code object's bytes are not in the trace: the spool is full");
  }
}

void TracePcSamples::Collect(void* data, hsa_loaded_code_object_t loaded) {
  const Query& query = *static_cast<Query*>(data);
  TracePcSamples& self = *query.self;
  const LoadedObject object = query.loader->Describe(loaded);
  char probe = 0;
  const bool readable = object.memory != 0 && object.memory_bytes != 0 &&
                        ReadOwnMemory(object.memory, &probe, 1) &&
                        ReadOwnMemory(object.memory + object.memory_bytes - 1, &probe, 1);
  CodeObjectRecord record;
  record.head.type = RecordType::kCodeObject;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.base = object.base;
  record.bytes = object.bytes;
  record.delta = object.delta;
  record.generation = static_cast<uint32_t>(query.generation);
  record.agent = self.sampler_->AgentNumberOf(object.agent);
  record.code_object = self.Add({query.executable, object.base, object.bytes, kThere});
  if (record.code_object == 0) return;  // samples in it keep their addresses
  if (readable) {
    record.file_bytes = object.memory_bytes;
    record.content = ContentOf(reinterpret_cast<const char*>(object.memory), object.memory_bytes);
  }
  char* const uri = query.loader->Uri(loaded);
  const size_t bytes = uri == nullptr ? 0 : strnlen(uri, kMaxTextBytes);
  record.text_bytes = static_cast<uint32_t>(bytes);
  // If there is no room for the record, the code object's samples have no source lines.
  (void)self.sink_->Write(&record, sizeof record, uri, bytes);
  free(uri);
  if (readable && self.NewContent(record.content)) self.WriteBytes(record.content, object);
}

void TracePcSamples::Loaded(const HsaApi& hsa, hsa_executable_t executable, uint64_t code_object) {
  LoadedObjects loader;
  if (sink_ == nullptr || !loader.Open(hsa)) return;
  Query query = {this, &loader, executable.handle, code_object};
  loader.ForEach(executable, Collect, &query);
}

// Delivers the samples while the address range of the executable is still known.
void TracePcSamples::Unloading(hsa_executable_t executable) {
  if (sink_ == nullptr) return;
  sampler_->Flush();
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < count_; ++i) {
    if (objects_[i].executable == executable.handle && objects_[i].unloaded == kThere)
      objects_[i].unloaded = BootTimeNs();
  }
}

void TracePcSamples::AllGone() {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < count_; ++i) {
    if (objects_[i].unloaded == kThere) objects_[i].unloaded = BootTimeNs();
  }
}

// Searches the newest code object first, because addresses are reused.
void TracePcSamples::Find(const PcSample& sample, PcSampleRecord* record) {
  record->offset = sample.pc;
  const MutexLock lock(mutex_);
  for (uint32_t i = count_; i != 0; --i) {
    const CodeObject& object = objects_[i - 1];
    if (sample.pc - object.base >= object.bytes || sample.time > object.unloaded) continue;
    record->code_object = i;
    record->offset = sample.pc - object.base;
    return;
  }
}

void TracePcSamples::Sampled(const PcSample& sample) {
  PcSampleRecord record;
  record.head.type = RecordType::kPcSample;
  record.head.thread = ThreadId::Current();
  record.time = sample.time;
  record.exec_mask = sample.exec_mask;
  record.packet = sample.packet;
  record.queue = sample.queue;
  record.agent = sample.agent;
  for (int i = 0; i < 3; ++i) record.workgroup[i] = sample.workgroup[i];
  record.hw_id = sample.hw_id;
  record.wave = static_cast<uint16_t>(sample.wave);
  record.chiplet = static_cast<uint16_t>(sample.chiplet);
  Find(sample, &record);
  sink_->CountSubmitted(EventKind::kPcSample, 1);
  if (sink_->Write(&record, sizeof record, nullptr, 0))
    sink_->CountRecorded(EventKind::kPcSample, 1);
  else
    sink_->CountLoss(EventKind::kPcSample, Loss::kSpoolFull, 1);
}

void TracePcSamples::SamplesLost(uint32_t, uint64_t samples) {
  sink_->CountSubmitted(EventKind::kPcSample, samples);
  sink_->CountLoss(EventKind::kPcSample, Loss::kSampleBuffer, samples);
}

}  // namespace rtl::capture
