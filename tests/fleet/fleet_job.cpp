// SPDX-License-Identifier: MIT
// Writes the dataset of a training job that never ran: N ranks, eight a host, that shard a model
// (gather before a layer, scatter after it), with faults whose truth is known:
//   a rank whose kernels take 3 % longer, a host whose kernels take 1.5 % longer, and one kernel of
//   one rank and step that takes 40 ms longer.
// The hosts' clocks differ by offset, drift and slow wander. Every number follows from the seed.
//
// usage: fleet_job DIR [--ranks N] [--steps N] [--layers N] [--seed N] [--no-faults]
//                      [--slower PERCENT] [--only-summaries]
//                      [--pause]      the late kernel begins 40 ms later instead
//                      [--killed R]   the program of this rank was killed in the middle of the last step
//                      [--hours N]    all of it that much later
//                      [--seen]       submitted events under the name that schema 12 has for them
// Prints the truth as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "dataset/columns.h"
#include "dataset/summaries.h"
#include "dataset/table_writer.h"
#include "tables/columns.h"
#include "tables/name_id.h"

namespace {

using rtl::Status;
using rtl::dataset::KernelKind;

constexpr int64_t kRanksOfHost = 8;
constexpr int64_t kComputeQueue = 1;
constexpr int64_t kCommunicationQueue = 2;

struct Settings {
  std::string folder;
  int64_t ranks = 16, steps = 20, layers = 6;
  uint64_t seed = 1;
  bool has_faults = true, only_summaries = false;
  bool is_pause = false;
  const char* submitted = "submitted";
  double slower_percent = 0;  // of the first kernel of a layer, on all ranks
  int64_t killed_rank = -1, hours = 0;

  // The time of day when the job begins.
  int64_t day() const { return 1'800'000'000'000'000'000 + hours * 3'600'000'000'000; }
  int64_t hosts() const { return (ranks + kRanksOfHost - 1) / kRanksOfHost; }
  int64_t slow_rank() const { return has_faults && ranks > 5 ? 5 : -1; }
  int64_t slow_host() const { return has_faults && hosts() > 2 ? 2 : -1; }
  int64_t late_rank() const { return has_faults ? (ranks > 27 ? 27 : ranks - 1) : -1; }
  int64_t late_step() const { return steps * 18 / 25; }
};
constexpr int64_t kLate = 40'000'000;  // ns

struct Kernel {
  const char* name;
  double ns;
};

// The longest name is as long as real ones.
constexpr Kernel kForward[] = {
    {"Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI32x32x8x1_SN_1LDSB0_APM1_AF0EM8_AF1EM1_AMAS3", 610e3},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::BFloat16AddFunctor<float>, "
     "std::array<char*, 3ul> >(int, at::native::BFloat16AddFunctor<float>, std::array<char*, 3ul>)",
     21e3},
    {"attn_fwd", 420e3},
    {"void layer_norm_kernel<c10::BFloat16, float>(int, float, c10::BFloat16 const*, float*)",
     34e3},
    {"Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI16x16x16x1_SN_1LDSB1_APM1_AF0EM8", 480e3},
    {"void gelu_kernel<c10::BFloat16>(c10::BFloat16 const*, c10::BFloat16*, long)", 48e3},
};
constexpr Kernel kBackward[] = {
    {"attn_bwd_dq", 390e3},
    {"attn_bwd_dkv", 610e3},
    {"Cijk_Ailk_Bjlk_BBS_BH_MT256x256x32_MI32x32x8x1_SN_1LDSB0_APM1", 890e3},
    {"void layer_norm_backward_kernel<c10::BFloat16, float>(float const*, float*, int)", 58e3},
    {"void gelu_backward_kernel<c10::BFloat16>(c10::BFloat16 const*, c10::BFloat16*, long)", 61e3},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
     "at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float> > > >(float)",
     27e3},
    {"Cijk_Alik_Bjlk_BBS_BH_MT128x256x32_MI32x32x8x1_SN_1LDSB0_APM1", 720e3},
};
constexpr Kernel kUpdate[] = {
    {"void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, float>(long)",
     310e3},
    {"void clip_coefficient_kernel(float const*, float*)", 9e3},
};
constexpr Kernel kGather = {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                            900e3};
constexpr Kernel kScatter = {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_SIMPLE(ncclDevComm*)",
                             930e3};
