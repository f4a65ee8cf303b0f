// SPDX-License-Identifier: MIT
// Runtimes' calls about one memory object through both of the driver's device files.
#include <drm/amdgpu_drm.h>
#include <drm/drm.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "vgpu/kfd/dmabuf.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

constexpr uint64_t kBytes = 16 * kPageBytes;
constexpr uint64_t kSharedVa = 0x7300'0000'0000;

class SharingCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(GetDriver(), nullptr);
    kfd_ioctl_alloc_memory_of_gpu_args args{};
    args.size = kBytes;
    args.gpu_id = GpuIdOf(0);
    args.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
    ASSERT_EQ(Kfd(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args), 0);
    handle_ = args.handle;
    ExportDmabufArgs share{handle_, 0, 0};
    ASSERT_EQ(Kfd(_IOWR('K', 0x24, ExportDmabufArgs), &share), 0);
    dmabuf_ = static_cast<int>(share.dmabuf_fd);
  }
  void TearDown() override {
    close(dmabuf_);
    kfd_ioctl_free_memory_of_gpu_args args{handle_};
    EXPECT_EQ(Kfd(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args), 0);
  }

  template <class Args>
  static int Kfd(unsigned long request, Args* args) {
    return KfdIoctl(*GetDriver(), request, args);
  }

  uint32_t Open() {
    drm_prime_handle args{};
    args.fd = dmabuf_;
    EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args), 0);
    return args.handle;
  }
  static void Close(uint32_t buffer) {
    drm_gem_close args{};
    args.handle = buffer;
    EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_GEM_CLOSE, &args), 0);
  }
  static int Change(uint32_t buffer, uint32_t operation) {
    drm_amdgpu_gem_va args{};
    args.handle = buffer;
    args.operation = operation;
    args.va_address = kSharedVa;
    args.map_size = kBytes;
    return DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_VA, &args);
  }

  uint64_t handle_ = 0;
  int dmabuf_ = -1;
};

TEST_F(SharingCalls, MapMemoryThatWasAllocatedWithoutAnAddress) {
  const uint32_t buffer = Open();
  EXPECT_EQ(Translate(0, kSharedVa, 1), nullptr);
  ASSERT_EQ(Change(buffer, AMDGPU_VA_OP_MAP), 0);
  EXPECT_EQ(Translate(0, kSharedVa, kBytes), GetDriver()->memory.HostAddressOf(handle_, kBytes));
  ASSERT_EQ(Change(buffer, AMDGPU_VA_OP_UNMAP), 0);
  EXPECT_EQ(Translate(0, kSharedVa, 1), nullptr);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Change(buffer, AMDGPU_VA_OP_REPLACE), -EINVAL);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("operation 4 is not modelled"),
            std::string::npos);
  Close(buffer);
}

TEST_F(SharingCalls, ReachAPointOfATimelineWhenARangeHasChanged) {
  struct {
    drm_amdgpu_gem_va range;
    uint64_t point;
    uint32_t timeline, num_fences;
    uint64_t fences;
  } args{};
  drm_syncobj_create timeline{};
  drm_syncobj_create fence{};
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_CREATE, &timeline), 0);
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_CREATE, &fence), 0);
  args.range.handle = Open();
  args.range.operation = AMDGPU_VA_OP_MAP;
  args.range.va_address = kSharedVa;
  args.range.map_size = kBytes;
  args.point = 7;
  args.timeline = timeline.handle;
  args.num_fences = 1;
  args.fences = reinterpret_cast<uint64_t>(&fence.handle);
  const unsigned long request = _IOW('d', DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA, decltype(args));
  EXPECT_EQ(DrmIoctl(0, request, &args), -EINVAL);  // there is no fence yet
  EXPECT_EQ(Translate(0, kSharedVa, 1), nullptr);
  args.num_fences = 0;
  ASSERT_EQ(DrmIoctl(0, request, &args), 0);
  EXPECT_NE(Translate(0, kSharedVa, 1), nullptr);
  const auto object = GetDriver()->sync_objects.Find(timeline.handle);
  EXPECT_EQ(object->Point(), 7u);
  args.range.operation = AMDGPU_VA_OP_UNMAP;
  args.timeline = 12345;
  EXPECT_EQ(DrmIoctl(0, request, &args), -ENOENT);
  args.timeline = timeline.handle;
  args.point = 8;
  ASSERT_EQ(DrmIoctl(0, request, &args), 0);
  EXPECT_EQ(object->Point(), 8u);
  Close(args.range.handle);
}

TEST_F(SharingCalls, TellHowMuchMemoryIsInUse) {
  uint64_t used = 0;
  drm_amdgpu_info ask{};
  ask.return_pointer = reinterpret_cast<uint64_t>(&used);
  ask.return_size = sizeof(used);
  ask.query = AMDGPU_INFO_VRAM_USAGE;
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &ask), 0);
  EXPECT_EQ(used, kBytes);
  drm_amdgpu_info_vbios vbios{};
  ask.return_pointer = reinterpret_cast<uint64_t>(&vbios);
  ask.return_size = sizeof(vbios);
  ask.query = AMDGPU_INFO_VBIOS;
  ask.vbios_info.type = AMDGPU_INFO_VBIOS_INFO;
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &ask), 0);
  EXPECT_STREQ(reinterpret_cast<const char*>(vbios.name), "vgpu");
  ask.query = AMDGPU_INFO_SENSOR;
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &ask), -EINVAL);
}

