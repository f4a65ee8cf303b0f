// SPDX-License-Identifier: MIT
#include "vgpu/wave/workgroup.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/host_trap.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

// Instructions of one wave before the next one's turn. Programs rely on the waves of a workgroup to
// advance together: all waves read a word before any wave that has read the word replaces it.
constexpr uint32_t kWaveTurn = 16;
constexpr uint32_t kLoneWaveTurn = 10'000;  // while the others have ended or wait at a barrier
constexpr uint64_t kGroupSlice = 40'000;    // instructions before the grid gets a workgroup back

constexpr uint32_t kPacketIndexMask = 0x1ffffff;  // in ttmp6

constexpr uint32_t kFirstWaveOfGroup = 1u << 31;  // in the workgroup information SGPR

// Workgroups go round the chiplets, and those of a chiplet round its shader engines.
uint32_t ChipletOf(uint64_t group_number) {
  return static_cast<uint32_t>(group_number % GetGpuModel().chiplets);
}

int EngineOf(uint64_t group_number) {
  const GpuModel& model = GetGpuModel();
  return static_cast<int>(group_number / model.chiplets % model.shader_engines);
}

// The number of the workgroup's compute unit in its shader engine.
uint32_t ComputeUnitOf(uint64_t group_number) {
  const GpuModel& model = GetGpuModel();
  return static_cast<uint32_t>(group_number / model.chiplets / model.shader_engines %
                               model.UnitsPerEngine());
}

// HW_ID: the slot in which a wave would run on the hardware.
uint32_t HwId(uint64_t group_number, uint32_t wave, int engine) {
  const GpuModel& model = GetGpuModel();
  const uint32_t slot = wave / model.simds_per_cu;
  const uint32_t simd = wave % model.simds_per_cu;
  const uint32_t cu = ComputeUnitOf(group_number);
  const uint32_t group_slot = static_cast<uint32_t>(group_number & 0xf);
  return slot | simd << 4 | cu << 8 | static_cast<uint32_t>(engine) << 13 | group_slot << 16;
}

Dim3 GroupId(const GridLaunch& launch, uint64_t number) {
  Dim3 id;
  id.x = static_cast<uint32_t>(number % launch.groups.x);
  number /= launch.groups.x;
  id.y = static_cast<uint32_t>(number % launch.groups.y);
  id.z = static_cast<uint32_t>(number / launch.groups.y);
  return id;
}

// A workgroup at the far end of the grid has only the remaining items.
Dim3 GroupSize(const GridLaunch& launch, const Dim3& id) {
  Dim3 size;
  size.x = std::min(launch.group.x, launch.grid.x - id.x * launch.group.x);
  size.y = std::min(launch.group.y, launch.grid.y - id.y * launch.group.y);
  size.z = std::min(launch.group.z, launch.grid.z - id.z * launch.group.z);
  return size;
}

// v0, v1 and v2 hold the parts of the work-item's id that the kernel requests, or v0 holds all of
// it.
void SetItemIds(const GridLaunch& launch, uint32_t first_item, const Dim3& size, Wave* wave) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t item = first_item + lane;
    const uint32_t x = item % size.x;
    const uint32_t y = item / size.x % size.y;
    const uint32_t z = item / (size.x * size.y);
    if (launch.item_ids_packed) {
      wave->vgpr[0][lane] = x | y << 10 | z << 20;
      continue;
    }
    wave->vgpr[0][lane] = x;
    if (launch.item_id_vgprs > 1) wave->vgpr[1][lane] = y;
    if (launch.item_id_vgprs > 2) wave->vgpr[2][lane] = z;
  }
}

// Adds what the address unit and the data unit did. A quad is four cycles.
void FlushMemoryUnits(const uint64_t (&instructions)[kTaEvents], const GroupCycles& group,
                      HwCounters* counters) {
  const auto of = [&](TaEvent event) { return instructions[static_cast<size_t>(event)]; };
  const auto add_ta = [&](TaEvent event, uint64_t count) {
    counters->AddTa(group.engine, group.compute_unit, event, count);
  };
  const auto add_td = [&](TdEvent event, uint64_t count) {
    counters->AddTd(group.engine, group.compute_unit, event, count);
  };
  const uint64_t all = of(TaEvent::kAll);
  if (all == 0) return;
  for (int i = 0; i < kTaEvents; ++i) add_ta(static_cast<TaEvent>(i), instructions[i]);
  add_ta(TaEvent::kBusyCycles, 4 * AddressQuads(instructions));
  add_ta(TaEvent::kBufferCycles, 4 * of(TaEvent::kBuffer));
  const uint64_t stores = of(TaEvent::kFlatWrites) + of(TaEvent::kBufferWrites);
  const uint64_t atomics = of(TaEvent::kFlatAtomics) + of(TaEvent::kBufferAtomics);
  add_td(TdEvent::kAll, of(TaEvent::kFlatReads) + of(TaEvent::kBufferReads) + stores + atomics);
  add_td(TdEvent::kStores, stores);
  add_td(TdEvent::kAtomics, atomics);
}

}  // namespace

