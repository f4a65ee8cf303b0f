// SPDX-License-Identifier: MIT
// A server: it does what its input says, one line each, and answers with a line. Its kernels count, so what they have
// written shows whether each ran once.
//   run N      N kernels, one after the other, and a copy back
//   storm T    T threads launch kernels until "calm", each on a stream of its own, and now and then wait for them; the
//              answer comes when each has waited once
//   graph N    a graph of ten kernels, launched N times
//   calm       ends the storm; the answer has the number of kernels
//   spawn      starts itself as a child, which uses the GPU as well
//   fork       makes a child that uses nothing, and ends with this process
//   child LINE the child that was spawned does what the line says
//   write MS   writes more into a pipe than it has room for; the other end is read after so many milliseconds
//   become ADDRESS BYTES  executes itself as a program that uses no GPU, has memory of its own there, and says at the end
//              of its input whether it is as it was
#include <fcntl.h>
#include <hip/hip_runtime.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define CHECK(call)                                              \
  do {                                                           \
    const hipError_t status = (call);                            \
    if (status != hipSuccess) {                                  \
      std::printf("%s: %s\n", #call, hipGetErrorString(status)); \
      std::fflush(stdout);                                       \
      std::exit(1);                                              \
    }                                                            \
  } while (false)

__global__ void count_up(unsigned* counter) { *counter += 1; }

struct Lane {
  hipStream_t stream;
  unsigned* counter;
  unsigned launched = 0;

  Lane() {
    CHECK(hipStreamCreate(&stream));
    CHECK(hipMalloc(reinterpret_cast<void**>(&counter), sizeof *counter));
    CHECK(hipMemset(counter, 0, sizeof *counter));
    CHECK(hipDeviceSynchronize());
  }
  void Launch() {
    count_up<<<1, 1, 0, stream>>>(counter);
    ++launched;
  }
  void Check() {
    unsigned counted = 0;
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipMemcpy(&counted, counter, sizeof counted, hipMemcpyDeviceToHost));
    if (counted == launched) return;
    std::printf("wrong: %u of %u\n", counted, launched);
    std::fflush(stdout);
    std::exit(1);
  }
};

// Waits for input by a system call that the kernel does not repeat after an interruption: without a signal there is none.
void AwaitInput(int events) {
  epoll_event event = {};
  if (epoll_wait(events, &event, 1, -1) == 1) return;
  std::puts("interrupted");
  std::fflush(stdout);
  std::exit(1);
}

// The same program, with pipes for its input and output.
struct Child {
  FILE *input = nullptr, *output = nullptr;

  void Spawn() {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::exit(1);
    const pid_t pid = fork();
    if (pid == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      execl("/proc/self/exe", "served", nullptr);
      _exit(1);
    }
    close(in[0]);
    close(out[1]);
    input = fdopen(in[1], "w");
    output = fdopen(out[0], "r");
    char line[64];
    if (std::fgets(line, sizeof line, output) == nullptr) std::exit(1);
    std::printf("spawned %d\n", pid);
  }
  void Do(const char* what) {
    std::fputs(what, input);
    std::fflush(input);
    char line[64];
    if (std::fgets(line, sizeof line, output) == nullptr) std::exit(1);
    std::fputs(line, stdout);
  }
};

void ForkIdleChild() {
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  std::printf("forked %d\n", pid);
}

// The kernel ends an interrupted call with what has been written until then.
void WriteMuch(int milliseconds) {
  const std::vector<char> much(100000);
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  std::thread reader([&] {
    usleep(milliseconds * 1000);
    std::vector<char> room(much.size());
    while (read(ends[0], room.data(), room.size()) > 0) {
    }
  });
  std::puts("writing");
  std::fflush(stdout);
  const ssize_t written = write(ends[1], much.data(), much.size());
  close(ends[1]);
  reader.join();
  close(ends[0]);
  std::printf("wrote %zd\n", written);
}

