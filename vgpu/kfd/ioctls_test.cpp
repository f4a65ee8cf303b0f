// SPDX-License-Identifier: MIT
#include "vgpu/kfd/ioctls.h"

#include <drm/amdgpu_drm.h>
#include <drm/drm.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "vgpu/clock/clock.h"
#include "vgpu/kfd/mmap_offset.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/interrupts.h"

namespace vgpu {
namespace {

constexpr uint64_t kVa = 0x7000'0000'0000;
constexpr uint32_t kVram = KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
constexpr uint32_t kGtt = KFD_IOC_ALLOC_MEM_FLAGS_GTT;

class KfdCalls : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(GetDriver(), nullptr); }

  template <class Args>
  static int Call(unsigned long request, Args* args) {
    return KfdIoctl(*GetDriver(), request, args);
  }

  static kfd_ioctl_alloc_memory_of_gpu_args Allocate(uint64_t va, uint64_t bytes, uint32_t flags) {
    kfd_ioctl_alloc_memory_of_gpu_args args{};
    args.va_addr = va;
    args.size = bytes;
    args.gpu_id = GpuIdOf(0);
    args.flags = flags;
    EXPECT_EQ(Call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args), 0);
    return args;
  }

  static int Map(uint64_t handle) {
    uint32_t gpu_id = GpuIdOf(0);
    kfd_ioctl_map_memory_to_gpu_args args{};
    args.handle = handle;
    args.device_ids_array_ptr = reinterpret_cast<uint64_t>(&gpu_id);
    args.n_devices = 1;
    const int error = Call(AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args);
    EXPECT_EQ(args.n_success, error == 0 ? 1u : 0u);
    return error;
  }

  static void Release(uint64_t handle) {
    uint32_t gpu_id = GpuIdOf(0);
    kfd_ioctl_unmap_memory_from_gpu_args unmap{};
    unmap.handle = handle;
    unmap.device_ids_array_ptr = reinterpret_cast<uint64_t>(&gpu_id);
    unmap.n_devices = 1;
    EXPECT_EQ(Call(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &unmap), 0);
    kfd_ioctl_free_memory_of_gpu_args args{};
    args.handle = handle;
    EXPECT_EQ(Call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args), 0);
  }
};

TEST_F(KfdCalls, ReportTheConfiguredVersion) {
  kfd_ioctl_get_version_args args{};
  ASSERT_EQ(Call(AMDKFD_IOC_GET_VERSION, &args), 0);
  EXPECT_EQ(args.major_version, 1u);
  EXPECT_EQ(args.minor_version, static_cast<uint32_t>(GetConfig().kfd_minor));
}

TEST_F(KfdCalls, NameACallThatIsNotModelled) {
  char argument[64] = {};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Call(_IOWR('K', 0x22, argument), argument), -EINVAL);
  EXPECT_EQ(Call(_IOWR('K', 0x7f, argument), argument), -EINVAL);
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(lines.find("driver call 0x22 (CRIU_OP, 64 bytes) is not modelled"), std::string::npos);
  EXPECT_NE(lines.find("driver call 0x7f (unknown, 64 bytes) is not modelled"), std::string::npos);
}

TEST_F(KfdCalls, PrintNothingWhenARuntimeOnlyProbes) {
  char argument[40] = {};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Call(_IOWR('K', 0x82, argument), argument), -EINVAL);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(KfdCalls, OfOtherDriversAreRefused) {
  int argument = 0;
  EXPECT_EQ(Call(_IOWR('X', 0x01, int), &argument), -ENOTTY);
  EXPECT_EQ(Call<int>(AMDKFD_IOC_GET_VERSION, nullptr), -EFAULT);
}

TEST_F(KfdCalls, TakeArgumentsOfOlderAndNewerCallers) {
  struct Longer {
    kfd_ioctl_get_version_args known;
    uint64_t unknown;
  } longer{{}, 77};
  ASSERT_EQ(Call(_IOR('K', 0x01, Longer), &longer), 0);
  EXPECT_EQ(longer.known.major_version, 1u);
  EXPECT_EQ(longer.unknown, 77u);
  uint32_t shorter[2] = {0, 77};
  ASSERT_EQ(Call(_IOR('K', 0x01, uint32_t), shorter), 0);
  EXPECT_EQ(shorter[0], 1u);
  EXPECT_EQ(shorter[1], 77u);  // the caller did not pass it
}

