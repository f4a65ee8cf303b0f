// SPDX-License-Identifier: MIT
// How an application learns that something has ended: the fake runtime's waits, which check once,
// and its handlers.
#include "tests/support/fake_hsa.h"

namespace rtl::support {
namespace {

int64_t Read(hsa_signal_t signal) {
  return __atomic_load_n(&Memory(signal)->value, __ATOMIC_ACQUIRE);
}

}  // namespace

struct FakeWaitCalls {
  static hsa_signal_value_t Wait(hsa_signal_t signal, hsa_signal_condition_t, hsa_signal_value_t,
                                 uint64_t, hsa_wait_state_t) {
    return Read(signal);
  }

  static uint32_t WaitAny(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t*,
                          hsa_signal_value_t*, uint64_t, hsa_wait_state_t, hsa_signal_value_t*) {
    for (uint32_t i = 0; i < count; ++i) {
      if (Read(signals[i]) < 1) return i;
    }
    return UINT32_MAX;
  }

  static uint32_t WaitAll(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t*,
                          hsa_signal_value_t*, uint64_t, hsa_wait_state_t, hsa_signal_value_t*) {
    for (uint32_t i = 0; i < count; ++i) {
      if (Read(signals[i]) >= 1) return UINT32_MAX;
    }
    return 0;
  }

  // The fake's group is a list of signals, ended by none.
  static hsa_status_t WaitGroup(hsa_signal_group_t group, const hsa_signal_condition_t*,
                                const hsa_signal_value_t*, hsa_wait_state_t, hsa_signal_t* signal,
                                hsa_signal_value_t* value) {
    for (auto* one = reinterpret_cast<const hsa_signal_t*>(group.handle); one->handle != 0; ++one) {
      if (Read(*one) >= 1) continue;
      *signal = *one;
      *value = Read(*one);
      return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR;
  }

  static hsa_signal_value_t Exchange(hsa_signal_t signal, hsa_signal_value_t value) {
    return __atomic_exchange_n(&Memory(signal)->value, value, __ATOMIC_ACQ_REL);
  }

  static hsa_signal_value_t Swap(hsa_signal_t signal, hsa_signal_value_t expected,
                                 hsa_signal_value_t value) {
    (void)__atomic_compare_exchange_n(&Memory(signal)->value, &expected, value, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
  }

  static hsa_status_t Handle(hsa_signal_t signal, hsa_signal_condition_t, hsa_signal_value_t,
                             hsa_amd_signal_handler handler, void* data) {
    FakeHsa& fake = *FakeHsa::current_;
    hsa_status_t status;
    if (fake.Faulty(HsaSlot::amd_signal_async_handler, &status)) return status;
    fake.handlers_.push_back({signal, handler, data});
    return HSA_STATUS_SUCCESS;
  }
};

void FakeHsa::PutWaitCalls() {
  const auto put = [this](std::initializer_list<HsaSlot> slots, auto function) {
    for (const HsaSlot slot : slots) Put(slot, reinterpret_cast<void*>(function));
  };
  put({HsaSlot::signal_wait_relaxed, HsaSlot::signal_wait_scacquire}, &FakeWaitCalls::Wait);
  put({HsaSlot::amd_signal_wait_any}, &FakeWaitCalls::WaitAny);
  put({HsaSlot::amd_signal_wait_all}, &FakeWaitCalls::WaitAll);
  put({HsaSlot::signal_group_wait_any_relaxed, HsaSlot::signal_group_wait_any_scacquire},
      &FakeWaitCalls::WaitGroup);
  put({HsaSlot::signal_exchange_relaxed, HsaSlot::signal_exchange_scacquire,
       HsaSlot::signal_exchange_screlease, HsaSlot::signal_exchange_scacq_screl},
      &FakeWaitCalls::Exchange);
  put({HsaSlot::signal_cas_relaxed, HsaSlot::signal_cas_scacquire, HsaSlot::signal_cas_screlease,
       HsaSlot::signal_cas_scacq_screl},
      &FakeWaitCalls::Swap);
  put({HsaSlot::amd_signal_async_handler}, &FakeWaitCalls::Handle);
}

int64_t FakeHsa::Load(hsa_signal_t signal) {
  return Call<decltype(&hsa_signal_load_scacquire)>(HsaSlot::signal_load_scacquire)(signal);
}

int64_t FakeHsa::Wait(hsa_signal_t signal) {
  return Call<decltype(&hsa_signal_wait_scacquire)>(HsaSlot::signal_wait_scacquire)(
      signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

uint32_t FakeHsa::WaitForAny(std::vector<hsa_signal_t> signals) {
  std::vector<hsa_signal_condition_t> conditions(signals.size(), HSA_SIGNAL_CONDITION_LT);
  std::vector<hsa_signal_value_t> values(signals.size(), 1);
  return Call<decltype(&hsa_amd_signal_wait_any)>(HsaSlot::amd_signal_wait_any)(
      static_cast<uint32_t>(signals.size()), signals.data(), conditions.data(), values.data(),
      UINT64_MAX, HSA_WAIT_STATE_BLOCKED, nullptr);
}

uint32_t FakeHsa::WaitForAll(std::vector<hsa_signal_t> signals) {
  std::vector<hsa_signal_condition_t> conditions(signals.size(), HSA_SIGNAL_CONDITION_LT);
  std::vector<hsa_signal_value_t> values(signals.size(), 1);
  return Call<capture::SignalWaitAll>(HsaSlot::amd_signal_wait_all)(
      static_cast<uint32_t>(signals.size()), signals.data(), conditions.data(), values.data(),
      UINT64_MAX, HSA_WAIT_STATE_BLOCKED, nullptr);
}

hsa_signal_t FakeHsa::WaitForGroup(const std::vector<hsa_signal_t>& signals) {
  std::vector<hsa_signal_t> group = signals;
  group.push_back({});
  hsa_signal_t signal = {};
  hsa_signal_value_t value = 0;
  (void)Call<decltype(&hsa_signal_group_wait_any_scacquire)>(
      HsaSlot::signal_group_wait_any_scacquire)({reinterpret_cast<uint64_t>(group.data())}, nullptr,
                                                nullptr, HSA_WAIT_STATE_BLOCKED, &signal, &value);
  return signal;
}

int64_t FakeHsa::Exchange(hsa_signal_t signal, int64_t value) {
  return Call<decltype(&hsa_signal_exchange_scacquire)>(HsaSlot::signal_exchange_scacquire)(signal,
                                                                                            value);
}

int64_t FakeHsa::Swap(hsa_signal_t signal, int64_t expected, int64_t value) {
  return Call<decltype(&hsa_signal_cas_scacquire)>(HsaSlot::signal_cas_scacquire)(signal, expected,
                                                                                  value);
}

hsa_status_t FakeHsa::Handle(hsa_signal_t signal, hsa_amd_signal_handler handler, void* data) {
  return Call<decltype(&hsa_amd_signal_async_handler)>(HsaSlot::amd_signal_async_handler)(
      signal, HSA_SIGNAL_CONDITION_LT, 1, handler, data);
}

size_t FakeHsa::CallHandlers() {
  size_t called = 0;
  std::vector<Handler> left;
  for (const Handler& handler : handlers_) {
    const bool due = Read(handler.signal) < 1;
    called += due;
    if (!due || handler.call(Read(handler.signal), handler.data)) left.push_back(handler);
  }
  handlers_ = left;
  return called;
}

}  // namespace rtl::support
