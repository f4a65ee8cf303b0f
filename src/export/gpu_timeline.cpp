// SPDX-License-Identifier: MIT
#include "export/gpu_timeline.h"

#include <cstddef>

namespace rtl::exporting {

GpuTracks* GpuTimeline::Stream(int64_t process, uint32_t pid, int32_t gpu, int64_t stream) {
  const auto [place, is_new] = gpu_tracks_.try_emplace({process, gpu, stream, -1});
  if (is_new) place->second.like = tracks_->StreamLike(process, pid, gpu, stream);
  return &place->second;
}

GpuTracks* GpuTimeline::Queue(int64_t process, uint32_t pid, int32_t gpu, int64_t queue) {
  const auto [place, is_new] = gpu_tracks_.try_emplace({process, gpu, -1, queue});
  if (is_new) place->second.like = tracks_->QueueLike(process, pid, gpu, queue);
  return &place->second;
}

GpuTracks* GpuTimeline::Copies(const query::CopyRow& row) {
  const auto [place, is_new] = copy_tracks_.try_emplace({row.process, row.src_gpu, row.dst_gpu});
  if (is_new) place->second.like = tracks_->CopiesLike(row);
  return &place->second;
}

Status GpuTimeline::StartAll() {
  for (auto& [ids, tracks] : gpu_tracks_) RTL_TRY(StartUntil(&tracks, UINT64_MAX));
  for (auto& [ids, tracks] : copy_tracks_) RTL_TRY(StartUntil(&tracks, UINT64_MAX));
  return Status::Ok();
}

Status GpuTimeline::EmitFirst(GpuTracks* tracks) {
  GpuSlice* const slice = tracks->in_flight.First();
  tracks->in_flight.Pop();
  const size_t lane = tracks->flat.lanes.Place(slice->start, slice->end);
  RTL_TRY(tracks_->Lane(&tracks->flat.tracks, tracks->like, lane));
  const TrackId track = tracks->flat.tracks[lane];
  switch (slice->what) {
    case GpuSlice::What::kKernel:
      RTL_TRY(sink_->OnKernel(track, slice->kernel));
      break;
    case GpuSlice::What::kBarrier:
      RTL_TRY(sink_->OnBarrier(track, slice->barrier));
      break;
    case GpuSlice::What::kCopy:
      RTL_TRY(sink_->OnCopy(track, slice->copy));
      break;
  }
  slices_.Give(slice);
  return Status::Ok();
}

}  // namespace rtl::exporting