TEST_F(KfdCalls, ReadAllClocksAtOneMoment) {
  kfd_ioctl_get_clock_counters_args args{};
  args.gpu_id = GpuIdOf(0);
  const uint64_t before = HostRawNs();
  ASSERT_EQ(Call(AMDKFD_IOC_GET_CLOCK_COUNTERS, &args), 0);
  EXPECT_GE(args.cpu_clock_counter, before);
  EXPECT_LE(args.cpu_clock_counter, HostRawNs());
  EXPECT_EQ(args.gpu_clock_counter, TicksAt(args.cpu_clock_counter));
  EXPECT_EQ(args.system_clock_freq, 1'000'000'000u);
  args.gpu_id = 0;  // the host's node
  ASSERT_EQ(Call(AMDKFD_IOC_GET_CLOCK_COUNTERS, &args), 0);
  EXPECT_EQ(args.gpu_clock_counter, 0u);
}

TEST_F(KfdCalls, DescribeTheApertures) {
  kfd_ioctl_get_process_apertures_new_args args{};
  ASSERT_EQ(Call(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args), 0);
  EXPECT_EQ(args.num_of_nodes, 1u);
  kfd_process_device_apertures apertures[4] = {};
  args.num_of_nodes = 4;
  args.kfd_process_device_apertures_ptr = reinterpret_cast<uint64_t>(apertures);
  ASSERT_EQ(Call(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args), 0);
  EXPECT_EQ(args.num_of_nodes, 1u);
  EXPECT_EQ(apertures[0].gpu_id, GpuIdOf(0));
  EXPECT_EQ(apertures[0].lds_base, uint64_t{1} << 48);
  EXPECT_EQ(apertures[0].scratch_limit, (uint64_t{2} << 48) + 0xffffffff);
}

TEST_F(KfdCalls, RefuseXnack) {
  kfd_ioctl_set_xnack_mode_args args{};
  args.xnack_enabled = -1;
  EXPECT_EQ(Call(AMDKFD_IOC_SET_XNACK_MODE, &args), 0);
  EXPECT_EQ(args.xnack_enabled, 0);
  EXPECT_EQ(Call(AMDKFD_IOC_SET_XNACK_MODE, &args), 0);
  args.xnack_enabled = 1;
  EXPECT_EQ(Call(AMDKFD_IOC_SET_XNACK_MODE, &args), -EPERM);
}

TEST_F(KfdCalls, AllocateMapAndReleaseMemory) {
  const auto object = Allocate(kVa, 8192, kVram);
  ASSERT_EQ(Map(object.handle), 0);
  EXPECT_NE(Translate(0, kVa, 8192), nullptr);
  Release(object.handle);
  EXPECT_EQ(Translate(0, kVa, 1), nullptr);
}

TEST_F(KfdCalls, RefuseMemoryOfNoKindAndOfTwoKinds) {
  kfd_ioctl_alloc_memory_of_gpu_args args{};
  args.va_addr = kVa;
  args.size = 4096;
  args.gpu_id = GpuIdOf(0);
  EXPECT_EQ(Call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args), -EINVAL);
  args.flags = kVram | kGtt;
  EXPECT_EQ(Call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args), -EINVAL);
  args.flags = kVram;
  args.gpu_id = 1;
  EXPECT_EQ(Call(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args), -EINVAL);
}

TEST_F(KfdCalls, RefuseToMapOnUnknownGpus) {
  const auto object = Allocate(kVa, 4096, kVram);
  uint32_t gpu_id = 1;
  kfd_ioctl_map_memory_to_gpu_args args{};
  args.handle = object.handle;
  args.device_ids_array_ptr = reinterpret_cast<uint64_t>(&gpu_id);
  args.n_devices = 1;
  EXPECT_EQ(Call(AMDKFD_IOC_MAP_MEMORY_TO_GPU, &args), -EINVAL);
  ASSERT_EQ(Map(object.handle), 0);
  Release(object.handle);
}