[[noreturn]] void Become(char* words) {
  char* const address = std::strtok(words, " \n");
  char* const bytes = std::strtok(nullptr, " \n");
  execl("/proc/self/exe", "served", address, bytes, nullptr);
  std::exit(1);
}

// It has executed another program that has memory at this address.
int KeepMemory(const char* address, const char* bytes) {
  constexpr char kContent = 85;
  const size_t size = std::strtoull(bytes, nullptr, 10);
  void* const wanted = reinterpret_cast<void*>(std::strtoull(address, nullptr, 16));
  char* const memory = static_cast<char*>(mmap(wanted, size, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  if (memory != wanted) {
    std::puts("taken");
    return 0;
  }
  std::memset(memory, kContent, size);
  std::puts("became");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  size_t changed = 0;
  for (size_t i = 0; i < size; ++i) changed += memory[i] != kContent;
  std::printf("%zu bytes changed\n", changed);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) return KeepMemory(argv[1], argv[2]);
  std::setvbuf(stdin, nullptr, _IONBF, 0);  // what is left of the input shows to epoll
  const int events = epoll_create1(0);
  epoll_event input = {};
  input.events = EPOLLIN;
  if (epoll_ctl(events, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) return 1;
  Lane lane;
  Child child;
  std::vector<std::thread> threads;
  std::atomic<bool> stop{false};
  std::atomic<unsigned long> stormed{0};
  std::atomic<int> under_way{0};
  std::puts("ready");
  std::fflush(stdout);
  char line[64];
  while (AwaitInput(events), std::fgets(line, sizeof line, stdin) != nullptr) {
    const int number = std::strchr(line, ' ') == nullptr ? 0 : std::atoi(std::strchr(line, ' '));
    if (std::strncmp(line, "spawn", 5) == 0) {
      child.Spawn();
    } else if (std::strncmp(line, "become ", 7) == 0) {
      Become(line + 7);
    } else if (std::strncmp(line, "write", 5) == 0) {
      WriteMuch(number);
    } else if (std::strncmp(line, "fork", 4) == 0) {
      ForkIdleChild();
    } else if (std::strncmp(line, "child ", 6) == 0) {
      child.Do(line + 6);
    } else if (std::strncmp(line, "run", 3) == 0) {
      for (int i = 0; i < number; ++i) lane.Launch();
      lane.Check();
      std::printf("ran %d\n", number);
    } else if (std::strncmp(line, "graph", 5) == 0) {
      hipGraph_t graph;
      hipGraphExec_t ready;
      CHECK(hipStreamBeginCapture(lane.stream, hipStreamCaptureModeGlobal));
      for (int i = 0; i < 10; ++i) lane.Launch();
      CHECK(hipStreamEndCapture(lane.stream, &graph));
      CHECK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
      for (int i = 0; i < number; ++i) CHECK(hipGraphLaunch(ready, lane.stream));
      lane.launched += 10 * (number - 1);
      lane.Check();
      CHECK(hipGraphExecDestroy(ready));
      CHECK(hipGraphDestroy(graph));
      std::printf("launched %d\n", number);
    } else if (std::strncmp(line, "storm", 5) == 0) {
      stop = false;
      stormed = 0;
      under_way = 0;
      for (int i = 0; i < number; ++i) {
        threads.emplace_back([&] {
          Lane mine;
          for (unsigned n = 1; !stop; ++n) {
            mine.Launch();
            if (n % 64 == 0) mine.Check();
            if (n == 64) ++under_way;
          }
          mine.Check();
          stormed += mine.launched;
        });
      }
      while (under_way != number) std::this_thread::yield();
      std::printf("storm of %d\n", number);
    } else {
      stop = true;
      for (std::thread& thread : threads) thread.join();
      threads.clear();
      std::printf("calm after %lu\n", stormed.load());
    }
    std::fflush(stdout);
  }
  std::puts("bye");
  return 0;
}
