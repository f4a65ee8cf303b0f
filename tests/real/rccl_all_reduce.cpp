// SPDX-License-Identifier: MIT
// RCCL: ranks, each on a GPU of its own, add up their data. All ranks are in one process, or each
// rank is a process. usage: rccl_all_reduce [RANKS [processes]]
#include <rccl/rccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <numeric>
#include <string>
#include <string_view>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

void RcclCheck(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) Die(what, ncclGetErrorString(result));
}

// The ranks of this process: `first` and those after it, on the GPUs of the same numbers.
struct Ranks {
  int first;
  int all;  // of the job
  std::vector<ncclComm_t> communicators;
};

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
std::vector<T> ValuesOf(int rank, int count) {
  real::Numbers numbers(static_cast<uint32_t>(rank) + 1);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(numbers.Between(-1000, 1000));
  return values;
}

template <typename T>
void TestAllReduce(const Ranks& ranks, ncclDataType_t type, const std::string& name, int count) {
  std::vector<T> sums(count);
  for (int rank = 0; rank < ranks.all; ++rank) {
    const std::vector<T> values = ValuesOf<T>(rank, count);
    for (int i = 0; i < count; ++i) sums[i] += values[i];
  }
  std::vector<std::unique_ptr<Rank<T>>> here;
  for (size_t i = 0; i < ranks.communicators.size(); ++i) {
    const int rank = ranks.first + static_cast<int>(i);
    HIP_CHECK(hipSetDevice(rank));
    here.push_back(std::make_unique<Rank<T>>(ValuesOf<T>(rank, count)));
  }
  RcclCheck(ncclGroupStart(), "ncclGroupStart");
  for (size_t i = 0; i < here.size(); ++i) {
    RcclCheck(ncclAllReduce(here[i]->in.data(), here[i]->out.data(), count, type, ncclSum,
                            ranks.communicators[i], here[i]->stream),
              "ncclAllReduce");
  }
  RcclCheck(ncclGroupEnd(), "ncclGroupEnd");
  for (size_t i = 0; i < here.size(); ++i) {
    const int rank = ranks.first + static_cast<int>(i);
    HIP_CHECK(hipSetDevice(rank));
    HIP_CHECK(hipStreamSynchronize(here[i]->stream));
    const std::string what =
        name + " " + std::to_string(count) + " on rank " + std::to_string(rank);
    Expect(here[i]->out.Get() == sums, what.c_str());
    here[i].reset();
  }
}

int TestAll(const Ranks& ranks) {
  TestAllReduce<int>(ranks, ncclInt32, "sum of ints", 1000);
  TestAllReduce<float>(ranks, ncclFloat32, "sum of floats", 5000);
  TestAllReduce<double>(ranks, ncclFloat64, "sum of doubles", 333);
  for (const ncclComm_t communicator : ranks.communicators) {
    RcclCheck(ncclCommDestroy(communicator), "ncclCommDestroy");
  }
  return ExitCode();
}

int RunInOneProcess(int count) {
  Ranks ranks = {0, count, std::vector<ncclComm_t>(count)};
  std::vector<int> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  RcclCheck(ncclCommInitAll(ranks.communicators.data(), count, devices.data()), "ncclCommInitAll");
  return TestAll(ranks);
}

int RunRank(int rank, int count, const ncclUniqueId& id) {
  HIP_CHECK(hipSetDevice(rank));
  Ranks ranks = {rank, count, std::vector<ncclComm_t>(1)};
  RcclCheck(ncclCommInitRank(ranks.communicators.data(), count, id, rank), "ncclCommInitRank");
  return TestAll(ranks);
}

// A rank in a child process; its output is read when it has ended, so that it never mixes.
struct Child {
  pid_t pid;
  int id;      // the end of a pipe that the job's id is written to
  int output;  // the end of a pipe that the child's lines come from
};

Child StartRank(int rank, int count) {
  int id[2], output[2];
  if (pipe(id) != 0 || pipe(output) != 0) Die("pipe", "it failed");
  const pid_t pid = fork();
  if (pid < 0) Die("fork", "it failed");
  if (pid > 0) {
    close(id[0]);
    close(output[1]);
    return {pid, id[1], output[0]};
  }
  close(id[1]);
  close(output[0]);
  dup2(output[1], STDOUT_FILENO);
  ncclUniqueId job;
  if (read(id[0], &job, sizeof job) != static_cast<ssize_t>(sizeof job)) Die("read", "no id");
  std::exit(RunRank(rank, count, job));
}

void Finish(const Child& child, int rank) {
  char text[4096];
  for (ssize_t got; (got = read(child.output, text, sizeof text)) > 0;) {
    std::fwrite(text, 1, static_cast<size_t>(got), stdout);
  }
  int status = 0;
  waitpid(child.pid, &status, 0);
  Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
         ("process of rank " + std::to_string(rank)).c_str());
}

// The children are forked before this process has used a GPU.
int RunInProcesses(int count) {
  std::vector<Child> children;
  for (int rank = 1; rank < count; ++rank) children.push_back(StartRank(rank, count));
  ncclUniqueId id;
  RcclCheck(ncclGetUniqueId(&id), "ncclGetUniqueId");
  for (const Child& child : children) {
    if (write(child.id, &id, sizeof id) != static_cast<ssize_t>(sizeof id)) Die("write", "no id");
  }
  RunRank(0, count, id);
  for (size_t i = 0; i < children.size(); ++i) Finish(children[i], static_cast<int>(i) + 1);
  return ExitCode();
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  const bool processes = argc > 2 && std::string_view(argv[2]) == "processes";
  return processes ? RunInProcesses(ranks) : RunInOneProcess(ranks);
}