TEST_F(KfdCalls, ReportHowMuchVramIsLeft) {
  kfd_ioctl_get_available_memory_args before{};
  before.gpu_id = GpuIdOf(0);
  constexpr unsigned long kAvailable = AMDKFD_IOWR(0x23, kfd_ioctl_get_available_memory_args);
  ASSERT_EQ(Call(kAvailable, &before), 0);
  const auto object = Allocate(kVa, 1 << 20, kVram);
  kfd_ioctl_get_available_memory_args after = before;
  ASSERT_EQ(Call(kAvailable, &after), 0);
  EXPECT_EQ(before.available - after.available, 1u << 20);
  ASSERT_EQ(Map(object.handle), 0);
  Release(object.handle);
}

TEST_F(KfdCalls, GiveEventsTheirPage) {
  const auto page = Allocate(kVa, KFD_SIGNAL_EVENT_LIMIT * 8, kGtt);
  kfd_ioctl_create_event_args args{};
  args.event_page_offset = page.handle;
  args.event_type = KFD_IOC_EVENT_SIGNAL;
  ASSERT_EQ(Call(AMDKFD_IOC_CREATE_EVENT, &args), 0);
  EXPECT_EQ(args.event_slot_index, args.event_id);
  EXPECT_EQ(args.event_trigger_data, args.event_id);
  const auto* slots = reinterpret_cast<const uint64_t*>(
      GetDriver()->memory.HostAddressOf(page.handle, KFD_SIGNAL_EVENT_LIMIT * 8));
  EXPECT_EQ(slots[args.event_id], ~uint64_t{0});

  kfd_ioctl_create_event_args bad{};
  bad.event_page_offset = 0x1234;
  bad.event_type = KFD_IOC_EVENT_SIGNAL;
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_EVENT, &bad), -EINVAL);

  RaiseEvent(args.event_id);
  kfd_event_data data{};
  data.event_id = args.event_id;
  kfd_ioctl_wait_events_args wait{};
  wait.events_ptr = reinterpret_cast<uint64_t>(&data);
  wait.num_events = 1;
  EXPECT_EQ(Call(AMDKFD_IOC_WAIT_EVENTS, &wait), 0);
  EXPECT_EQ(wait.wait_result, static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
}

TEST_F(KfdCalls, NameAnInterruptForAnEventThatDoesNotExist) {
  ::testing::internal::CaptureStderr();
  RaiseEvent(4000);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("event 4000"), std::string::npos);
}

TEST_F(KfdCalls, CreateAndDestroyQueues) {
  const auto object = Allocate(kVa, 8192, kGtt);
  ASSERT_EQ(Map(object.handle), 0);
  kfd_ioctl_create_queue_args args{};
  args.gpu_id = GpuIdOf(0);
  args.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
  args.queue_percentage = 100;
  args.ring_base_address = kVa;
  args.ring_size = 4096;
  args.write_pointer_address = kVa + 4096;
  args.read_pointer_address = kVa + 4096 + 128;
  ASSERT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), 0);
  kfd_ioctl_set_xnack_mode_args xnack{};
  EXPECT_EQ(Call(AMDKFD_IOC_SET_XNACK_MODE, &xnack), -EBUSY);
  xnack.xnack_enabled = -1;
  EXPECT_EQ(Call(AMDKFD_IOC_SET_XNACK_MODE, &xnack), 0);
  EXPECT_EQ(TypeOfOffset(args.doorbell_offset), OffsetType::kDoorbell);
  EXPECT_EQ(GpuIdOfOffset(args.doorbell_offset), GpuIdOf(0));
  const uint64_t queues = GetDriver()->queues.Counts().queues;

  kfd_ioctl_update_queue_args update{};
  update.queue_id = args.queue_id;
  EXPECT_EQ(Call(AMDKFD_IOC_UPDATE_QUEUE, &update), 0);
  kfd_ioctl_destroy_queue_args destroy{};
  destroy.queue_id = args.queue_id;
  EXPECT_EQ(Call(AMDKFD_IOC_DESTROY_QUEUE, &destroy), 0);
  EXPECT_EQ(GetDriver()->queues.Counts().queues, queues - 1);
  EXPECT_EQ(Call(AMDKFD_IOC_DESTROY_QUEUE, &destroy), -EINVAL);
  EXPECT_EQ(Call(AMDKFD_IOC_UPDATE_QUEUE, &update), -EINVAL);
  Release(object.handle);
}

