// SPDX-License-Identifier: MIT
// The kernels of `rtl selftest`, compiled for each target and without any library of the device.
// Workgroups have 256 work-items in one dimension.

#define INDEX (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())

kernel void rtl_selftest_add(global int* data, int value) { data[INDEX] += value; }

// One work-item adds, so that launches of many streams can share a number.
kernel void rtl_selftest_count(global int* count) {
  if (INDEX == 0) __opencl_atomic_fetch_add((global atomic_int*)count, 1, memory_order_relaxed,
                                            memory_scope_device);
}

kernel void rtl_selftest_long(global int* data, int rounds) {
  int value = data[INDEX];
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  data[INDEX] = value;
}

// Each wave of the second kernel executes 64 vector and 32 scalar instructions more than one of the
// first, whatever the compiler makes of the rest.
kernel void rtl_selftest_known_less(global int* data) {
  int vector = data[INDEX];
  __asm__ volatile("v_mov_b32 %0, %0" : "+v"(vector));
  data[INDEX] = vector;
}
kernel void rtl_selftest_known_more(global int* data) {
  int vector = data[INDEX];
  __asm__ volatile("v_mov_b32 %0, %0" : "+v"(vector));
  __asm__ volatile(".rept 64\n v_mov_b32 %0, %0\n .endr" : "+v"(vector));
  __asm__ volatile(".rept 32\n s_mov_b32 s20, s20\n .endr" ::: "s20");
  data[INDEX] = vector;
}

// Writes to an address that the host chooses: one that is not mapped ends the queue.
kernel void rtl_selftest_fault(global int* nowhere) { nowhere[INDEX] = 1; }

// Line 1000 is the hot one: checks_more.cpp knows the number.
kernel void rtl_selftest_hot(global int* data, int rounds) {
  int value = data[INDEX];
  for (int i = 0; i < rounds; ++i) {
#line 1000
    __asm__ volatile(".rept 64\n v_mov_b32 %0, %0\n .endr" : "+v"(value));
#line 2000
  }
  data[INDEX] = value;
}