constexpr Kernel kReduce = {"ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevComm*, ulong)", 14e3};
constexpr const Kernel* kLateKernel = &kBackward[2];

// A number that follows from its place, so that a rank can be made twice.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}
  Chance& With(uint64_t value) {
    state_ = Mix(state_ ^ (value + 0x9e3779b97f4a7c15U));
    return *this;
  }
  double Uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<double>(Mix(state_) >> 11) * 0x1p-53;
  }
  double Normal() {  // twelve would be better, four are fast
    return (Uniform() + Uniform() + Uniform() + Uniform() - 2) * std::numbers::sqrt3;
  }
  double Exponential(double mean) { return -mean * std::log(1 - Uniform()); }

 private:
  static uint64_t Mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
  }
  uint64_t state_;
};

// CLOCK_BOOTTIME of a host, of a time that all share.
class HostClock {
 public:
  HostClock(uint64_t seed, int64_t host) {
    Chance chance = Chance(seed).With(77).With(static_cast<uint64_t>(host));
    offset_ = std::round(1e14 + 9e15 * chance.Uniform());
    drift_ = 5e-6 * (2 * chance.Uniform() - 1);
    period_ = 300e9 + 600e9 * chance.Uniform();
    phase_ = 6.28 * chance.Uniform();
  }
  double Error(double time) const {
    return time * drift_ + 2e-7 * period_ / 6.283 * std::sin(6.283 * time / period_ + phase_);
  }
  int64_t At(double time) const {
    return static_cast<int64_t>(offset_) + static_cast<int64_t>(std::llround(time + Error(time)));
  }
  double offset() const { return offset_; }

 private:
  double offset_, drift_, period_, phase_;
};

// One collective of all ranks and the kernels that follow it.
struct Block {
  const Kernel* collective;
  const Kernel* kernels;
  size_t count;
};

std::vector<Block> MakeStep(int64_t layers) {
  std::vector<Block> blocks;
  for (int64_t i = 0; i < layers; ++i) blocks.push_back({&kGather, kForward, std::size(kForward)});
  for (int64_t i = 0; i < layers; ++i) {
    blocks.push_back({&kGather, kBackward, std::size(kBackward)});
    blocks.push_back({&kScatter, nullptr, 0});
  }
  blocks.push_back({&kReduce, kUpdate, 1});
  blocks.push_back({&kReduce, kUpdate + 1, 1});
  return blocks;
}

class Job {
 public:
  explicit Job(const Settings& settings)
      : settings_(settings), step_(MakeStep(settings.layers)), begins_(settings.ranks) {
    const size_t collectives = step_.size() * static_cast<size_t>(settings.steps);
    starts_.resize(static_cast<size_t>(settings.ranks) * collectives);
    ends_.resize(starts_.size());
    for (int64_t host = 0; host < settings.hosts(); ++host)
      clocks_.emplace_back(settings.seed, host);
  }

  // The times of all collectives: the only places where ranks wait for each other.
  void Run() {
    const auto ranks = static_cast<size_t>(settings_.ranks);
    std::vector<double> computed(ranks), sent(ranks), issued(ranks);
    for (size_t c = 0; c < step_.size() * static_cast<size_t>(settings_.steps); ++c) {
      const Block& block = step_[c % step_.size()];
      Chance common = Chance(settings_.seed).With(3).With(c);
      double last = 0;
      for (size_t rank = 0; rank < ranks; ++rank) {
        Chance own = Chance(settings_.seed).With(4).With(c).With(rank);
        // A collective of a block without kernels needs the results before it; others are prefetched.
        const bool is_early = block.collective == &kGather;
        const double ready = is_early ? issued[rank] : computed[rank];
        starts_[At(rank, c)] = std::max(ready, sent[rank]) + 4e3 + own.Exponential(6e3);
        last = std::max(last, starts_[At(rank, c)]);
      }
      const double end = last + block.collective->ns * (1 + std::abs(0.03 * common.Normal()));
      for (size_t rank = 0; rank < ranks; ++rank) {
        Chance own = Chance(settings_.seed).With(5).With(rank);
        const double skew = 2500 * own.Uniform();
        ends_[At(rank, c)] = end + skew + own.With(c).Exponential(400);
        sent[rank] = ends_[At(rank, c)];
        issued[rank] = computed[rank];
        if (block.count == 0) continue;
        computed[rank] = std::max(computed[rank], ends_[At(rank, c)]);
        for (size_t i = 0; i < block.count; ++i) {
          computed[rank] += Gap(rank, c, i) + Duration(rank, c, i);
        }
      }
    }
  }