TEST_F(SharingCalls, DescribeABuffer) {
  const uint32_t buffer = Open();
  drm_amdgpu_gem_create_in info{};
  drm_amdgpu_gem_op ask{};
  ask.handle = buffer;
  ask.op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO;
  ask.value = reinterpret_cast<uint64_t>(&info);
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_OP, &ask), 0);
  EXPECT_EQ(info.bo_size, kBytes);
  EXPECT_EQ(info.domains, static_cast<uint64_t>(AMDGPU_GEM_DOMAIN_VRAM));
  Close(buffer);
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_OP, &ask), 0);  // the memory is still there
}

TEST_F(SharingCalls, PassOnABuffersMetadata) {
  const uint32_t buffer = Open();
  drm_amdgpu_gem_metadata note{};
  note.handle = buffer;
  note.op = AMDGPU_GEM_METADATA_OP_SET_METADATA;
  note.data.data_size_bytes = 8;
  note.data.data[1] = 4711;
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_METADATA, &note), 0);
  drm_amdgpu_gem_metadata read{};
  read.handle = buffer;
  read.op = AMDGPU_GEM_METADATA_OP_GET_METADATA;
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_METADATA, &read), 0);
  EXPECT_EQ(read.data.data_size_bytes, 8u);
  EXPECT_EQ(read.data.data[1], 4711u);
  note.data.data_size_bytes = 1000;
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_GEM_METADATA, &note), -EINVAL);

  drm_prime_handle out{};
  out.handle = buffer;
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_PRIME_HANDLE_TO_FD, &out), 0);
  SharedBuffer shared;
  ASSERT_EQ(ReadDmabuf(out.fd, &shared), 0);
  EXPECT_EQ(shared.notes.data[1], 4711u);
  close(out.fd);
  Close(buffer);
}

TEST_F(SharingCalls, ImportAsAnObjectOfTheDriver) {
  kfd_ioctl_get_dmabuf_info_args info{};
  info.dmabuf_fd = static_cast<uint32_t>(dmabuf_);
  ASSERT_EQ(Kfd(AMDKFD_IOC_GET_DMABUF_INFO, &info), 0);
  EXPECT_EQ(info.size, kBytes);
  EXPECT_EQ(info.gpu_id, GpuIdOf(0));
  EXPECT_EQ(info.flags, static_cast<uint32_t>(KFD_IOC_ALLOC_MEM_FLAGS_VRAM));

  kfd_ioctl_import_dmabuf_args import{};
  import.va_addr = kSharedVa;
  import.gpu_id = GpuIdOf(0);
  import.dmabuf_fd = static_cast<uint32_t>(dmabuf_);
  ASSERT_EQ(Kfd(AMDKFD_IOC_IMPORT_DMABUF, &import), 0);
  EXPECT_EQ(GetDriver()->memory.HostAddressOf(import.handle, kBytes),
            GetDriver()->memory.HostAddressOf(handle_, kBytes));
  kfd_ioctl_free_memory_of_gpu_args args{import.handle};
  EXPECT_EQ(Kfd(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args), 0);
  import.gpu_id = 1;
  EXPECT_EQ(Kfd(AMDKFD_IOC_IMPORT_DMABUF, &import), -EINVAL);
  import.gpu_id = GpuIdOf(0);
  import.dmabuf_fd = 0;
  EXPECT_EQ(Kfd(AMDKFD_IOC_IMPORT_DMABUF, &import), -EINVAL);
}

TEST_F(SharingCalls, ShareByHandlesAsOlderRuntimesDo) {
  IpcExportArgs share{};
  share.handle = handle_;
  ASSERT_EQ(Kfd(_IOWR('K', 0x81, IpcExportArgs), &share), 0);
  IpcImportArgs import{};
  std::memcpy(import.share_handle, share.share_handle, sizeof(import.share_handle));
  import.va_addr = kSharedVa;
  import.gpu_id = GpuIdOf(0);
  ASSERT_EQ(Kfd(_IOWR('K', 0x80, IpcImportArgs), &import), 0);
  EXPECT_EQ(GetDriver()->memory.HostAddressOf(import.handle, kBytes),
            GetDriver()->memory.HostAddressOf(handle_, kBytes));
  kfd_ioctl_free_memory_of_gpu_args args{import.handle};
  EXPECT_EQ(Kfd(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args), 0);
  std::memset(import.share_handle, 0, sizeof(import.share_handle));
  EXPECT_EQ(Kfd(_IOWR('K', 0x80, IpcImportArgs), &import), -EINVAL);
  share.handle = 12345;
  EXPECT_EQ(Kfd(_IOWR('K', 0x81, IpcExportArgs), &share), -EINVAL);
}

}  // namespace
}  // namespace vgpu
