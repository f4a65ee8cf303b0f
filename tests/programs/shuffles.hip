// SPDX-License-Identifier: MIT
// Lanes of one wave exchange values and vote.
#include "hip_support.h"

using namespace programs;

constexpr int kWave = 64;
constexpr int kKinds = 8;

__global__ void Exchange(const int* in, int* out, unsigned long long* ballots) {
  const int lane = threadIdx.x;
  const int value = in[lane];
  int sum = value;
  for (int step = kWave / 2; step > 0; step /= 2) sum += __shfl_down(sum, step);
  out[0 * kWave + lane] = sum;
  out[1 * kWave + lane] = __shfl_up(value, 1);
  out[2 * kWave + lane] = __shfl_xor(value, 5);
  out[3 * kWave + lane] = __shfl(value, 17);
  out[4 * kWave + lane] = __shfl(value, 63 - lane);
  out[5 * kWave + lane] = __any(value == in[9]);
  out[6 * kWave + lane] = __all(value >= 0);
  const unsigned long long even = __ballot(value % 2 == 0);
  out[7 * kWave + lane] = __popcll(even & ((1ull << lane) - 1));
  if (lane == 0) ballots[0] = even;
  if (lane % 3 == 0) {
    const unsigned long long active = __ballot(1);
    if (lane == 3) ballots[1] = active;
  }
}

int main() {
  std::vector<int> in(kWave);
  for (int i = 0; i < kWave; ++i) in[i] = (i * 37) % 101;
  const DeviceArray<int> device_in(in), device_out(kKinds * kWave);
  const DeviceArray<unsigned long long> device_ballots(2);
  Launch(Exchange, dim3(1), dim3(kWave), device_in.data(), device_out.data(),
         device_ballots.data());
  const std::vector<int> out = device_out.Get();
  const std::vector<unsigned long long> ballots = device_ballots.Get();
  const auto row = [&](int kind, int lane) { return out[kind * kWave + lane]; };
  int sum = 0;
  unsigned long long even = 0, third = 0;
  for (int i = 0; i < kWave; ++i) {
    sum += in[i];
    if (in[i] % 2 == 0) even |= 1ull << i;
    if (i % 3 == 0) third |= 1ull << i;
  }

  Expect(row(0, 0) == sum, "sum by shuffles down");
  Expect(ForAll(kWave, [&](int i) { return row(1, i) == in[i == 0 ? 0 : i - 1]; }), "shuffle up");
  Expect(ForAll(kWave, [&](int i) { return row(2, i) == in[i ^ 5]; }), "shuffle xor");
  Expect(ForAll(kWave, [&](int i) { return row(3, i) == in[17]; }), "broadcast of one lane");
  Expect(ForAll(kWave, [&](int i) { return row(4, i) == in[63 - i]; }), "reversal");
  Expect(ForAll(kWave, [&](int i) { return row(5, i) != 0 && row(6, i) != 0; }), "any and all");
  Expect(ForAll(kWave,
                [&](int i) { return row(7, i) == __builtin_popcountll(even & ((1ull << i) - 1)); }),
         "rank among the set lanes");
  Expect(ballots[0] == even, "ballot of all lanes");
  Expect(ballots[1] == third, "ballot of a branch");
  return ExitCode();
}