  Status WriteRank(int64_t rank) const;
  std::string Truth() const;

 private:
  size_t At(size_t rank, size_t collective) const {
    return rank * step_.size() * static_cast<size_t>(settings_.steps) + collective;
  }
  double Gap(size_t rank, size_t collective, size_t kernel) const {
    const bool is_late = settings_.is_pause &&
                         &step_[collective % step_.size()].kernels[kernel] == kLateKernel &&
                         IsLate(static_cast<int64_t>(rank), collective);
    return 1500 + (is_late ? kLate : 0) +
           Chance(settings_.seed).With(6).With(rank).With(collective).With(kernel).Exponential(300);
  }
  double Duration(size_t rank, size_t collective, size_t kernel) const {
    const Kernel& what = step_[collective % step_.size()].kernels[kernel];
    Chance chance = Chance(settings_.seed).With(7).With(rank).With(collective).With(kernel);
    double factor = 1 + 0.012 * chance.Normal();
    const auto number = static_cast<int64_t>(rank);
    if (number == settings_.slow_rank()) factor *= 1.03;
    if (number / kRanksOfHost == settings_.slow_host()) factor *= 1.015;
    if (&what == kForward) factor *= 1 + settings_.slower_percent / 100;
    const double ns = std::round(what.ns * factor / 40) * 40;  // ticks of a clock of 25 MHz
    return &what == kLateKernel && !settings_.is_pause && IsLate(number, collective) ? ns + kLate
                                                                                     : ns;
  }
  // In the first layer on the way back.
  bool IsLate(int64_t rank, size_t collective) const {
    return rank == settings_.late_rank() &&
           static_cast<int64_t>(collective / step_.size()) == settings_.late_step() &&
           collective % step_.size() == static_cast<size_t>(settings_.layers);
  }

  struct Row;
  template <typename Take>
  Status EachKernel(int64_t rank, const Take& take) const;
  Status WriteSmallTables(int64_t rank, const rtl::dataset::Owner& owner,
                          std::vector<rtl::dataset::WrittenFile> files, int64_t kernels) const;

  const Settings& settings_;
  std::vector<Block> step_;
  std::vector<double> starts_, ends_;
  std::vector<int64_t> begins_;
  std::vector<HostClock> clocks_;
};

struct Job::Row {
  const Kernel* kernel;
  KernelKind kind;
  int64_t step, collective, queue, start, duration, submit;
};

// In the order of starts.
template <typename Take>
Status Job::EachKernel(int64_t rank, const Take& take) const {
  const auto r = static_cast<size_t>(rank);
  const HostClock& clock = clocks_[static_cast<size_t>(rank / kRanksOfHost)];
  const double gpu = 150 * Chance(settings_.seed).With(8).With(r).Normal();
  const auto make = [&](const Kernel* kernel, KernelKind kind, size_t c, double start, double end) {
    Row row{};
    row.kernel = kernel;
    row.kind = kind;
    row.step = static_cast<int64_t>(c / step_.size());
    row.collective = static_cast<int64_t>(c % step_.size());
    row.queue = kind == KernelKind::kCommunication ? kCommunicationQueue : kComputeQueue;
    row.start = clock.At(start + gpu);
    row.duration = clock.At(end + gpu) - row.start;
    Chance own = Chance(settings_.seed).With(9).With(r).With(static_cast<uint64_t>(row.start));
    row.submit = row.start - static_cast<int64_t>(8e3 + own.Exponential(90e3));
    return row;
  };
  double computed = 0;
  std::vector<Row> rows;
  for (size_t c = 0; c < step_.size() * static_cast<size_t>(settings_.steps); ++c) {
    const Block& block = step_[c % step_.size()];
    rows.push_back(
        make(block.collective, KernelKind::kCommunication, c, starts_[At(r, c)], ends_[At(r, c)]));
    if (block.count > 0) computed = std::max(computed, ends_[At(r, c)]);
    for (size_t i = 0; i < block.count; ++i) {
      const double start = computed + Gap(r, c, i);
      computed = start + Duration(r, c, i);
      rows.push_back(make(&block.kernels[i], KernelKind::kCompute, c, start, computed));
    }
    if ((c + 1) % step_.size() != 0) continue;
    std::ranges::sort(rows, {}, [](const Row& row) { return std::pair(row.start, row.queue); });
    for (const Row& row : rows) RTL_TRY(take(row));
    rows.clear();
  }
  return Status::Ok();
}

