// SPDX-License-Identifier: MIT
// last_words.h: programs that die and leave a note of what they had seen: how many kernels of each
// of their threads had ended, in a file that outlives them. tests/race/last_words_test.py compares
// it with the trace.
//
//   PROGRAM NOTE WAY LEARN SIGNALS THREADS SEED LATE
//
//   NOTE      the file: a 4-byte number for each thread, written after the thread has learnt
//   WAY       segv, abort, kill, terminate, exit_now, exec; and those that the program adds
//   LEARN     how a thread learns that kernels have ended; the program defines the values
//   SIGNALS   which signals kernels carry; the program defines the values
//   LATE      launch: before the end, kernels are launched without a wait; wait: none are
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace programs {

struct Plan {
  Plan(int argc, char** argv) {
    if (argc != 8) Die(argv[0], "seven arguments");
    note = argv[1];
    way = argv[2];
    learn = argv[3];
    signals = argv[4];
    threads = std::atoi(argv[5]);
    seed = std::strtoull(argv[6], nullptr, 10);
    late = std::string(argv[7]) == "launch";
  }
  std::string note, way, learn, signals;
  int threads;
  uint64_t seed;
  bool late;
};

// The shape of its dispatch identifies a kernel. Two threads' kernels differ in y.
struct Shape {
  static constexpr uint32_t kMost = 4096;  // kernels of a thread
  Shape(int thread, uint32_t kernel)
      : workgroup(1 + kernel % 64),
        grid(workgroup * (1 + kernel / 64)),
        y(static_cast<uint32_t>(thread) + 1) {}
  uint32_t workgroup, grid, y;
};

class Note {
 public:
  explicit Note(const Plan& plan) {
    const int file = open(plan.note.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, 4096) != 0) Die(plan.note.c_str(), "cannot be written");
    void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) Die("mmap", "refused");
    known_ = static_cast<std::atomic<uint32_t>*>(memory);
  }
  void Learnt(int thread, uint32_t kernels) { known_[thread].store(kernels); }

 private:
  std::atomic<uint32_t>* known_;
};

[[noreturn]] inline void End(const std::string& way) {
  if (way == "segv") *reinterpret_cast<volatile int*>(std::strlen("") * 8) = 1;
  if (way == "abort") std::abort();
  if (way == "kill") (void)std::raise(SIGKILL);
  if (way == "terminate") (void)std::raise(SIGTERM);
  if (way == "exit_now") _exit(3);
  if (way == "exec") (void)execl("/bin/true", "true", nullptr);
  Die(way.c_str(), "this way does not end a process");
}

// Every thread runs round after round: it launches some kernels, learns of their end, and writes
// that down. The first one ends the process after some rounds. Each thread has a `Worker` with
// Launch(shape), Learn(), which returns when all kernels launched so far have ended, EndBy(way) for
// the ways that are not here, and kLongRound, the most kernels that it may launch in a round.
template <typename Worker, typename MakeWorker>
[[noreturn]] void RunRounds(const Plan& plan, MakeWorker make) {
  Note note(plan);
  // One after the other: two threads that make queues at once crash some runtimes.
  std::vector<Worker*> workers;
  for (int i = 0; i < plan.threads; ++i) workers.push_back(make(i));
  const auto run = [&](int thread) {
    std::mt19937_64 dice(plan.seed * 8 + static_cast<uint64_t>(thread));
    Worker& worker = *workers[static_cast<size_t>(thread)];
    const uint64_t rounds = thread == 0 ? 1 + dice() % 6 : UINT64_MAX;
    uint32_t launched = 0;
    for (uint64_t round = 0; round < rounds; ++round) {
      const uint64_t most = dice() % 8 == 0 ? Worker::kLongRound : 20;
      const auto count = static_cast<uint32_t>(1 + dice() % most);
      if (launched + count > Shape::kMost) break;
      for (uint32_t i = 0; i < count; ++i) worker.Launch(Shape(thread, launched++));
      worker.Learn();
      note.Learnt(thread, launched);
    }
    if (thread != 0) return;
    if (plan.late) {
      for (uint32_t i = 0; i < 5; ++i) worker.Launch(Shape(thread, launched++));
    }
    worker.EndBy(plan.way);
    End(plan.way);
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < plan.threads; ++i) threads.emplace_back(run, i);
  run(0);
  std::abort();
}

}  // namespace programs
