// SPDX-License-Identifier: MIT
// Kernels whose descriptors kernel_descriptor_test.cpp decodes; see tools/gen_kernel_descriptors.py.
#define ID __builtin_amdgcn_workitem_id_x()

kernel void empty() {}

kernel void add(global const float* a, global const float* b, global float* c) {
  c[ID] = a[ID] + b[ID];
}

kernel void lds(global float* p) {
  local float tile[256];
  tile[ID] = p[ID];
  __builtin_amdgcn_s_barrier();
  p[ID] = tile[255 - ID];
}

kernel void scratch(global int* p, int n) {
  int a[64];
  for (int i = 0; i < 64; i++) a[i] = p[i] * n;
  p[ID] = a[n & 63] + a[p[0] & 63];
}

kernel void heavy(global float* p) {
  float v[48];
  for (int i = 0; i < 48; i++) v[i] = p[i * 64 + ID];
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < 48; i++) v[i] = v[i] * v[(i + 1) % 48] + v[(i + 7) % 48];
  }
  for (int i = 0; i < 48; i++) p[i * 64 + ID] = v[i];
}

// Many live scalars: the loop's bounds and addresses are the same for all lanes.
kernel void scalars(global int* p, constant int* c) {
  int s[40];
  for (int i = 0; i < 40; i++) s[i] = c[i * 3];
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 40; i++) s[i] = s[i] * s[(i + 1) % 40] + s[(i + 9) % 40];
  }
  int sum = 0;
  for (int i = 0; i < 40; i++) sum ^= s[i];
  p[ID] = sum;
}