void Workgroup::SetSgprs(const GridLaunch& launch, uint32_t index, Wave* wave) const {
  std::memset(wave->sgpr, 0, sizeof wave->sgpr);
  std::memcpy(wave->sgpr, launch.user_sgprs, sizeof launch.user_sgprs);
  uint32_t next = launch.user_sgpr_count;
  if (launch.wants_group_id[0]) wave->sgpr[next++] = id_.x;
  if (launch.wants_group_id[1]) wave->sgpr[next++] = id_.y;
  if (launch.wants_group_id[2]) wave->sgpr[next++] = id_.z;
  if (launch.wants_group_info) {
    wave->sgpr[next++] = wave_count_ | (index == 0 ? kFirstWaveOfGroup : 0);
  }
  const uint32_t slot = scratch_slot_ * launch.waves_per_group() + index;
  const uint32_t scratch = slot * launch.scratch_wave_bytes;
  if (launch.wants_scratch_offset) wave->sgpr[next++] = scratch;
  if (launch.sets_flat_scratch) {
    wave->SetSgpr64(kOperandFlatScratch, launch.scratch_base + scratch);
  }
  // For trap handlers: the packet, the workgroup, and the wave's number in the workgroup.
  uint32_t* ttmp = wave->sgpr + kOperandTtmp;
  ttmp[6] = launch.packet_index & kPacketIndexMask;
  ttmp[8] = id_.x;
  ttmp[9] = id_.y;
  ttmp[10] = id_.z;
  ttmp[11] = index;
}

void Workgroup::StartWave(const GridLaunch& launch, uint32_t index, uint32_t items,
                          const Dim3& size) {
  Wave* wave = waves_[index].get();
  wave->pc = launch.entry;
  wave->scc = false;
  wave->done = false;
  wave->at_barrier = false;
  wave->yield = false;
  wave->in_trap = false;
  wave->in_block = false;
  wave->gws_ticket = 0;
  wave->outstanding = 0;
  wave->id = static_cast<int>(index);
  wave->mode = launch.mode;
  wave->trap_status = 0;
  wave->gpr_alloc = launch.gpr_alloc;
  wave->lds_alloc = launch.lds_alloc;
  wave->fault = Fault();
  SetSgprs(launch, index, wave);
  const uint32_t first = index * kLanes;
  const uint32_t lanes = std::min<uint32_t>(items - first, kLanes);
  wave->set_exec(lanes == kLanes ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1);
  // The hardware does not clear registers. Here they are cleared, so that every run gives the same
  // results.
  std::memset(wave->vgpr, 0, launch.vgprs * sizeof wave->vgpr[0]);
  std::memset(wave->vgpr[kVgprs], 0, launch.accumulators * sizeof wave->vgpr[0]);
  SetItemIds(launch, first, size, wave);
}

void Workgroup::Start(const GridLaunch& launch, uint64_t number, uint32_t scratch_slot) {
  id_ = GroupId(launch, number);
  scratch_slot_ = scratch_slot;
  engine_ = EngineOf(number);
  const Dim3 size = GroupSize(launch, id_);
  const uint32_t items = static_cast<uint32_t>(size.Product());
  wave_count_ = (items + kLanes - 1) / kLanes;
  chiplet_ = ChipletOf(number);
  cycles_ = {engine_, ComputeUnitOf(number), wave_count_};
  cycles_.chiplet = chiplet_;
  wave_cycles_.assign(wave_count_, {});
  live_ = wave_count_;
  at_barrier_ = 0;
  while (waves_.size() < wave_count_) waves_.push_back(std::make_unique<Wave>());
  lds_bytes_ = launch.lds_bytes;
  lds_.assign(lds_bytes_, 0);
  HwCounters& counters = HwCountersOf(launch.gpu, chiplet_);
  for (uint32_t i = 0; i < wave_count_; ++i) {
    StartWave(launch, i, items, size);
    waves_[i]->hw_id = HwId(number, i, engine_);
    waves_[i]->chiplet = chiplet_;
  }
  const uint32_t whole = items / kLanes;
  counters.Add(engine_, SqEvent::kWaves, wave_count_);
  counters.Add(engine_, SqEvent::kWavesEq64, whole);
  counters.Add(engine_, SqEvent::kWavesLt64, wave_count_ - whole);
  counters.Add(engine_, SqEvent::kItems, items);
  counters.AddSpi(engine_, SpiEvent::kWorkgroups, 1);
  counters.AddSpi(engine_, SpiEvent::kWaves, wave_count_);
  const uint32_t last = items % kLanes;  // lanes of a wave that is not whole
  if (last == 0) return;
  if (last < 48) counters.Add(engine_, SqEvent::kWavesLt48, 1);
  if (last < 32) counters.Add(engine_, SqEvent::kWavesLt32, 1);
  if (last < 16) counters.Add(engine_, SqEvent::kWavesLt16, 1);
}

