// SPDX-License-Identifier: MIT
// ioctl_svm.cpp: the driver call about shared virtual memory.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <vector>

#include "vgpu/kfd/ioctls.h"

namespace vgpu {
namespace {

static_assert(offsetof(SvmArgs, attributes) == sizeof(kfd_ioctl_svm_args));

constexpr uint32_t kKnownFlags = 0xff;

bool IsLocation(uint32_t value) { return value == SvmAttributes::kHost || GpuOfId(value) >= 0; }

// False for an attribute that the driver refuses.
bool ReadChange(const kfd_ioctl_svm_attribute& attribute, SvmChange* change) {
  if (attribute.type > KFD_IOCTL_SVM_ATTR_GRANULARITY) return false;
  const uint32_t value = attribute.value;
  *change = {static_cast<SvmChange::Kind>(attribute.type), value};
  switch (change->kind) {
    case SvmChange::Kind::kPreferred:
      return IsLocation(value) || value == SvmAttributes::kUndefined;
    case SvmChange::Kind::kPrefetch:
      return IsLocation(value);
    case SvmChange::Kind::kAccess:
    case SvmChange::Kind::kInPlace:
    case SvmChange::Kind::kNoAccess:
      change->value = static_cast<uint32_t>(GpuOfId(value));
      return GpuOfId(value) >= 0;
    case SvmChange::Kind::kSetFlags:
    case SvmChange::Kind::kClearFlags:
      return (value & ~kKnownFlags) == 0;
    case SvmChange::Kind::kGranularity:
      return true;
  }
  return false;
}
static_assert(static_cast<uint32_t>(SvmChange::Kind::kNoAccess) == KFD_IOCTL_SVM_ATTR_NO_ACCESS);
static_assert(static_cast<uint32_t>(SvmChange::Kind::kGranularity) ==
              KFD_IOCTL_SVM_ATTR_GRANULARITY);

bool FillIn(const SvmSummary& summary, kfd_ioctl_svm_attribute* attribute) {
  switch (attribute->type) {
    case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
      attribute->value = summary.all.preferred;
      return true;
    case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
      attribute->value = summary.all.prefetch;
      return true;
    case KFD_IOCTL_SVM_ATTR_ACCESS: {  // the caller names the GPU, and gets the kind of access
      const int gpu = GpuOfId(attribute->value);
      if (gpu < 0) return false;
      const bool access = (summary.all.access >> gpu & 1) != 0;
      const bool in_place = (summary.all.in_place >> gpu & 1) != 0;
      attribute->type = access     ? KFD_IOCTL_SVM_ATTR_ACCESS
                        : in_place ? KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE
                                   : KFD_IOCTL_SVM_ATTR_NO_ACCESS;
      return true;
    }
    case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
      attribute->value = summary.all.flags;
      return true;
    case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
      attribute->value = ~summary.flags_of_any;
      return true;
    case KFD_IOCTL_SVM_ATTR_GRANULARITY:
      attribute->value = summary.all.granularity;
      return true;
    default:
      return false;
  }
}

// Whether the process has mappings at all of these addresses.
bool IsMapped(uint64_t va, uint64_t bytes, uint64_t page) {
  std::vector<unsigned char> residency(bytes / page);
  return mincore(reinterpret_cast<void*>(va), bytes, residency.data()) == 0;
}

int SetAttributes(Driver& driver, const SvmArgs& args,
                  std::span<const kfd_ioctl_svm_attribute> attributes) {
  std::vector<SvmChange> changes(attributes.size());
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (!ReadChange(attributes[i], &changes[i])) return -EINVAL;
  }
  return driver.svm.Set(args.start_addr, args.size, changes);
}

int GetAttributes(const Driver& driver, const SvmArgs& args,
                  std::span<kfd_ioctl_svm_attribute> attributes) {
  const SvmSummary summary = driver.svm.Get(args.start_addr, args.size);
  for (kfd_ioctl_svm_attribute& attribute : attributes) {
    if (!FillIn(summary, &attribute)) return -EINVAL;
  }
  return 0;
}

}  // namespace

int Svm(Driver& driver, SvmArgs& args) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t end = args.start_addr + args.size;
  if (args.start_addr % page != 0 || args.size % page != 0) return -EINVAL;
  if (args.start_addr == 0 || end <= args.start_addr) return -EINVAL;
  if (args.nattr > std::size(args.attributes)) return -EINVAL;
  if (!IsMapped(args.start_addr, args.size, page)) return -EFAULT;
  const std::span attributes(args.attributes, args.nattr);
  switch (args.op) {
    case KFD_IOCTL_SVM_OP_SET_ATTR:
      return SetAttributes(driver, args, attributes);
    case KFD_IOCTL_SVM_OP_GET_ATTR:
      return GetAttributes(driver, args, attributes);
    default:
      return -EINVAL;
  }
}

}  // namespace vgpu
