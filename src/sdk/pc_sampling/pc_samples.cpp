// SPDX-License-Identifier: MIT
#include "sdk/pc_sampling/pc_samples.h"

#include <dlfcn.h>
#include <strings.h>

#include "base/environment.h"
#include "base/log.h"

namespace rtl::sdk {
namespace {

// True if the runtime is loaded and lacks the extension. Before the runtime is loaded this is not
// known.
bool RuntimeLacksSampling() {
  return dlsym(RTLD_DEFAULT, "hsa_init") != nullptr &&
         dlsym(RTLD_DEFAULT, "hsa_ven_amd_pcs_create") == nullptr;
}

rocprofiler_status_t SayThatItLacks() {
  static std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    Warn(
        "PC sampling is not available: this HSA runtime has no hsa_ven_amd_pc_sampling, which "
        "came with ROCm 6.4");
  return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
}

rocprofiler_status_t StatusOf(SamplingAnswer answer) {
  switch (answer) {
    case SamplingAnswer::kOk:
      return ROCPROFILER_STATUS_SUCCESS;
    case SamplingAnswer::kNotAvailable:
    case SamplingAnswer::kTaken:
      return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
    case SamplingAnswer::kOldDriver:
      return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL;
    case SamplingAnswer::kInvalid:
      return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
    case SamplingAnswer::kFailed:
      break;
  }
  return ROCPROFILER_STATUS_ERROR;
}

// Configurations with other methods are not listed, because a tool might choose one that is not
// available.
bool IsServed(const SamplingOffer& offer) {
  return offer.method == SamplingMethod::kHostTrap && offer.unit == SamplingUnit::kMicroseconds;
}

rocprofiler_pc_sampling_configuration_t ConfigurationOf(const SamplingOffer& offer) {
  rocprofiler_pc_sampling_configuration_t configuration = {};
  configuration.size = sizeof configuration;
  configuration.method = ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP;
  configuration.unit = ROCPROFILER_PC_SAMPLING_UNIT_TIME;
  configuration.min_interval = offer.interval != 0 ? offer.interval : offer.least;
  configuration.max_interval = offer.interval != 0 ? offer.interval : offer.most;
  configuration.flags = offer.flags;
  return configuration;
}

// False if there is no such unit.
bool UnitOf(rocprofiler_pc_sampling_unit_t unit, SamplingUnit* out) {
  switch (unit) {
    case ROCPROFILER_PC_SAMPLING_UNIT_TIME:
      return *out = SamplingUnit::kMicroseconds, true;
    case ROCPROFILER_PC_SAMPLING_UNIT_CYCLES:
      return *out = SamplingUnit::kCycles, true;
    case ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS:
      return *out = SamplingUnit::kInstructions, true;
    default:
      return false;
  }
}

// Decodes the word in the layout of GFX9 hardware.
rocprofiler_pc_sampling_hw_id_v0_t HardwareOf(const capture::PcSample& sample) {
  const auto bits = [&](uint32_t from, uint32_t count) -> uint64_t {
    return sample.hw_id >> from & ((1u << count) - 1);
  };
  rocprofiler_pc_sampling_hw_id_v0_t id = {};
  id.chiplet = sample.chiplet;
  id.wave_id = bits(0, 4);
  id.simd_id = bits(4, 2);
  id.pipe_id = bits(6, 2);
  id.cu_or_wgp_id = bits(8, 4);
  id.shader_array_id = bits(12, 1);
  id.shader_engine_id = bits(13, 3);
  id.workgroup_id = bits(16, 4);
  id.vm_id = bits(20, 4);
  id.queue_id = bits(24, 3);
  id.microengine_id = bits(30, 2);
  return id;
}

}  // namespace

bool PcSamples::Enabled() {
  const char* const value = EnvironmentValue("ROCPROFILER_PC_SAMPLING_BETA_ENABLED");
  if (value == nullptr) return false;
  for (const char* const word : {"0", "off", "no", "false", "n", "f"}) {
    if (strcasecmp(value, word) == 0) return false;
  }
  return true;
}

rocprofiler_status_t PcSamples::Query(const rocprofiler_agent_t& agent,
                                      rocprofiler_pc_sampling_configuration_t* out,
                                      uint32_t* count) {
  *count = 0;
  if (agent.type != ROCPROFILER_AGENT_TYPE_GPU) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  if (RuntimeLacksSampling()) return SayThatItLacks();
  SamplingOffer offers[kMostSamplingOffers];
  uint32_t offered = 0;
  const rocprofiler_status_t status =
      StatusOf(QuerySampling(static_cast<uint32_t>(agent.gpu_id), agent.name, offers, &offered));
  for (uint32_t i = 0; i < offered; ++i) {
    if (IsServed(offers[i])) out[(*count)++] = ConfigurationOf(offers[i]);
  }
  if (status != ROCPROFILER_STATUS_SUCCESS) return status;
  return *count == 0 ? ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE : ROCPROFILER_STATUS_SUCCESS;
}

// The statuses, and the order of the checks, are those of AMD's library.
rocprofiler_status_t PcSamples::Configure(const Context& context, const rocprofiler_agent_t& agent,
                                          rocprofiler_pc_sampling_method_t method,
                                          rocprofiler_pc_sampling_unit_t unit, uint64_t interval,
                                          Buffer* buffer) {
  // Only one context of a process may use the service.
  if (context_ != nullptr && context_ != &context) return ROCPROFILER_STATUS_ERROR;
  for (uint32_t i = 0; i < count_; ++i) {
    if (of_[i].id.handle == agent.id.handle)
      return ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED;
  }
  if (count_ == kMostAgents) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  if (agent.type != ROCPROFILER_AGENT_TYPE_GPU) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  if (RuntimeLacksSampling()) return SayThatItLacks();
  if (method <= ROCPROFILER_PC_SAMPLING_METHOD_NONE ||
      method >= ROCPROFILER_PC_SAMPLING_METHOD_LAST)
    return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  // Records of other methods are not read.
  if (method != ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP)
    return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  SamplingUnit driver_unit;
  if (!UnitOf(unit, &driver_unit)) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (!log_.Open()) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  uint64_t used = interval;
  const SamplingAnswer answer =
      of_[count_].reservation.Reserve(static_cast<uint32_t>(agent.gpu_id), agent.name,
                                      SamplingMethod::kHostTrap, driver_unit, &used);
  if (answer == SamplingAnswer::kTaken)
    Warn(
        "PC sampling every %llu us is not available: this GPU (%s) is sampled every %llu us "
        "already, and has one configuration for all processes",
        static_cast<unsigned long long>(interval), agent.name,
        static_cast<unsigned long long>(used));
  if (answer != SamplingAnswer::kOk) return StatusOf(answer);
  of_[count_].id = agent.id;
  of_[count_].interval_us = interval;
  of_[count_].buffer = buffer;
  ++count_;
  context_ = &context;
  return ROCPROFILER_STATUS_SUCCESS;
}

void PcSamples::Release(const Context& context) {
  if (!Has(context)) return;
  for (uint32_t i = 0; i < count_; ++i) of_[i].reservation.Release();
}

uint64_t PcSamples::ExternalOf(uint32_t thread) const { return context_->external.Current(thread); }

const PcSamples::Agent* PcSamples::Find(uint32_t number) const {
  const uint64_t handle = agents_->AgentOf(number).handle;
  for (uint32_t i = 0; i < count_; ++i) {
    if (of_[i].id.handle == handle) return &of_[i];
  }
  return nullptr;
}

void PcSamples::Begin() {
  capture::PcSampler* const sampler = sampler_.load(std::memory_order_acquire);
  if (sampler == nullptr) return;
  for (uint32_t i = 0; i < sampler->gpu_count(); ++i) {
    const Agent* const agent = Find(sampler->gpu(i));
    if (agent == nullptr) continue;
    const Status begun = sampler->Begin(this, sampler->gpu(i), agent->interval_us);
    if (!begun.ok()) Warn("PC sampling did not start: %s", begun.message());
  }
}

void PcSamples::RuntimeReady(capture::PcSampler* sampler) {
  if (!asked()) return;
  code_objects_->FlushBeforeUnload(sampler);
  sampler_.store(sampler, std::memory_order_release);
  if (context_->active()) Begin();
}

void PcSamples::RuntimeGone() {
  capture::PcSampler* const sampler = sampler_.exchange(nullptr, std::memory_order_acq_rel);
  if (sampler != nullptr) sampler->EndAll(this);
}

void PcSamples::Start(const Context& context) {
  if (Has(context)) Begin();
}

void PcSamples::Stop(const Context& context) {
  capture::PcSampler* const sampler = sampler_.load(std::memory_order_acquire);
  if (Has(context) && sampler != nullptr) sampler->EndAll(this);
}

void PcSamples::Flush() {
  capture::PcSampler* const sampler = sampler_.load(std::memory_order_acquire);
  if (sampler != nullptr) sampler->Flush();
}

void PcSamples::Sampled(const capture::PcSample& sample) {
  const Agent* const agent = Find(sample.agent);
  if (agent == nullptr) return;
  DispatchLog::Kernel kernel = {};
  if (!log_.Find(sample.queue, sample.packet, &kernel)) {
    // The kernel is not known, so the sample is invalid.
    rocprofiler_pc_sampling_record_invalid_t invalid = {};
    invalid.size = sizeof invalid;
    return agent->buffer->AppendEnveloped(
        Buffer::kSampleRecord | ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE, invalid);
  }
  rocprofiler_pc_sampling_record_host_trap_v0_t record = {};
  record.size = sizeof record;
  record.hw_id = HardwareOf(sample);
  record.pc = code_objects_->PlaceOf(sample.pc);
  record.exec_mask = sample.exec_mask;
  record.timestamp = sample.time;
  record.dispatch_id = kernel.dispatch;
  record.correlation_id.internal = kernel.correlation;
  record.correlation_id.external.value = kernel.external;
  record.workgroup_id = {sample.workgroup[0], sample.workgroup[1], sample.workgroup[2]};
  record.wave_in_group = sample.wave & 0xff;
  agent->buffer->AppendEnveloped(
      Buffer::kSampleRecord | ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE, record);
}

void PcSamples::SamplesLost(uint32_t number, uint64_t samples) {
  const Agent* const agent = Find(number);
  if (agent != nullptr) agent->buffer->CountDropped(samples);
}

}  // namespace rtl::sdk
