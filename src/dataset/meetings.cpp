// SPDX-License-Identifier: MIT
#include "dataset/meetings.h"

#include <algorithm>
#include <memory>
#include <set>

#include "tables/table_reader.h"

namespace rtl::dataset {
namespace {

// The last steps of the hash function Splitmix64.
uint64_t Mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

uint64_t KeyOf(int64_t step, int64_t collective, int64_t name_id) {
  uint64_t key = Mixed(static_cast<uint64_t>(step) + 0x9e3779b97f4a7c15U);
  key = Mixed(key ^ (static_cast<uint64_t>(collective) + 0x9e3779b97f4a7c15U));
  return Mixed(key ^ static_cast<uint64_t>(name_id));
}

}  // namespace

Status Meetings::Add(query::TraceReader& trace, std::string_view boot_id, uint32_t* clock) {
  const auto next = static_cast<uint32_t>(clock_of_boot_.size());
  *clock = clock_of_boot_.try_emplace(std::string(boot_id), next).first->second;
  // If a process has lost kernels, the ordinals of its collectives are wrong.
  std::vector<query::ProcessCounter> counters;
  RTL_TRY(trace.tables().ProcessCounters(&counters));
  std::set<int64_t> lossy;
  for (const query::ProcessCounter& counter : counters) {
    const bool is_loss = counter.kind == "kernels" && counter.counter.starts_with("loss.");
    if (is_loss && counter.value > 0) lossy.insert(counter.process);
  }
  std::unique_ptr<tables::TableReader> kernels;
  RTL_TRY(tables::TableReader::Open(trace, tables::Describe(tables::TableId::kKernels),
                                    {.columns = {"process", "rank", "name", "name_id", "step",
                                                 "collective", "start", "duration"}},
                                    &kernels));
  // By key of the name; 1: each rank depends on all, 0: it does not; -1: not yet known.
  std::vector<int8_t> depends;
  while (true) {
    tables::Batch batch;
    RTL_TRY(kernels->Next(&batch));
    if (batch.rows == 0) return Status::Ok();
    const auto& columns = batch.columns;
    depends.resize(std::max(depends.size(), columns[2].texts->size()), -1);
    for (size_t row = 0; row < batch.rows; ++row) {
      const auto value = [&](size_t column) { return columns[column].integers()[row]; };
      if (columns[5].IsNull(row) || columns[1].IsNull(row) || lossy.contains(value(0))) continue;
      const auto name = static_cast<size_t>(columns[2].keys()[row]);
      if (depends[name] < 0) {
        depends[name] = analysis::DependsOnAll((*columns[2].texts)[name]) ? 1 : 0;
      }
      const uint64_t key = KeyOf(columns[4].IsNull(row) ? -1 : value(4), value(5), value(3));
      if (depends[name] == 0 || key > most_key_) continue;
      parts_.push_back({key, *clock, value(1), value(6), value(6) + value(7)});
      if (parts_.size() <= kMostParts) continue;
      most_key_ /= 2;
      std::erase_if(parts_, [this](const Part& part) { return part.key > most_key_; });
    }
  }
}

std::vector<analysis::Meeting> Meetings::Gather() const {
  std::vector<const Part*> parts;
  for (const Part& part : parts_) parts.push_back(&part);
  std::ranges::sort(parts, {}, [](const Part* part) {
    return std::tuple(part->key, part->clock, part->rank, part->start);
  });
  std::vector<analysis::Meeting> meetings;
  for (size_t first = 0; first < parts.size();) {
    analysis::Meeting meeting;
    const uint64_t key = parts[first]->key;
    while (first < parts.size() && parts[first]->key == key) {
      size_t last = first;
      analysis::Attendance attendance{.clock = parts[first]->clock,
                                      .last_start = parts[first]->start};
      std::vector<int64_t> ends;
      bool is_once = true;
      for (;
           last < parts.size() && parts[last]->key == key && parts[last]->clock == attendance.clock;
           ++last) {
        is_once = is_once && (last == first || parts[last]->rank != parts[last - 1]->rank);
        attendance.last_start = std::max(attendance.last_start, parts[last]->start);
        ends.push_back(parts[last]->end);
      }
      std::ranges::sort(ends);
      attendance.ranks = static_cast<uint32_t>(ends.size());
      attendance.first_end = ends.front();
      attendance.end = ends[(ends.size() - 1) / 2];
      attendance.spread = ends.back() - ends.front();
      if (is_once && attendance.last_start <= attendance.first_end) meeting.push_back(attendance);
      first = last;
    }
    if (meeting.size() > 1) meetings.push_back(std::move(meeting));
  }
  return meetings;
}

std::vector<analysis::AlignedClock> Meetings::Align() const {
  const std::vector<std::vector<analysis::WallReading>> none(clock_of_boot_.size());
  return analysis::AlignClocks(none, Gather(), 0);
}

}  // namespace rtl::dataset
