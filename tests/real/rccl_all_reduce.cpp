// SPDX-License-Identifier: MIT
// RCCL: two ranks in one process, each on a GPU of its own, add up their data.
#include <rccl/rccl.h>

#include <string>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

constexpr int kRanks = 2;

void RcclCheck(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) Die(what, ncclGetErrorString(result));
}

template <typename T>
struct Rank {
  explicit Rank(const std::vector<T>& values) : in(values), out(values.size()) {
    HIP_CHECK(hipStreamCreate(&stream));
  }
  ~Rank() { HIP_CHECK(hipStreamDestroy(stream)); }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;
  DeviceArray<T> in, out;
  hipStream_t stream = nullptr;
};

template <typename T>
void TestAllReduce(ncclComm_t* communicators, ncclDataType_t type, const std::string& name,
                   int count) {
  std::vector<T> values[kRanks], sums(count);
  std::vector<Rank<T>*> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    real::Numbers numbers(static_cast<uint32_t>(rank) + 1);
    values[rank].resize(count);
    for (int i = 0; i < count; ++i) {
      values[rank][i] = static_cast<T>(numbers.Between(-1000, 1000));
      sums[i] += values[rank][i];
    }
    HIP_CHECK(hipSetDevice(rank));
    ranks.push_back(new Rank<T>(values[rank]));
  }
  RcclCheck(ncclGroupStart(), "ncclGroupStart");
  for (int rank = 0; rank < kRanks; ++rank) {
    RcclCheck(ncclAllReduce(ranks[rank]->in.data(), ranks[rank]->out.data(), count, type, ncclSum,
                            communicators[rank], ranks[rank]->stream),
              "ncclAllReduce");
  }
  RcclCheck(ncclGroupEnd(), "ncclGroupEnd");
  for (int rank = 0; rank < kRanks; ++rank) {
    HIP_CHECK(hipSetDevice(rank));
    HIP_CHECK(hipStreamSynchronize(ranks[rank]->stream));
    const std::string what =
        name + " " + std::to_string(count) + " on rank " + std::to_string(rank);
    Expect(ranks[rank]->out.Get() == sums, what.c_str());
    delete ranks[rank];
  }
}

}  // namespace

int main() {
  ncclComm_t communicators[kRanks];
  const int devices[kRanks] = {0, 1};
  RcclCheck(ncclCommInitAll(communicators, kRanks, devices), "ncclCommInitAll");
  TestAllReduce<int>(communicators, ncclInt32, "sum of ints", 1000);
  TestAllReduce<float>(communicators, ncclFloat32, "sum of floats", 5000);
  TestAllReduce<double>(communicators, ncclFloat64, "sum of doubles", 333);
  for (const ncclComm_t communicator : communicators) {
    RcclCheck(ncclCommDestroy(communicator), "ncclCommDestroy");
  }
  return ExitCode();
}
