// SPDX-License-Identifier: MIT
// Reads the file of kernels in flight (model/in_flight.h).
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>

#include "spool/directory.h"
#include "spool/reader.h"

namespace rtl::spool {
namespace {

// One block of the file of kernels in flight.
struct alignas(64) InFlightBlock {
  InFlightHead head;
  InFlightEntry entries[kInFlightEntries];
  uint64_t numbers[kInFlightEntries];
  char unused[kInFlightBarriersAt - sizeof(InFlightHead) -
              kInFlightEntries * (sizeof(InFlightEntry) + sizeof(uint64_t))];
  InFlightBarrier barriers[kBarriersInFlight];
};
static_assert(sizeof(InFlightBlock) == kInFlightBlockBytes);

template <typename Visit>
void ForEachBlock(const std::string& path, Visit visit) {
  struct stat info;
  const UniqueFd fd = OpenOwnFile(path, &info);
  if (!fd.valid()) return;
  const auto block = std::make_unique<InFlightBlock>();
  for (uint32_t i = 0; i < kMostInFlightBlocks; ++i) {
    const uint64_t at = uint64_t{i} * kInFlightBlockBytes;
    if (ReadAt(fd.get(), block.get(), sizeof(InFlightBlock), at) != sizeof(InFlightBlock)) break;
    const uint32_t queue = block->head.queue.load(std::memory_order_relaxed);
    if (queue != 0) visit(queue, *block);
  }
}

// The entries for which `wanted` is true, ordered by queue and packet.
template <typename Wanted>
std::vector<ProcessReader::InFlight> Entries(const std::string& path, Wanted wanted) {
  std::vector<ProcessReader::InFlight> found;
  ForEachBlock(path, [&](uint32_t queue, const InFlightBlock& block) {
    for (const InFlightEntry& entry : block.entries) {
      if (wanted(entry)) found.push_back({queue, entry});
    }
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<ProcessReader::InFlight> ProcessReader::KernelsInFlight() const {
  return Entries(directory_ + "/" + stem_ + kInFlightSuffix, IsInFlight);
}

std::vector<ProcessReader::InFlight> ProcessReader::KernelsBeingRecorded() const {
  return Entries(directory_ + "/" + stem_ + kInFlightSuffix, IsBeingRecorded);
}

std::vector<ProcessReader::Barrier> ProcessReader::Barriers() const {
  std::vector<Barrier> found;
  std::map<uint32_t, uint64_t> ended;  // the last ended packet of each queue
  ForEachBlock(directory_ + "/" + stem_ + kInFlightSuffix,
               [&](uint32_t queue, const InFlightBlock& block) {
                 for (const InFlightEntry& entry : block.entries) {
                   if (entry.submitted == 0 || IsInFlight(entry)) continue;
                   uint64_t& last = ended[queue];
                   last = std::max(last, entry.packet);
                 }
                 for (const InFlightBarrier& barrier : block.barriers) {
                   const uint64_t place = barrier.place.load(std::memory_order_relaxed);
                   if (place == 0) continue;
                   Barrier& added = found.emplace_back();
                   added.queue = queue;
                   added.packet = place - 1;
                   added.kind = barrier.kind;
                   std::copy(std::begin(barrier.signals), std::end(barrier.signals), added.signals);
                 }
               });
  for (Barrier& barrier : found) {
    const auto last = ended.find(barrier.queue);
    barrier.passed = last != ended.end() && last->second >= barrier.packet;
  }
  std::sort(found.begin(), found.end(), [](const Barrier& a, const Barrier& b) {
    return a.queue != b.queue ? a.queue < b.queue : a.packet < b.packet;
  });
  return found;
}

}  // namespace rtl::spool