Workgroup::Round Workgroup::RunRound(Interpreter& interpreter, ExecutionContext& context) {
  Round round;
  context.alone = live_ - at_barrier_ == 1;
  const uint32_t turn = context.alone ? kLoneWaveTurn : kWaveTurn;
  for (uint32_t i = 0; i < wave_count_; ++i) {
    Wave& wave = *waves_[i];
    if (wave.done || wave.at_barrier) continue;
    wave.yield = false;
    ++round.ran;
    round.executed += RunWave(interpreter, i, context, turn);
    if (wave.at_barrier) ++at_barrier_;
    if (wave.done) --live_;
    if (wave.yield) ++round.yielded;
    if (wave.fault.code != Fault::Code::kNone) {
      faulted_ = i;
      round.faulted = true;
      return round;
    }
  }
  return round;
}

uint32_t Workgroup::RunWave(Interpreter& interpreter, uint32_t index, ExecutionContext& context,
                            uint32_t turn) {
  Wave& wave = *waves_[index];
  if (!context.counting) [[likely]]
    return RunSampled(interpreter, wave, context, turn);
  const CycleCounts& counts = context.cycles;
  const WaveCycles before = {counts.executed(), counts.wait, counts.lds};
  const uint32_t executed = RunSampled(interpreter, wave, context, turn);
  WaveCycles& spent = wave_cycles_[index];
  spent.executed += counts.executed() - before.executed;
  spent.wait += counts.wait - before.wait;
  spent.lds += counts.lds - before.lds;
  return executed;
}

// A barrier opens when every wave that still runs has reached it.
void Workgroup::OpenBarrier() {
  if (at_barrier_ != live_) return;
  at_barrier_ = 0;
  for (uint32_t i = 0; i < wave_count_; ++i) waves_[i]->at_barrier = false;
}

Workgroup::Progress Workgroup::RunSlice(Interpreter& interpreter, ExecutionContext& context) {
  context.lds = lds_.data();
  context.lds_bytes = lds_bytes_;
  context.cache = CacheModelOf(context.gpu, chiplet_);
  context.counting = context.cache != nullptr;
  context.engine = engine_;
  context.compute_unit = cycles_.compute_unit;
  interpreter.BeginSlice();
  uint64_t executed = 0;
  Progress progress = Progress::kPaused;
  while (executed < kGroupSlice) {
    const Round round = RunRound(interpreter, context);
    executed += round.executed;
    if (round.faulted) {
      progress = Progress::kFaulted;
      break;
    }
    if (live_ == 0) {
      progress = Progress::kFinished;
      break;
    }
    OpenBarrier();
    if (round.ran != 0 && round.yielded == round.ran) break;
  }
  FlushCounts(context);
  if (context.counting) FlushCycles(context);
  if (context.counting && progress == Progress::kFinished) AddIssueWaits(context);
  return progress;
}

void Workgroup::FlushCounts(ExecutionContext& context) {
  HwCounters& counters = HwCountersOf(context.gpu, chiplet_);
  using Class = InstructionClass;
  const auto count = [&](Class c) { return context.counts[static_cast<size_t>(c)]; };
  const auto add = [&](SqEvent event, uint64_t number) { counters.Add(engine_, event, number); };
  uint64_t total = 0, vector = 0, matrix = 0;
  for (size_t i = 0; i < kInstructionClasses; ++i) {
    total += context.counts[i];
    if (IsVector(static_cast<Class>(i))) vector += context.counts[i];
    if (i >= static_cast<size_t>(Class::kMatrixI8)) matrix += context.counts[i];
  }
  const uint64_t flat = count(Class::kFlatRead) + count(Class::kFlatWrite);
  const uint64_t global = count(Class::kGlobalRead) + count(Class::kGlobalWrite);
  const uint64_t reads =
      count(Class::kBufferRead) + count(Class::kGlobalRead) + count(Class::kFlatRead);
  const uint64_t writes =
      count(Class::kBufferWrite) + count(Class::kGlobalWrite) + count(Class::kFlatWrite);
  add(SqEvent::kInsts, total);
  add(SqEvent::kInstsValu, vector);
  add(SqEvent::kInstsMatrix, matrix);
  add(SqEvent::kInstsBranch, count(Class::kBranch));
  add(SqEvent::kInstsMessage, count(Class::kMessage));
  for (int i = 0; i < kSqTypeEvents; ++i)
    add(static_cast<SqEvent>(static_cast<int>(SqEvent::kFirstType) + i),
        context.counts[static_cast<size_t>(Class::kAddF16) + i]);
  add(SqEvent::kInstsSalu, count(Class::kScalar));
  add(SqEvent::kInstsSmem, count(Class::kScalarMemory));
  add(SqEvent::kInstsSmemNormalized, 2 * count(Class::kScalarMemory));
  // Except on gfx942 the counter includes flat instructions: tools subtract SQ_INSTS_FLAT_LDS_ONLY.
  add(SqEvent::kInstsLds, count(Class::kLds) + (GetIsa().counts_flat_as_lds ? flat : 0));
  add(SqEvent::kInstsGds, count(Class::kGds));
  add(SqEvent::kInstsFlat, flat + global);  // both have one encoding
  add(SqEvent::kInstsVmemRead, reads);
  add(SqEvent::kInstsVmemWrite, writes);
  add(SqEvent::kInstsVmem, reads + writes);
  std::memset(context.counts, 0, sizeof context.counts);
}

