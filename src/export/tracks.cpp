// SPDX-License-Identifier: MIT
#include "export/tracks.h"

#include <algorithm>

#include "export/utf8.h"
#include "trace/read/gpu_names.h"

namespace rtl::exporting {
namespace {

std::string Utf8(const std::string& text) {
  std::string scratch;
  return std::string(RepairUtf8(text, &scratch));
}

// The tracks of one parent are sorted by group, then by number, then by lane.
enum Group : int32_t { kFirstGroup, kSecondGroup, kThirdGroup, kFourthGroup };
constexpr int32_t kMostNumbers = 1 << 20;

int32_t OrderOf(Group group, uint64_t number) {
  const auto place = static_cast<int32_t>(std::min<uint64_t>(number, kMostNumbers - 1));
  return static_cast<int32_t>(group) << 28 | place << 8;
}

Track TrackOf(TrackKind kind, int64_t process, uint32_t pid, int32_t gpu = -1) {
  Track track;
  track.kind = kind;
  track.process = process;
  track.pid = pid;
  track.gpu = gpu;
  return track;
}

}  // namespace

Status Tracks::Load() {
  std::vector<query::Process> processes;
  RTL_TRY(trace_.tables().Processes(&processes));
  for (query::Process& row : processes) {
    const int64_t id = row.id;
    const auto [place, is_new] = processes_.try_emplace(id);
    if (!is_new) continue;
    Known& process = place->second;
    process.unique_pid = row.pid + pids_[row.pid]++ * kReusedPidStep;
    process.row = std::move(row);
    order_.push_back(id);
  }
  std::vector<query::Queue> queues;
  RTL_TRY(trace_.tables().Queues(&queues));
  for (const query::Queue& queue : queues) queues_.emplace(queue.id, queue);
  std::vector<query::GivenName> names;
  RTL_TRY(trace_.tables().GivenNames(&names));
  for (const query::GivenName& given : names) {
    names_.insert_or_assign({given.process, given.kind, given.target},
                            " \"" + Utf8(given.name) + '"');
  }
  RTL_TRY(query::OwnGpuNumbers(trace_, &own_gpus_));
  RTL_TRY(query::NameGpus(trace_, &gpus_));
  return LoadStreams();
}

// The name of a GPU, with its place if the trace has several GPUs: "GPU 1 (03:00.0, rank 1)".
std::string Tracks::GpuName(int32_t gpu) const {
  const auto known = gpus_.find(gpu);
  const std::string place = known == gpus_.end() ? "" : Utf8(known->second.place);
  return "GPU " + std::to_string(gpu) + (place.empty() ? "" : " (" + place + ")");
}

// The name that the process has given to a device, which the process identifies by its own number.
std::string Tracks::DeviceName(int64_t process, int32_t gpu) const {
  const auto own = own_gpus_.find({process, gpu});
  return NameOf(process, "device",
                own == own_gpus_.end() ? static_cast<uint32_t>(gpu) : own->second);
}

Status Tracks::LoadStreams() {
  std::vector<query::Stream> streams;
  RTL_TRY(trace_.tables().Streams(&streams));
  std::map<int64_t, uint64_t> streams_of;  // the number of streams of each process
  for (const query::Stream& stream : streams) {
    uint64_t& most = streams_of[stream.process];
    most = std::max(most, stream.stream + 1);
    if (!stream.name.empty()) {
      stream_names_.insert_or_assign({stream.process, static_cast<int64_t>(stream.stream)},
                                     Utf8(stream.name));
    }
  }
  std::map<int64_t, uint64_t> queues_of;
  for (const auto& [id, queue] : queues_) {
    uint64_t& most = queues_of[queue.process];
    most = std::max<uint64_t>(most, queue.queue);
  }
  for (const int64_t id : order_) {
    Numbers& numbers = processes_[id].numbers;
    numbers.streams = last_stream_ + 1;
    numbers.queues = last_stream_ + streams_of[id];
    last_stream_ = numbers.queues + queues_of[id];
  }
  return Status::Ok();
}

Status Tracks::Finish() {
  for (const int64_t id : order_) {
    Known* process = nullptr;
    RTL_TRY(ProcessTrack(id, processes_[id].row.pid, &process));
  }
  return Status::Ok();
}

// Returns ` "name"` with the name that the application gave; empty if it gave none.
std::string Tracks::NameOf(int64_t process, const char* kind, uint64_t target) const {
  const auto name = names_.find({process, kind, target});
  return name == names_.end() ? std::string() : name->second;
}

const query::Queue* Tracks::FindQueue(int64_t id) const {
  const auto queue = queues_.find(id);
  return queue == queues_.end() ? nullptr : &queue->second;
}

Status Tracks::ProcessTrack(int64_t id, uint32_t pid, Known** out) {
  const auto [place, is_new] = processes_.try_emplace(id);
  Known& process = place->second;
  *out = &process;
  if (is_new) {  // events of a process that the trace does not list
    process.row.id = id;
    process.row.pid = pid;
    process.unique_pid = pid + pids_[pid]++ * kReusedPidStep;
    process.numbers = {last_stream_ + 1, last_stream_};
  }
  if (process.track != 0) return Status::Ok();
  process.track = ++last_track_;
  Track track = TrackOf(TrackKind::kProcess, id, process.row.pid);
  track.id = process.track;
  track.unique_pid = process.unique_pid;
  const std::string& executable = process.row.executable;
  track.name = Utf8(executable.substr(executable.rfind('/') + 1));
  track.detail = Utf8(process.row.command);
  if (process.row.rank >= 0) {
    track.name = "rank " + std::to_string(process.row.rank) + ": " + track.name;
  }
  if (track.name.empty()) track.name = "process " + std::to_string(track.pid);
  track.title = track.name;
  return sink_->OnTrack(track);
}

Status Tracks::GpuTrack(const Known& process, int32_t gpu, TrackId* id) {
  TrackId& known = gpu_tracks_[{process.row.id, gpu}];
  if (known == 0) {
    known = ++last_track_;
    Track track = TrackOf(TrackKind::kGpu, process.row.id, process.row.pid, gpu);
    track.id = known;
    track.parent = process.track;
    track.unique_pid = process.unique_pid;
    track.order = OrderOf(kThirdGroup, static_cast<uint64_t>(gpu));
    track.name = GpuName(gpu) + DeviceName(process.row.id, gpu);
    track.title = track.name;
    RTL_TRY(sink_->OnTrack(track));
  }
  *id = known;
  return Status::Ok();
}

Status Tracks::Lane(std::vector<TrackId>* tracks, Track like, size_t lane) {
  if (lane < tracks->size()) return Status::Ok();
  Known* process = nullptr;
  RTL_TRY(ProcessTrack(like.process, like.pid, &process));
  like.unique_pid = process->unique_pid;
  like.parent = process->track;
  if (like.gpu >= 0) RTL_TRY(GpuTrack(*process, like.gpu, &like.parent));
  const std::string name = like.name;
  const std::string title = like.title;
  const int32_t order = like.order;
  for (size_t made = tracks->size(); made <= lane; ++made) {
    const std::string suffix = made == 0 ? "" : " (" + std::to_string(made + 1) + ")";
    like.id = ++last_track_;
    like.lane = static_cast<uint32_t>(made);
    like.order = order + static_cast<int32_t>(made);
    like.name = name + suffix;
    like.title = title + suffix;
    tracks->push_back(like.id);
    RTL_TRY(sink_->OnTrack(like));
  }
  return Status::Ok();
}

Track Tracks::ThreadLike(int64_t process, uint32_t pid, uint32_t tid) const {
  Track track = TrackOf(TrackKind::kThread, process, pid);
  track.tid = tid;
  track.order = OrderOf(kFirstGroup, tid);
  track.name = track.title = "thread " + std::to_string(tid) + NameOf(process, "thread", tid);
  return track;
}

Track Tracks::RangesLike(int64_t process, uint32_t pid) {
  Track track = TrackOf(TrackKind::kRanges, process, pid);
  track.order = OrderOf(kSecondGroup, 0);
  track.name = track.title = "roctx ranges";
  return track;
}

Track Tracks::EventsLike(int64_t process, uint32_t pid, EventKind kind, const char* name) {
  Track track = TrackOf(TrackKind::kEvents, process, pid);
  track.order = OrderOf(kSecondGroup, 1 + static_cast<uint64_t>(kind));
  track.name = track.title = name;
  return track;
}

Track Tracks::StreamLike(int64_t process, uint32_t pid, int32_t gpu, int64_t stream) const {
  Track track = TrackOf(TrackKind::kStream, process, pid, gpu);
  track.order = OrderOf(kSecondGroup, static_cast<uint64_t>(stream));
  const auto known = processes_.find(process);
  if (known != processes_.end()) {
    track.stream = known->second.numbers.streams + static_cast<uint64_t>(stream);
  }
  track.name = "stream " + std::to_string(stream);
  const auto name = stream_names_.find({process, stream});
  if (name != stream_names_.end()) track.name += " (" + name->second + ")";
  track.title = GpuName(gpu) + DeviceName(process, gpu) + " " + track.name;
  return track;
}

Track Tracks::QueueLike(int64_t process, uint32_t pid, int32_t gpu, int64_t id) const {
  Track track = TrackOf(TrackKind::kQueue, process, pid, gpu);
  const query::Queue* const queue = FindQueue(id);
  if (queue == nullptr) {
    track.name = "unknown queue " + std::to_string(id);
    track.order = OrderOf(kThirdGroup, kMostNumbers);
  } else {
    track.name =
        "queue " + std::to_string(queue->queue) + " (hsa " + std::to_string(queue->hsa_id) + ")";
    track.order = OrderOf(kThirdGroup, queue->queue);
    const auto known = processes_.find(process);
    if (known != processes_.end()) track.stream = known->second.numbers.queues + queue->queue;
  }
  track.title = GpuName(gpu) + DeviceName(process, gpu) + " " + track.name;
  return track;
}

Track Tracks::CounterLike(int64_t process, uint32_t pid, int32_t gpu, int32_t number,
                          const char* name, const char* unit) const {
  Track track = TrackOf(TrackKind::kCounter, process, pid, gpu);
  track.order = OrderOf(kFirstGroup, static_cast<uint64_t>(number));
  track.name = name;
  track.title = GpuName(gpu) + " " + name;
  track.detail = unit;
  return track;
}

Track Tracks::SamplesLike(int64_t process, uint32_t pid, int32_t gpu) const {
  Track track = TrackOf(TrackKind::kEvents, process, pid, gpu);
  track.order = OrderOf(kFourthGroup, kMostNumbers);
  track.name = "PC samples";
  track.title = GpuName(gpu) + " PC samples";
  return track;
}

Track Tracks::CopiesLike(const query::CopyRow& row) {
  const auto name = [this](int32_t gpu) { return gpu < 0 ? std::string("host") : GpuName(gpu); };
  const int32_t gpu = row.dst_gpu >= 0 ? row.dst_gpu : row.src_gpu;
  Track track = TrackOf(TrackKind::kCopies, row.process, row.pid, gpu);
  track.order = OrderOf(kFourthGroup, AgentOf(row.src_gpu) << 8 | AgentOf(row.dst_gpu));
  track.name = track.title = "copies " + name(row.src_gpu) + " to " + name(row.dst_gpu);
  uint64_t& stream = copy_streams_[{row.process, row.src_gpu, row.dst_gpu}];
  if (stream == 0) stream = ++last_stream_;
  track.stream = stream;
  return track;
}

}  // namespace rtl::exporting