std::string HostName(int64_t host) { return fmt::format("node-{:03}", host); }

Status Job::WriteRank(int64_t rank) const {
  using K = rtl::tables::KernelsColumn;
  const std::string host = HostName(rank / kRanksOfHost);
  const HostClock& clock = clocks_[static_cast<size_t>(rank / kRanksOfHost)];
  const rtl::dataset::Owner owner{
      .label = rtl::dataset::LabelOf(static_cast<int32_t>(rank), host, 0),
      .rank = std::to_string(rank),
      .host = host,
      .world = static_cast<uint32_t>(settings_.ranks),
      .realtime_minus_boottime =
          std::to_string(settings_.day() - static_cast<int64_t>(clock.offset()))};
  const rtl::tables::Table& table = rtl::tables::Describe(rtl::tables::TableId::kKernels);
  rtl::dataset::TableWriter kernels(settings_.folder, {table.name, table.columns}, owner,
                                    {"queue", "start"});
  rtl::dataset::SummaryFiles files(settings_.folder, owner);
  rtl::dataset::Summaries summaries({1, 1000 + rank, rank, host}, &files);
  std::vector<std::pair<const Kernel*, int64_t>> ids;
  int64_t count = 0;
  const auto set = [&](K column, int64_t value) {
    kernels.Set(static_cast<size_t>(column), value);
  };
  const auto text = [&](K column, std::string_view value) {
    kernels.SetText(static_cast<size_t>(column), value);
  };
  RTL_TRY(EachKernel(rank, [&](const Row& row) {
    const bool is_dead = rank == settings_.killed_rank && row.step == settings_.steps - 1 &&
                         row.collective >= static_cast<int64_t>(step_.size() / 2);
    if (is_dead) return Status::Ok();
    auto id = std::ranges::find(ids, row.kernel, [](const auto& pair) { return pair.first; });
    if (id == ids.end()) {
      id = ids.insert(ids.end(), {row.kernel, rtl::tables::NameId(row.kernel->name)});
    }
    ++count;
    const Status added = summaries.Add({row.step, id->second, row.kind, row.start, row.duration});
    if (settings_.only_summaries || !added.ok()) return added;
    set(K::id, count);
    set(K::process, 1);
    set(K::pid, 1000 + rank);
    set(K::rank, rank);
    text(K::host, host);
    set(K::gpu, rank % kRanksOfHost);
    set(K::queue, row.queue);
    set(K::tid, 1000 + rank);
    text(K::name, row.kernel->name);
    set(K::name_id, id->second);
    text(K::kind, rtl::dataset::TextOf(row.kind));
    set(K::step, row.step);
    if (row.kind == KernelKind::kCommunication) set(K::collective, row.collective);
    set(K::start, row.start);
    set(K::duration, row.duration);
    set(K::submit, row.submit);
    set(K::sequence, count);
    set(K::packet, count);
    set(K::correlation, count * 3);
    set(K::grid_x, 65536);
    set(K::grid_y, 1);
    set(K::grid_z, 1);
    set(K::workgroup_x, 256);
    set(K::workgroup_y, 1);
    set(K::workgroup_z, 1);
    set(K::lds, row.kind == KernelKind::kCompute ? 65536 : 0);
    set(K::scratch, 0);
    set(K::flags, 0);
    return kernels.EndRow();
  }));
  RTL_TRY(summaries.End());
  RTL_TRY(files.End());
  RTL_TRY(kernels.EndFile());
  std::vector<rtl::dataset::WrittenFile> written;
  kernels.AddFilesTo(&written);
  files.AddFilesTo(&written);
  return WriteSmallTables(rank, owner, written, count);
}

