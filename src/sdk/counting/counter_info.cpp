// SPDX-License-Identifier: MIT
#include "sdk/counting/counter_info.h"

namespace rtl::sdk {

bool CounterInfo::Fill(const counters::Definition& counter,
                       const uint32_t (&extents)[capture::kCounterDimensions], Places* out) {
  out->dimensions =
      arena_.New<rocprofiler_counter_record_dimension_info_t>(capture::kCounterDimensions);
  out->dimension_pointers =
      arena_.New<const rocprofiler_counter_record_dimension_info_t*>(capture::kCounterDimensions);
  if (out->dimensions == nullptr || out->dimension_pointers == nullptr) return false;
  out->instance_count = 1;
  for (uint32_t d = 1; d < capture::kCounterDimensions; ++d) {
    if (extents[d] == 0) continue;
    auto& dimension = out->dimensions[out->dimension_count];
    dimension = {counters::DimensionName(d), extents[d], d};
    out->dimension_pointers[out->dimension_count++] = &dimension;
    out->instance_count *= extents[d];
  }
  auto* const instances =
      arena_.New<rocprofiler_counter_record_dimension_instance_info_t>(out->instance_count);
  auto* const places =
      arena_.New<rocprofiler_counter_dimension_info_t>(out->instance_count * out->dimension_count);
  auto* const place_pointers = arena_.New<const rocprofiler_counter_dimension_info_t*>(
      out->instance_count * out->dimension_count);
  out->instances =
      arena_.New<const rocprofiler_counter_record_dimension_instance_info_t*>(out->instance_count);
  out->instance_ids = arena_.New<rocprofiler_counter_instance_id_t>(out->instance_count);
  if (instances == nullptr || places == nullptr || place_pointers == nullptr ||
      out->instances == nullptr || out->instance_ids == nullptr)
    return false;
  for (size_t i = 0; i < out->instance_count; ++i) {
    size_t rest = i;
    uint64_t id = uint64_t{counter.number} << Counting::kPositionsBits;
    for (uint32_t d = 0; d < out->dimension_count; ++d) {
      const auto& dimension = out->dimensions[d];
      const size_t index = rest % dimension.instance_size;
      rest /= dimension.instance_size;
      const size_t at = i * out->dimension_count + d;
      places[at] = {sizeof places[at], dimension.name, index};
      place_pointers[at] = &places[at];
      id |= index << (dimension.id - 1) * Counting::kPositionBits;
    }
    instances[i] = {sizeof instances[i], id, counter.number, out->dimension_count,
                    place_pointers + i * out->dimension_count};
    out->instances[i] = &instances[i];
    out->instance_ids[i] = id;
  }
  return true;
}

rocprofiler_status_t CounterInfo::PlacesOf(const rocprofiler_agent_t& agent,
                                           const counters::Definition& counter,
                                           const Places** out) {
  const MutexLock lock(mutex_);
  for (const Known* known = known_; known != nullptr; known = known->next) {
    if (known->counter != counter.number || known->agent != agent.id.handle) continue;
    *out = &known->places;
    return ROCPROFILER_STATUS_SUCCESS;
  }
  uint32_t extents[capture::kCounterDimensions] = {};
  if (const rocprofiler_status_t status = counting_->Extents(agent, counter, extents);
      status != ROCPROFILER_STATUS_SUCCESS)
    return status;
  auto* const made = arena_.New<Known>();
  if (made == nullptr || !Fill(counter, extents, &made->places))
    return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  made->counter = counter.number;
  made->agent = agent.id.handle;
  made->next = known_;
  known_ = made;
  *out = &made->places;
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
