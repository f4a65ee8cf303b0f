// SPDX-License-Identifier: MIT
// Shared virtual memory through the runtime's own interface: attributes are set, queried, and
// changed by a prefetch.
#include <sys/mman.h>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr size_t kBytes = 64 * 4096;

uint64_t Get(void* memory, uint64_t attribute, uint64_t value = 0) {
  hsa_amd_svm_attribute_pair_t pair = {attribute, value};
  HSA_CHECK(hsa_amd_svm_attributes_get(memory, kBytes, &pair, 1));
  return attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY ? pair.attribute : pair.value;
}

void Set(void* memory, uint64_t attribute, uint64_t value) {
  hsa_amd_svm_attribute_pair_t pair = {attribute, value};
  HSA_CHECK(hsa_amd_svm_attributes_set(memory, kBytes, &pair, 1));
}

void Prefetch(void* memory, hsa_agent_t agent) {
  hsa_signal_t done;
  HSA_CHECK(hsa_signal_create(1, 0, nullptr, &done));
  HSA_CHECK(hsa_amd_svm_prefetch_async(memory, kBytes, agent, 0, nullptr, done));
  hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  HSA_CHECK(hsa_signal_destroy(done));
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  bool supported = false;
  HSA_CHECK(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, &supported));
  Expect(supported, "shared virtual memory is supported");
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) Die("mmap", "no memory");
  std::memset(memory, 1, kBytes);

  const uint64_t gpu = machine.gpu.handle;
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS,
         "no GPU has access by itself");
  Set(memory, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE,
         "access that was given");
  Set(memory, HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_READ_MOSTLY) != 0, "a flag that was set");
  Set(memory, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, gpu);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == gpu, "a preferred location");

  Prefetch(memory, machine.gpu);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) == gpu, "a prefetch to the GPU");
  Prefetch(memory, machine.cpu);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) == machine.cpu.handle,
         "a prefetch to the host");
  Set(memory, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, gpu);
  Expect(Get(memory, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS,
         "access that was taken away");
  (void)munmap(memory, kBytes);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