Status Job::WriteSmallTables(int64_t rank, const rtl::dataset::Owner& owner,
                             std::vector<rtl::dataset::WrittenFile> files, int64_t kernels) const {
  using N = rtl::dataset::NamesColumn;
  const auto keep = [&](const rtl::dataset::TableWriter& writer) { writer.AddFilesTo(&files); };
  rtl::dataset::TableWriter names(settings_.folder,
                                  rtl::dataset::Describe(rtl::dataset::TableId::kNames), owner);
  const auto add_name = [&](const Kernel& kernel, KernelKind kind) {
    names.Set(N::rank, rank);
    names.SetText(N::host, owner.host);
    names.SetText(N::name, kernel.name);
    names.Set(N::name_id, rtl::tables::NameId(kernel.name));
    names.SetText(N::kind, rtl::dataset::TextOf(kind));
    return names.EndRow();
  };
  for (const Kernel& kernel : kForward) RTL_TRY(add_name(kernel, KernelKind::kCompute));
  for (const Kernel& kernel : kBackward) RTL_TRY(add_name(kernel, KernelKind::kCompute));
  for (const Kernel& kernel : kUpdate) RTL_TRY(add_name(kernel, KernelKind::kCompute));
  for (const Kernel* kernel : {&kGather, &kScatter, &kReduce}) {
    RTL_TRY(add_name(*kernel, KernelKind::kCommunication));
  }
  RTL_TRY(names.EndFile());
  keep(names);
  using C = rtl::dataset::ClocksColumn;
  rtl::dataset::TableWriter clocks(settings_.folder,
                                   rtl::dataset::Describe(rtl::dataset::TableId::kClocks), owner);
  const HostClock& clock = clocks_[static_cast<size_t>(rank / kRanksOfHost)];
  for (const double time : {0.0, ends_.back()}) {
    clocks.Set(C::process, 1);
    clocks.Set(C::pid, 1000 + rank);
    clocks.Set(C::rank, rank);
    clocks.SetText(C::host, owner.host);
    clocks.SetText(C::boot_id, "boot of " + owner.host);
    clocks.Set(C::time, clock.At(time));
    clocks.Set(C::realtime_offset,
               settings_.day() + static_cast<int64_t>(std::llround(time)) - clock.At(time));
    clocks.Set(C::realtime_width, 160);
    clocks.Set(C::raw_offset,
               -5'000'000 - static_cast<int64_t>(time * 1e-5));  // NTP: 10 ppm faster
    clocks.Set(C::raw_width, 160);
    clocks.Set(C::synchronized, 1);
    clocks.Set(C::estimated_error, 120);
    clocks.Set(C::max_error, 1'500);
    RTL_TRY(clocks.EndRow());
  }
  RTL_TRY(clocks.EndFile());
  keep(clocks);
  using L = rtl::tables::LossesColumn;
  const rtl::tables::Table& losses = rtl::tables::Describe(rtl::tables::TableId::kLosses);
  rtl::dataset::TableWriter lost(settings_.folder, {losses.name, losses.columns}, owner);
  // Rank 3 loses some.
  const int64_t missing = settings_.has_faults && rank == 3 ? 12 : 0;
  const int64_t unended = rank == settings_.killed_rank ? 2 : 0;
  const std::pair<const char*, int64_t> counts[] = {
      {settings_.submitted, kernels + missing + unended},
      {"recorded", kernels},
      {"kRingFull", missing},
      {"loss.kKilled", unended}};
  for (const auto& [counter, events] : counts) {
    if (events == 0) continue;
    lost.Set(static_cast<size_t>(L::process), 1);
    lost.Set(static_cast<size_t>(L::pid), 1000 + rank);
    lost.Set(static_cast<size_t>(L::rank), rank);
    lost.SetText(static_cast<size_t>(L::host), owner.host);
    lost.SetText(static_cast<size_t>(L::kind), "kernels");
    lost.SetText(static_cast<size_t>(L::counter), counter);
    lost.Set(static_cast<size_t>(L::events), events);
    RTL_TRY(lost.EndRow());
  }
  RTL_TRY(lost.EndFile());
  keep(lost);
  using P = rtl::tables::ProcessesColumn;
  const rtl::tables::Table& processes = rtl::tables::Describe(rtl::tables::TableId::kProcesses);
  rtl::dataset::TableWriter process(settings_.folder, {processes.name, processes.columns}, owner);
  process.Set(static_cast<size_t>(P::process), 1);
  process.Set(static_cast<size_t>(P::pid), 1000 + rank);
  process.Set(static_cast<size_t>(P::rank), rank);
  process.SetText(static_cast<size_t>(P::host), owner.host);
  process.Set(static_cast<size_t>(P::world), settings_.ranks);
  process.SetText(static_cast<size_t>(P::executable), "python3");
  std::string list;
  for (const auto& file : files) list += fmt::format("{} {}\n", file.name, file.rows);
  process.Describe(rtl::dataset::kFilesKey, list);
  if (rank == settings_.killed_rank) process.Describe(rtl::dataset::kEndKey, "killed");
  RTL_TRY(process.EndRow());
  return process.EndFile();
}

std::string Job::Truth() const {
  // Host by host: its clock, and how far it is ahead of that of the first, at three times.
  std::string clocks;
  for (size_t host = 0; host < clocks_.size(); ++host) {
    for (const double share : {0.0, 0.5, 1.0}) {
      const double time = share * ends_.back();
      clocks += fmt::format(R"({}["{}", {}, {}])", clocks.empty() ? "" : ", ",
                            HostName(static_cast<int64_t>(host)), clocks_[host].At(time),
                            clocks_[host].At(time) - clocks_[0].At(time));
    }
  }
  return fmt::format(
      R"({{"ranks": {}, "steps": {}, "kernels_of_rank": {}, "slow_rank": {}, "slow_host": "{}", )"
      R"("late_rank": {}, "late_step": {}, "late_kernel": "{}", "late_ns": {}, "clocks": [{}]}})",
      settings_.ranks, settings_.steps,
      [&] {
        size_t count = 0;
        for (const Block& block : step_) count += 1 + block.count;
        return count * static_cast<size_t>(settings_.steps);
      }(),
      settings_.slow_rank(), settings_.slow_host() < 0 ? "" : HostName(settings_.slow_host()),
      settings_.late_rank(), settings_.late_step(), kLateKernel->name, kLate, clocks);
}

bool TakeArguments(int argc, char** argv, Settings* settings) {
  if (argc < 2) return false;
  settings->folder = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--no-faults") {
      settings->has_faults = false;
    } else if (word == "--only-summaries") {
      settings->only_summaries = true;
    } else if (word == "--pause") {
      settings->is_pause = true;
    } else if (word == "--seen") {
      settings->submitted = "seen";
    } else if (i + 1 == argc) {
      return false;
    } else if (word == "--ranks") {
      settings->ranks = std::stoll(argv[++i]);
    } else if (word == "--steps") {
      settings->steps = std::stoll(argv[++i]);
    } else if (word == "--layers") {
      settings->layers = std::stoll(argv[++i]);
    } else if (word == "--slower") {
      settings->slower_percent = std::stod(argv[++i]);
    } else if (word == "--killed") {
      settings->killed_rank = std::stoll(argv[++i]);
    } else if (word == "--hours") {
      settings->hours = std::stoll(argv[++i]);
    } else if (word == "--seed") {
      settings->seed = std::stoull(argv[++i]);
    } else {
      return false;
    }
  }
  return settings->ranks > 0 && settings->steps > 0 && settings->layers > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!TakeArguments(argc, argv, &settings)) {
    std::fputs(
        "usage: fleet_job DIR [--ranks N] [--steps N] [--layers N] [--seed N] [--no-faults]\n",
        stderr);
    return 2;
  }
  Job job(settings);
  job.Run();
  for (int64_t rank = 0; rank < settings.ranks; ++rank) {
    const Status status = job.WriteRank(rank);
    if (status.ok()) continue;
    std::fprintf(stderr, "fleet_job: %s\n", status.message());
    return 1;
  }
  std::printf("%s\n", job.Truth().c_str());
  return 0;
}