TEST_F(KfdCalls, RefuseQueuesThatCannotWork) {
  const auto object = Allocate(kVa, 8192, kGtt);
  ASSERT_EQ(Map(object.handle), 0);
  kfd_ioctl_create_queue_args good{};
  good.gpu_id = GpuIdOf(0);
  good.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
  good.ring_base_address = kVa;
  good.ring_size = 4096;
  good.write_pointer_address = kVa + 4096;
  good.read_pointer_address = kVa + 4096 + 128;

  auto args = good;
  args.ring_size = 3000;
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), -EINVAL);
  args = good;
  args.ring_base_address = kVa + (1 << 20);
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), -EINVAL);
  args = good;
  args.read_pointer_address = 0;
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), -EINVAL);
  args = good;
  args.gpu_id = 1;
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), -EINVAL);
  args = good;
  args.queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE;  // PM4 rings are not modelled
  EXPECT_EQ(Call(AMDKFD_IOC_CREATE_QUEUE, &args), -EINVAL);
  Release(object.handle);
}

TEST_F(KfdCalls, StartAfreshInAForkedChild) {
  const auto object = Allocate(kVa, 4096, kVram);
  ASSERT_EQ(Map(object.handle), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool empty = FindDriver() == nullptr && Translate(0, kVa, 1) == nullptr;
    const bool works = GetDriver() != nullptr && GetDriver()->memory.Counts().objects == 0;
    const bool mine = works && GetDriver()->pid == getpid();
    _exit(empty && mine ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE(Translate(0, kVa, 1), nullptr);
  Release(object.handle);
}

TEST(RenderNode, ReportsItsDriver) {
  char name[16] = {};
  drm_version version{};
  version.name = name;
  version.name_len = sizeof(name);
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_VERSION, &version), 0);
  EXPECT_STREQ(name, "amdgpu");
  EXPECT_EQ(version.name_len, 6u);
  EXPECT_EQ(version.version_major, 3);
}

TEST(RenderNode, CutsAndPadsItsAnswers) {
  drm_amdgpu_info_device device{};
  drm_amdgpu_info query{};
  query.query = AMDGPU_INFO_DEV_INFO;
  query.return_pointer = reinterpret_cast<uint64_t>(&device);
  query.return_size = sizeof(device);
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &query), 0);
  EXPECT_EQ(device.device_id, 0x66a1u);
  EXPECT_EQ(device.cu_active_number, 60u);
  uint32_t first[2] = {0, 77};
  query.return_pointer = reinterpret_cast<uint64_t>(first);
  query.return_size = sizeof(first[0]);
  ASSERT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &query), 0);
  EXPECT_EQ(first[0], 0x66a1u);
  EXPECT_EQ(first[1], 77u);
}

TEST(RenderNode, NamesWhatIsNotModelled) {
  ::testing::internal::CaptureStderr();
  uint32_t answer = 0;
  drm_amdgpu_info query{};
  query.query = 0x77;
  query.return_pointer = reinterpret_cast<uint64_t>(&answer);
  query.return_size = sizeof(answer);
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_AMDGPU_INFO, &query), -EINVAL);
  char argument[64] = {};
  EXPECT_EQ(DrmIoctl(0, _IOWR('d', 0x44, argument), argument), -EINVAL);
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(lines.find("query 0x77 is not modelled"), std::string::npos) << lines;
  EXPECT_NE(lines.find("call 0x44"), std::string::npos) << lines;
  EXPECT_EQ(DrmIoctl(0, _IOWR('X', 0x44, argument), argument), -ENOTTY);
}

}  // namespace
}  // namespace vgpu