void Workgroup::FlushCycles(ExecutionContext& context) {
  HwCounters& counters = HwCountersOf(context.gpu, chiplet_);
  const CycleCounts& cycles = context.cycles;
  const uint64_t executed = cycles.executed();
  const auto add = [&](SqEvent event, uint64_t count) { counters.Add(engine_, event, count); };
  add(SqEvent::kWaveCycles, executed + cycles.wait);
  add(SqEvent::kWaitAny, cycles.wait);
  add(SqEvent::kActiveAny, executed);
  add(SqEvent::kActiveVector, cycles.vector);
  add(SqEvent::kActiveScalar, cycles.scalar + cycles.scalar_memory);
  add(SqEvent::kActiveLds, cycles.lds);
  add(SqEvent::kActiveVectorMemory, cycles.buffer);
  add(SqEvent::kActiveFlat, cycles.flat);
  add(SqEvent::kActiveOther, cycles.other);
  add(SqEvent::kScalarCycles, cycles.scalar);
  add(SqEvent::kScalarMemoryCycles, cycles.scalar_memory);
  add(SqEvent::kVectorReadCycles, cycles.vector_read);
  add(SqEvent::kVectorWriteCycles, cycles.vector_write);
  add(SqEvent::kThreadCycles, cycles.active_lanes);
  add(SqEvent::kLdsActive, cycles.lds_active);
  add(SqEvent::kLdsBankConflict, cycles.bank_conflicts);
  add(SqEvent::kLdsAddressConflict, cycles.address_conflicts);
  add(SqEvent::kLdsAtomicReturn, cycles.atomic_returns);
  add(SqEvent::kFlatLdsOnly, cycles.flat_lds_only);
  add(SqEvent::kActiveGds, cycles.gds);
  add(SqEvent::kMatrixBusyCycles, 4 * cycles.matrix);
  const auto add_row = [&](SqEvent first, const auto& row) {
    for (size_t i = 0; i < std::size(row); ++i)
      add(static_cast<SqEvent>(static_cast<size_t>(first) + i), row[i]);
  };
  add_row(SqEvent::kScalarRead1, cycles.scalar_reads);
  add_row(SqEvent::kMatrixOps, cycles.matrix_ops);
  const Levels levels = LevelsOf(cycles);
  add(SqEvent::kLevelWaves, executed + cycles.wait);
  add(SqEvent::kLevelVectorMemory, levels.vector_memory);
  add(SqEvent::kLevelScalarMemory, levels.scalar_memory);
  add(SqEvent::kLevelLds, levels.lds);
  FlushMemoryUnits(cycles.address_unit, cycles_, &counters);
  cycles_.executed += executed;
  cycles_.wait += cycles.wait;
  cycles_.memory += AddressQuads(cycles.address_unit);
  context.cycles = CycleCounts();
}

void Workgroup::AddIssueWaits(const ExecutionContext& context) {
  const IssueWaits waits = WaitsForIssue(wave_cycles_, GetGpuModel().simds_per_cu);
  HwCounters& counters = HwCountersOf(context.gpu, chiplet_);
  counters.Add(engine_, SqEvent::kWaitInstAny, waits.any);
  counters.Add(engine_, SqEvent::kWaitInstLds, waits.lds);
  counters.Add(engine_, SqEvent::kWaveCycles, waits.any);
  counters.Add(engine_, SqEvent::kLevelWaves, waits.any);
}

std::string Workgroup::FaultPlace() const {
  char text[96];
  std::snprintf(text, sizeof text, "workgroup %u,%u,%u wave %u", id_.x, id_.y, id_.z, faulted_);
  return text;
}

}  // namespace vgpu
