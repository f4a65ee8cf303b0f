// SPDX-License-Identifier: MIT
// Making calls of the fake runtime fail, and reading its signals without a call.
#include "tests/support/fake_hsa.h"

namespace rtl::support {
bool FakeHsa::Faulty(HsaSlot slot, hsa_status_t* status) {
  const size_t i = static_cast<size_t>(slot);
  ++calls_[i];
  Fault& fault = faults_[i];
  int64_t in = fault.in.load(std::memory_order_relaxed);
  if (in == 0) return false;
  *status = static_cast<hsa_status_t>(fault.status.load());
  if (in < 0) return true;
  while (in > 0 && !fault.in.compare_exchange_weak(in, in - 1)) {
  }
  return in == 1;
}

void FakeHsa::FailNth(HsaSlot slot, uint64_t n, hsa_status_t status) {
  Fault& fault = faults_[static_cast<size_t>(slot)];
  fault.status = status;
  fault.in = static_cast<int64_t>(n);
}

void FakeHsa::FailAll(HsaSlot slot, hsa_status_t status) {
  Fault& fault = faults_[static_cast<size_t>(slot)];
  fault.status = status;
  fault.in = -1;
}

void FakeHsa::FailNone(HsaSlot slot) { faults_[static_cast<size_t>(slot)].in = 0; }

int64_t FakeHsa::Value(hsa_signal_t signal) {
  return __atomic_load_n(&Memory(signal)->value, __ATOMIC_ACQUIRE);
}

void FakeHsa::SetValue(hsa_signal_t signal, int64_t value) {
  __atomic_store_n(&Memory(signal)->value, value, __ATOMIC_RELEASE);
}

uint64_t FakeHsa::StartOf(hsa_signal_t signal) {
  return __atomic_load_n(&Memory(signal)->start_ts, __ATOMIC_RELAXED);
}

uint64_t FakeHsa::EndOf(hsa_signal_t signal) {
  return __atomic_load_n(&Memory(signal)->end_ts, __ATOMIC_RELAXED);
}

}  // namespace rtl::support
